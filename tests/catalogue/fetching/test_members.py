"""What strangers pack: nothing of it leaves its folder, fills a disk or memory, or is followed."""

import gzip
import io
import struct
import tarfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fairvec.catalogue import is_local, local_path
from fairvec.catalogue.download import is_side_file
from fairvec.catalogue.packages import DAMAGED, open_zip_member
from fairvec.core.errors import DownloadError
from tests.catalogue.conftest import Add, Site
from tests.catalogue.fetching.test_packages import BALL, WHEEL, Registry, registry
from tests.limits import outcome

MEMBER = "package/model.vec"
__all__ = ["registry"]  # a fixture


def tar_of(*members: tuple[tarfile.TarInfo, bytes], format: int = tarfile.GNU_FORMAT) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=format) as ball:
        for about, content in members:
            ball.addfile(about, io.BytesIO(content))
    return file.getvalue()


def about(name: str = MEMBER, content: bytes = b"", **fields: Any) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


def sparse() -> bytes:
    """A GNU sparse member of a terabyte, of which no byte is there."""
    info = tarfile.TarInfo(MEMBER)
    info.type = tarfile.GNUTYPE_SPARSE
    head = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    head[483:495] = b"%011o\0" % (1 << 32)
    head[148:156] = b"        "
    head[148:156] = b"%06o\0 " % sum(head[:512])
    return bytes(head) + bytes(1024)


TARS = {
    "a link to itself": tar_of(about(type=tarfile.SYMTYPE, linkname=MEMBER)),
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
    said = outcome(code, megabytes=300, seconds=60)
    assert said == "ReadError a head in it asks for more than any head holds"


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
        zipped.writestr(MEMBER, b"1 2\nking 1 2\n")
    content = bytearray(held.getvalue())
    end = content.rindex(b"PK\5\6")  # sixteen bytes on, where the list of members should be
    content[end + 16 : end + 20] = struct.pack("<I", 1 << 20)
    path = tmp_path / "package.whl"
    path.write_bytes(content)
    with pytest.raises(DAMAGED), open_zip_member(path, MEMBER):
        pass

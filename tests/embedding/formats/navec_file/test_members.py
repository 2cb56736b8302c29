"""The members of tar files, as tarfile sees them."""

import io
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.embedding.formats.navec import read_member, tar_members


@pytest.mark.parametrize("kind", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("time", [0, 1.5, 1e9 + 0.25])
def test_files_are_found_in_every_kind_of_tar(tmp_path: Path, kind: int, time: float) -> None:
    held = {"meta.json": b"{}", "vocab.bin": bytes(1000), "pq.bin": b"", "x" * 90: b"long"}
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w", format=kind) as archive:
        folder = tarfile.TarInfo("folder")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, content in held.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(content), time
            archive.addfile(info, io.BytesIO(content))
    found = tar_members(path)
    assert {name: read_member(path, member) for name, member in found.items()} == held


@given(st.binary(max_size=1600))
def test_any_bytes_are_members_or_a_value_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.tar"
    path.write_bytes(content)
    try:
        found = tar_members(path)
    except ValueError:
        return
    assert all(member.start + member.size <= len(content) for member in found.values())


def test_a_name_that_comes_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        for _ in range(2):
            archive.addfile(tarfile.TarInfo("meta.json"))
    with pytest.raises(ValueError, match=r"meta\.json twice"):
        tar_members(path)

"""Work that fails leaves no folder behind, says which disk is full, and opens nothing to others."""

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from errno import EFBIG, ENOSPC
from pathlib import Path

import pytest

from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import (
    HOST,
    atomic_file_set,
    atomic_path,
    check_writable_file,
    check_writable_folder,
    is_empty_folder,
    scratch_folder,
    write_text,
)
from fairvec.core.io.mapped_arrays import write_array

pytestmark = pytest.mark.skipif(os.name == "nt", reason="of POSIX systems")

Write = Callable[[Path], AbstractContextManager[Path]]
WAYS: dict[str, Write] = {
    "a file": lambda place: atomic_path(place / "deep" / "file.txt"),
    "files together": lambda place: atomic_file_set(place / "deep"),
    "a model and its run": lambda place: atomic_file_set(place / "deep" / "r", around=True),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt], ids=["full", "interrupted"])
def test_folders_made_for_work_that_fails_go_again(
    tmp_path: Path, way: str, error: type[BaseException]
) -> None:
    def failing() -> None:
        with WAYS[way](tmp_path / "new"):
            raise error

    with pytest.raises(error):
        failing()
    assert not [*tmp_path.iterdir()]
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "mine").touch()
    with pytest.raises(error):
        failing()
    assert [*tmp_path.rglob("*")] == [tmp_path / "new", tmp_path / "new" / "mine"]


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_file_for_which_there_is_no_room_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with pytest.raises(OSError, match="large") as told, no_file_longer_than(1000):
        write_text(folder / "a.txt", "x" * 100_000)
    assert (told.value.errno, told.value.filename) == (EFBIG, str(folder / "a.txt"))
    assert not [*tmp_path.iterdir()]


def test_a_full_disk_is_named_by_the_folder_that_a_user_knows(tmp_path: Path) -> None:
    def filling() -> None:
        with scratch_folder(tmp_path) as outer, scratch_folder(outer):
            raise OSError(ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space") as told:
        filling()
    assert told.value.filename == str(tmp_path)

    def spilt() -> None:
        with scratch_folder(tmp_path) as work, write_array(work / "counts" / "a.i32"):
            raise OSError(ENOSPC, "No space left on device")

    with pytest.raises(SettingError, match=f"The disk that holds {tmp_path} is full"):
        spilt()


def test_a_part_of_a_run_is_named_by_its_folder_and_never_by_its_draft(tmp_path: Path) -> None:
    def filling() -> None:
        with atomic_file_set(tmp_path) as drafts, atomic_path(drafts / "a.txt"):
            raise OSError(ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space") as told:
        filling()
    assert told.value.filename == str(tmp_path)


def test_other_errors_are_not_given_a_place_that_is_not_theirs(tmp_path: Path) -> None:
    with pytest.raises(ConnectionError) as told, scratch_folder(tmp_path):
        raise ConnectionError(104, "Connection reset by peer")
    assert told.value.filename is None


@pytest.mark.parametrize(
    ("mode", "expected"),
    [(0o600, 0o700), (0o640, 0o750), (0o666, 0o755)],
    ids=["of its owner", "of its group", "of all"],
)
def test_the_new_run_of_a_private_model_is_private(
    tmp_path: Path, mode: int, expected: int
) -> None:
    (tmp_path / "m.vec").touch()
    (tmp_path / "m.vec").chmod(mode)

    def write() -> None:
        with atomic_file_set(tmp_path / "m.vec.run", around=True) as drafts:
            (drafts / "m.vec").write_text("new")
            write_text(drafts / "m.vec.run" / "results.jsonl", "new")

    before = os.umask(0o022)
    try:
        write()
        assert (tmp_path / "m.vec").stat().st_mode & 0o777 == mode
        assert (tmp_path / "m.vec.run").stat().st_mode & 0o777 == expected
        (tmp_path / "m.vec.run").chmod(0o755)  # whoever opens it afterwards is not overruled
        write()
        assert (tmp_path / "m.vec.run").stat().st_mode & 0o777 == 0o755
    finally:
        os.umask(before)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give")
def test_the_new_run_of_a_model_belongs_to_its_owner(tmp_path: Path) -> None:
    (tmp_path / "m.vec").touch()
    os.chown(tmp_path / "m.vec", 12345, 12346)
    with atomic_file_set(tmp_path / "m.vec.run", around=True) as drafts:
        (drafts / "m.vec").write_text("new")
        write_text(drafts / "m.vec.run" / "results.jsonl", "new")
    owners = {(path.stat().st_uid, path.stat().st_gid) for path in tmp_path.rglob("*")}
    assert owners == {(12345, 12346)}


def test_a_working_folder_that_is_gone_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(SettingError, match="run: nothing can be written there"):
        check_writable_folder(Path("run"), "results.jsonl")
    with pytest.raises(SettingError, match=r"a\.vec: nothing can be written there"):
        check_writable_file(Path("a.vec"))


def test_to_ask_whether_a_place_is_writable_makes_no_folder_that_another_could_rely_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []
    real = Path.mkdir

    def mkdir(self: Path, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        made.append(self)
        real(self, mode, parents, exist_ok)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    check_writable_folder(tmp_path / "a" / "b")
    check_writable_file(tmp_path / "c" / "d.vec")
    hidden = f".fairvec-{HOST}-"
    assert made
    assert all(path.relative_to(tmp_path).parts[0].startswith(hidden) for path in made)
    with pytest.raises(SettingError, match="name too long"):
        check_writable_folder(tmp_path / ("x" * 300) / "b")
    assert not [*tmp_path.iterdir()]


def test_a_folder_with_a_draft_of_the_dead_is_empty(tmp_path: Path) -> None:
    assert is_empty_folder(tmp_path)
    (tmp_path / f".fairvec-{HOST}-abcdefgh.draft").mkdir()
    assert is_empty_folder(tmp_path)
    (tmp_path / "mine").touch()
    assert not is_empty_folder(tmp_path)
    assert not is_empty_folder(tmp_path / "mine")

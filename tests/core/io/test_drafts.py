"""Drafts of files: removed, never those of others."""

import fcntl
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from errno import EACCES, EFBIG, ENOSPC
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.core.io import atomic_files as drafts
from fairvec.core.io.atomic_files import (
    DRAFT_NAME,
    HOST,
    atomic_file_set,
    atomic_path,
    check_writable_file,
    check_writable_folder,
    is_empty_folder,
    remove_stale_drafts,
    scratch_folder,
    write_text,
)
from fairvec.core.io.mapped_arrays import write_array
from fairvec.embedding import Embedding, save
from fairvec.embedding.formats import writable_formats
from tests.loops import loop_over
from tests.resource_limits import SOURCE

posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows locks no folders")
posix_only_failures = pytest.mark.skipif(os.name == "nt", reason="of POSIX systems")


# --- Drafts go with the work; those of the dead go with the next work, and those of others never


MAKER = """
import sys, time
from pathlib import Path
from fairvec.core.io.atomic_files import scratch_folder
with scratch_folder(Path(sys.argv[1])) as folder:
    (folder / "half").write_text("half")
    print(folder.name, flush=True)
    time.sleep(60)
"""


def maker(place: Path) -> tuple[subprocess.Popen[str], Path]:
    """Start a process that holds a draft, and return both."""
    process = subprocess.Popen(
        [sys.executable, "-c", MAKER, str(place)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(SOURCE)},
    )
    assert process.stdout
    return process, place / process.stdout.readline().strip()


def end(process: subprocess.Popen[str], by: int) -> None:
    process.send_signal(by)
    process.communicate(timeout=30)


@posix_only
def test_a_draft_is_private_and_goes_with_the_block(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as folder:
        assert DRAFT_NAME.fullmatch(folder.name)
        assert folder.parent == tmp_path
        assert folder.stat().st_mode & 0o777 == 0o700

    def failing() -> None:
        with scratch_folder(tmp_path) as folder:
            (folder / "deep").mkdir()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        failing()
    assert not [*tmp_path.iterdir()]


@posix_only
def test_drafts_of_the_killed_go_with_the_next_and_those_of_the_living_stay(
    tmp_path: Path,
) -> None:
    living, kept = maker(tmp_path)
    dead = [maker(tmp_path) for _ in range(4)]
    for process, folder in dead:
        end(process, signal.SIGKILL)
        assert folder.is_dir()  # nobody could clean up
    try:
        with scratch_folder(tmp_path) as own:
            assert {*tmp_path.iterdir()} == {own, kept}
            assert (kept / "half").read_text() == "half"
    finally:
        end(living, signal.SIGKILL)
    remove_stale_drafts(tmp_path)
    assert not [*tmp_path.iterdir()]


@posix_only
@pytest.mark.parametrize(
    "name",
    [
        ".fairvec-00000000-abcdefgh.draft",
        f".fairvec-{HOST}-abcdefgh.draft.bak",
        f"fairvec-{HOST}-abcdefgh.draft",
        ".fairvec-notes",
    ],
    ids=["another machine", "a copy", "no hidden one", "a user's"],
)
def test_what_is_not_surely_ours_is_never_swept(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "file").touch()
    with scratch_folder(tmp_path):
        pass
    assert (tmp_path / name / "file").exists()


@posix_only
def test_a_link_or_a_file_of_such_a_name_leads_nowhere(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").touch()
    place = tmp_path / "place"
    place.mkdir()
    (place / f".fairvec-{HOST}-abcdefgh.draft").symlink_to(precious)
    (place / f".fairvec-{HOST}-abcdefgi.draft").write_text("mine")
    remove_stale_drafts(place)
    assert (precious / "file").exists()
    assert len([*place.iterdir()]) == 2


@posix_only
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give")
def test_drafts_of_another_user_stay(tmp_path: Path) -> None:
    folder = tmp_path / f".fairvec-{HOST}-abcdefgh.draft"
    folder.mkdir()
    os.chown(folder, 12345, 12345)
    remove_stale_drafts(tmp_path)
    assert folder.exists()
    os.chown(folder, 0, 0)
    remove_stale_drafts(tmp_path)
    assert not folder.exists()


@posix_only
def test_many_makers_and_sweepers_at_once_lose_nothing(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from fairvec.core.io.atomic_files import remove_stale_drafts, scratch_folder
for turn in range(150):
    remove_stale_drafts(Path(sys.argv[1]))
    with scratch_folder(Path(sys.argv[1])) as folder:
        (folder / "mine").write_text(str(turn))
        assert (folder / "mine").read_text() == str(turn)
"""
    several = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            env=os.environ | {"PYTHONPATH": str(SOURCE)},
        )
        for _ in range(3)
    ]
    assert [process.wait(timeout=60) for process in several] == [0, 0, 0]
    assert not [*tmp_path.iterdir()]


@posix_only
def test_a_draft_that_a_sweep_is_about_to_take_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process sweeps: it has the lock of the new folder, and has not removed it yet."""
    swept: list[tuple[Path, int]] = []

    def taken_at_once(**how: Any) -> str:
        folder: str = mkdtemp(**how)
        if not swept:
            lock = os.open(folder, os.O_RDONLY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            swept.append((Path(folder), lock))
        return folder

    monkeypatch.setattr(drafts, "mkdtemp", taken_at_once)
    with scratch_folder(tmp_path) as folder:
        ((taken, lock),) = swept
        shutil.rmtree(taken)
        os.close(lock)
        (folder / "mine").write_text("mine")
        remove_stale_drafts(tmp_path)
        assert (folder / "mine").read_text() == "mine"
    assert not [*tmp_path.iterdir()]


@posix_only
def test_where_folders_cannot_be_locked_drafts_are_made_and_never_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(handle: int, how: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refused)
    with scratch_folder(tmp_path) as folder:
        remove_stale_drafts(tmp_path)
        assert folder.is_dir()
    assert not [*tmp_path.iterdir()]


# --- Work that fails leaves no folder behind, says which disk is full, and opens nothing to others


Write = Callable[[Path], AbstractContextManager[Path]]
WAYS: dict[str, Write] = {
    "a file": lambda place: atomic_path(place / "deep" / "file.txt"),
    "files together": lambda place: atomic_file_set(place / "deep"),
    "a model and its run": lambda place: atomic_file_set(place / "deep" / "r", around=True),
}


@posix_only_failures
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


@posix_only_failures
def test_a_file_for_which_there_is_no_room_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with pytest.raises(OSError, match="large") as caught, no_file_longer_than(1000):
        write_text(folder / "a.txt", "x" * 100_000)
    assert (caught.value.errno, caught.value.filename) == (EFBIG, str(folder / "a.txt"))
    assert not [*tmp_path.iterdir()]


@posix_only_failures
def test_a_full_disk_is_named_by_the_folder_that_a_user_knows(tmp_path: Path) -> None:
    def filling() -> None:
        with scratch_folder(tmp_path) as outer, scratch_folder(outer):
            raise OSError(ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space") as caught:
        filling()
    assert caught.value.filename == str(tmp_path)

    def spilt() -> None:
        with scratch_folder(tmp_path) as work, write_array(work / "counts" / "a.i32"):
            raise OSError(ENOSPC, "No space left on device")

    with pytest.raises(SettingError, match=f"The disk that holds {tmp_path} is full"):
        spilt()


@posix_only_failures
def test_a_part_of_a_run_is_named_by_its_folder_and_never_by_its_draft(tmp_path: Path) -> None:
    def filling() -> None:
        with atomic_file_set(tmp_path) as drafts, atomic_path(drafts / "a.txt"):
            raise OSError(ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space") as caught:
        filling()
    assert caught.value.filename == str(tmp_path)


@posix_only_failures
def test_other_errors_are_not_given_a_place_that_is_not_theirs(tmp_path: Path) -> None:
    with pytest.raises(ConnectionError) as caught, scratch_folder(tmp_path):
        raise ConnectionError(104, "Connection reset by peer")
    assert caught.value.filename is None


@posix_only_failures
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


@posix_only_failures
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give")
def test_the_new_run_of_a_model_belongs_to_its_owner(tmp_path: Path) -> None:
    (tmp_path / "m.vec").touch()
    os.chown(tmp_path / "m.vec", 12345, 12346)
    with atomic_file_set(tmp_path / "m.vec.run", around=True) as drafts:
        (drafts / "m.vec").write_text("new")
        write_text(drafts / "m.vec.run" / "results.jsonl", "new")
    owners = {(path.stat().st_uid, path.stat().st_gid) for path in tmp_path.rglob("*")}
    assert owners == {(12345, 12346)}


@posix_only_failures
def test_a_working_folder_that_is_gone_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(SettingError, match="run: nothing can be written there"):
        check_writable_folder(Path("run"), "results.jsonl")
    with pytest.raises(SettingError, match=r"a\.vec: nothing can be written there"):
        check_writable_file(Path("a.vec"))


@posix_only_failures
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


@posix_only_failures
def test_a_folder_with_a_draft_of_the_dead_is_empty(tmp_path: Path) -> None:
    assert is_empty_folder(tmp_path)
    (tmp_path / f".fairvec-{HOST}-abcdefgh.draft").mkdir()
    assert is_empty_folder(tmp_path)
    (tmp_path / "mine").touch()
    assert not is_empty_folder(tmp_path)
    assert not is_empty_folder(tmp_path / "mine")


@posix_only_failures
@loop_over("ending", [writer.suffixes[0] for writer in writable_formats()])
@loop_over("room", [0, 100, 5_000, 150_000])
def test_a_model_without_room_is_one_error_that_names_its_file(
    ending: str, room: int, tmp_path: Path
) -> None:
    vectors = np.ones((5_000, 50), dtype=np.float32)
    model = Embedding([f"word{row}" for row in range(len(vectors))], vectors)
    path = tmp_path / "new" / f"model{ending}"
    # Whatever a destructor says after that would fail the test, too.
    with pytest.raises(OSError, match="large") as caught, no_file_longer_than(room):
        save(model, path)
    assert caught.value.filename == str(path)
    assert not [*tmp_path.iterdir()]


@posix_only_failures
@pytest.mark.parametrize("code", [ENOSPC, EACCES])
def test_an_error_about_a_draft_names_the_file(code: int, tmp_path: Path) -> None:
    def failing() -> None:
        with atomic_path(tmp_path / "a.txt") as draft, atomic_path(draft) as inner:
            raise OSError(code, "No", str(inner))

    with pytest.raises(OSError, match="No") as caught:
        failing()
    assert caught.value.filename == str(tmp_path / "a.txt")

"""Drafts go with the work; those of the dead go with the next work, and those of others never."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from fairvec.core.io import atomic_files as drafts
from fairvec.core.io.atomic_files import DRAFT_NAME, HOST, remove_stale_drafts, scratch_folder
from tests.limits import SOURCE

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows locks no folders")

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

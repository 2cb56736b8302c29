"""Of two processes that write into one folder at once, the last is whole."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairvec.core.errors import SettingError
from fairvec.core.io import locks as folder_lock
from fairvec.core.io.atomic_files import atomic_file_set
from fairvec.core.io.locks import lock_folder
from tests.fault_injection import before_step
from tests.resource_limits import SOURCE

NAMES = ("page.html", "records.jsonl")


def write(folder: Path, who: str) -> None:
    with atomic_file_set(folder) as drafts:
        for name in NAMES:
            (drafts / name).write_text(who)


def seen(folder: Path) -> list[str]:
    return [(folder / name).read_text() for name in NAMES]


def waits_before(folder: Path, step: int, who: str, ready: int, go: int) -> int:
    """Start a process that writes, says at one step that it is there, and waits for its turn."""

    def pause() -> None:
        os.write(ready, b"!")
        os.read(go, 1)

    if child := os.fork():
        return child
    code = 1
    try:
        before_step(folder, step, pause)
        write(folder, who)
        code = 0
    finally:
        os.write(ready, b".")
        os._exit(code)


def says_when_it_waits(folder: Path, who: str, ready: int) -> int:
    """Start a process that writes, and says so when it has to wait for the folder, or is done."""
    if child := os.fork():
        return child
    code, asked, lock = 1, 0, folder.stat().st_ino

    def heard(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal asked
        if event == "fcntl.flock" and os.fstat(arguments[0]).st_ino == lock:
            asked += 1
            if asked == 2:  # the first time it was busy
                os.write(ready, b"w")

    try:
        sys.addaudithook(heard)
        write(folder, who)
        code = 0
    finally:
        os.write(ready, b"d")
        os._exit(code)


def test_a_second_run_at_any_moment_of_a_first_leaves_one_whole(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    write(folder, "old")
    ends = []
    for step in range(1, 200):
        ready, says = os.pipe()
        turn, go = os.pipe()
        first = waits_before(folder, step, "first", says, turn)
        there = os.read(ready, 1)
        second = says_when_it_waits(folder, "second", says)
        how = os.read(ready, 1)
        os.write(go, b"!")
        codes = [os.waitstatus_to_exitcode(os.waitpid(each, 0)[1]) for each in (first, second)]
        for each in (ready, says, turn, go):
            os.close(each)
        assert codes == [0, 0]
        assert len({*seen(folder)}) == 1, step
        assert {path.name for path in folder.iterdir()} == {*NAMES}
        ends.append((how, seen(folder)[0]))
        if there == b".":
            break
    # Before the first had the folder the second was done, and later it waited.
    assert {(b"d", "first"), (b"w", "second"), (b"d", "second")} == {*ends}


WRITER = """
import sys
from pathlib import Path
from fairvec.core.io.atomic_files import atomic_file_set
for number in range(40):
    with atomic_file_set(Path(sys.argv[1])) as drafts:
        for name in ("page.html", "records.jsonl"):
            (drafts / name).write_text(f"{sys.argv[2]} {number}")
"""


def test_two_processes_at_once_and_a_reader(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    write(folder, "old")
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(folder), who], env=environment)
        for who in ("one", "two")
    ]
    looked = 0
    while any(writer.poll() is None for writer in writers):
        with lock_folder(folder):
            assert len({*seen(folder)}) == 1
        looked += 1
    assert [writer.wait() for writer in writers] == [0, 0]
    assert looked > 0
    assert seen(folder) in (["one 39"] * 2, ["two 39"] * 2)
    assert {path.name for path in folder.iterdir()} == {*NAMES}


def test_a_process_that_never_ends_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_lock, "PATIENCE", 0.0)
    held = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        with pytest.raises(SettingError, match=r"Another process has been writing into"):
            write(tmp_path, "new")
    finally:
        os.close(held)
    assert not [*tmp_path.iterdir()]
    write(tmp_path, "new")
    assert seen(tmp_path) == ["new", "new"]


def test_where_nothing_can_be_locked_it_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(handle: int, how: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refused)
    write(tmp_path, "new")
    assert seen(tmp_path) == ["new", "new"]

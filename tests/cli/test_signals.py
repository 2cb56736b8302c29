"""Whoever ends a command, and when: nothing half written, nothing left, no process that goes on."""

import gzip
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fairvec.core.io.atomic_files import remove_stale_drafts
from fairvec.core.processes import PATIENCE, SignalHandler, Terminated
from tests import toys
from tests.cli.conftest import write_model
from tests.cli.pool_tasks import LONG
from tests.resource_limits import SOURCE

pytestmark = pytest.mark.skipif(os.name == "nt", reason="of POSIX systems")

HOLD = """
import signal, sys, time
# A job in the background is started with interruptions ignored, one of nohup with HUP.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
def hold(*_, **__):
    print("ready", flush=True)
    time.sleep(600)
import {module} as module
module.{name} = hold
from fairvec.cli import main
sys.argv = ["fairvec", *sys.argv[1:]]
main()
"""


def started(code: str, *arguments: object, temporary: Path) -> subprocess.Popen[str]:
    """Start a program and wait for its first line, by which it is in the midst of its work."""
    root = SOURCE.parent
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=root,
        env=os.environ
        | {
            "PYTHONPATH": f"{SOURCE}{os.pathsep}{root}",
            "TMPDIR": str(temporary),
            "OPENBLAS_NUM_THREADS": "1",
        },
    )
    assert process.stdout
    process.stdout.readline()
    return process


def left_in(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name.startswith(".fairvec-")]


WRITING = HOLD.format(module="fairvec.embedding.saving", name="_refuse_misread")
UNPACKING = HOLD.format(module="fairvec.embedding.loading", name="detect_format")
COUNTING = HOLD.format(module="fairvec.training.train", name="count_cooccurrences")
DEBIASED = HOLD.format(module="fairvec.experiments.debiasing.files", name="save_transform")


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The file to be written, which lies there already."""
    (tmp_path / "out").mkdir()
    file = tmp_path / "out" / "a.vec"
    file.write_text("old")
    return file


def packed(folder: Path) -> Path:
    model = write_model(folder / "m.vec", 1.0)
    (folder / "m.vec.gz").write_bytes(gzip.compress(model.read_bytes()))
    return folder / "m.vec.gz"


def converting(folder: Path, out: Path) -> list[object]:
    return ["convert", packed(folder), out, "--force"]


def training(folder: Path, out: Path) -> list[object]:
    text = folder / "text.txt"
    text.write_text("one two three four five\n" * 20)
    return ["train", text, "--language", "en", "-o", out, "--force", "--min-count", "1"]


def debiasing(folder: Path, out: Path) -> list[object]:
    suite = folder / "toy.toml"
    suite.write_text(toys.suite_text(), encoding="utf-8")
    return ["debias", packed(folder), "--concept", "en/gender", "-s", suite, "-o", out, "--force"]


@pytest.mark.parametrize(
    ("code", "arguments", "by"),
    [
        (WRITING, converting, signal.SIGTERM),
        (WRITING, converting, signal.SIGINT),
        (UNPACKING, converting, signal.SIGHUP),
        (UNPACKING, converting, signal.SIGTERM),
        (COUNTING, training, signal.SIGHUP),
        (DEBIASED, debiasing, signal.SIGTERM),
    ],
    ids=["writing", "interrupted", "unpacking, HUP", "unpacking", "counting", "debiasing"],
)
def test_a_command_that_is_ended_leaves_nothing(
    tmp_path: Path,
    out: Path,
    temporary: Path,
    code: str,
    arguments: Callable[[Path, Path], list[object]],
    by: signal.Signals,
) -> None:
    process = started(code, *arguments(tmp_path, out), temporary=temporary)
    assert left_in(temporary) or left_in(out.parent)
    process.send_signal(by)
    if by is not signal.SIGINT:
        process.send_signal(by)  # 'timeout' sends two
    _, err = process.communicate(timeout=LONG)
    assert process.returncode == 128 + by, err
    assert "Traceback" not in err
    assert not left_in(temporary)
    assert [*out.parent.iterdir()] == [out]
    assert out.read_text() == "old"


def test_what_a_killed_command_leaves_goes_with_the_next(
    tmp_path: Path, out: Path, temporary: Path
) -> None:
    for code in (UNPACKING, WRITING):
        process = started(code, *converting(tmp_path, out), temporary=temporary)
        process.kill()
        process.communicate(timeout=LONG)
        assert left_in(temporary) or left_in(out.parent)
        assert out.read_text() == "old"
    code = "import sys; from fairvec.cli import main; main()"
    process = started(code, *converting(tmp_path, out), temporary=temporary)
    assert process.wait(timeout=LONG) == 0
    process.communicate()
    assert not left_in(temporary)
    assert [*out.parent.iterdir()] == [out]
    assert out.read_text().startswith(f"{len(toys.embedding(1.0))} ")


def test_a_signal_that_is_ignored_stays_so(tmp_path: Path, out: Path, temporary: Path) -> None:
    code = WRITING.replace("signal.SIG_DFL", "signal.SIG_IGN")
    process = started(code, *converting(tmp_path, out), temporary=temporary)
    process.send_signal(signal.SIGHUP)  # heard, it would be the first of the two that counts
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LONG)
    assert process.returncode == 128 + signal.SIGTERM


def test_the_second_signal_is_obeyed_when_patience_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    ender = SignalHandler()
    with pytest.raises(Terminated) as first:
        ender(signal.SIGTERM, None)
    assert first.value.code == 143
    ender(signal.SIGTERM, None)
    now[0] += PATIENCE + 1
    with pytest.raises(Terminated):
        ender(signal.SIGHUP, None)


TWICE = """
import os, signal
from fairvec.core.processes import graceful_shutdown
try:
    with graceful_shutdown():
        os.kill(os.getpid(), signal.SIGTERM)
finally:
    os.kill(os.getpid(), signal.SIGTERM)
"""


def test_a_second_signal_on_the_way_out_changes_no_exit_code() -> None:
    ended = subprocess.run([sys.executable, "-c", TWICE], capture_output=True, check=False)
    assert ended.returncode == 128 + signal.SIGTERM, ended.stderr


POOL = """
import sys, time
from pathlib import Path
from threading import Thread
from fairvec.core import processes
from fairvec.core.processes import graceful_shutdown, map_processes
from tests.cli.pool_tasks import LONG, busy
processes.PATIENCE = LONG
def tell():
    while len([*Path(sys.argv[1]).glob("*.pid")]) < 2:
        time.sleep(0.02)
    print("ready", flush=True)
if __name__ == "__main__":
    Thread(target=tell, daemon=True).start()
    with graceful_shutdown():
        print([*map_processes(2, busy, [sys.argv[1]] * 6)])
"""


def alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{number}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_processes_of_a_pool_end_with_their_parent(
    tmp_path: Path, temporary: Path, by: signal.Signals
) -> None:
    process = started(POOL, tmp_path, temporary=temporary)
    workers = [int(path.stem) for path in tmp_path.glob("*.pid")]
    assert len(workers) == 2
    assert all(map(alive, workers))
    assert len(left_in(tmp_path)) == 2
    process.send_signal(by)
    process.communicate(timeout=LONG)
    assert process.returncode == (128 + by if by is signal.SIGTERM else -by)
    deadline = time.monotonic() + LONG
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, workers))
    assert not left_in(tmp_path)
    assert len([*tmp_path.glob("*.pid")]) == 2  # no further task was begun
    remove_stale_drafts(tmp_path)


IGNORING = """
import signal
from fairvec.core.processes import map_processes
from tests.cli.pool_tasks import ended_by_signal
if __name__ == "__main__":
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    print(*map_processes(1, ended_by_signal, ["SIGHUP", "SIGINT"]))
"""


def test_what_is_ignored_is_ignored_by_the_processes_of_a_pool_too(temporary: Path) -> None:
    """A terminal that is closed asks all processes of a study that was started with nohup."""
    process = started(f"print(flush=True){IGNORING}", temporary=temporary)
    out, err = process.communicate(timeout=LONG)
    assert (process.returncode, out) == (0, "SIGHUP SIGINT\n"), err

"""One process that runs cases under limits of memory and time, until it is told to stop or dies."""

import faulthandler
import gc
import os
import resource
import shutil
import signal
import socket
import sys
import time
import webbrowser
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

from fuzz.cases import Case, Target, case_of, read_case
from fuzz.verdicts import Finding, judged, what_is_left

MEGABYTES = 600
"""Memory that a case of a few kilobytes may take."""
GROWN = 150 << 20
"""A worker that has kept so much from earlier cases makes room for a new one."""
TRACE = "trace.txt"


def serve(line: Connection, targets: Mapping[str, Target], folder: Path, number_at: Any) -> None:
    """Run batches of cases and send what was found, then how many were run and in which time."""
    _limit(folder)
    before = taken()
    while True:
        asked = line.recv()
        if asked is None:
            os._exit(0)
        name, seed, first, count, again = asked
        target, began = targets[name], time.monotonic()
        number = first
        for number in range(first, first + count):
            number_at.value = number
            case = read_case(Path(again)) if again else case_of(target, seed, number)
            if found := tried(target, case, folder):
                line.send((found, case))
            if time.monotonic() - began > 1:
                break
        line.send((number - first + 1, time.monotonic() - began))
        gc.collect()
        if taken() > before + GROWN:
            line.send(None)
            os._exit(0)


def tried(target: Target, case: Case, folder: Path, *, honest: bool = False) -> Finding | None:
    """Run one case and return what it did that it must not do; an honest one is not refused."""
    place = folder / "case"
    for name in ("case", "tmp", "beside", "home"):
        _emptied(folder / name)
    for name, data in case.files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    os.chdir(place)
    found, failed = None, False
    signal.setitimer(signal.ITIMER_PROF, 0 if honest else target.seconds)
    try:
        target.run(place)
    except BaseException as error:
        failed, found = True, judged(target.name, error)
        if honest and found is None and not target.may_be_refused:
            found = Finding(target.name, "refused", "", str(error))
    signal.setitimer(signal.ITIMER_PROF, 0)
    return found or what_is_left(target, case, folder, failed=failed)


def _emptied(folder: Path) -> None:
    """Make a folder, or empty it; most are empty already."""
    folder.mkdir(parents=True, exist_ok=True)
    for inner in os.scandir(folder):
        if inner.is_dir(follow_symlinks=False):
            shutil.rmtree(inner.path)
        else:
            os.unlink(inner.path)  # noqa: PTH108 - a name may be no text


def taken() -> int:
    """Return the bytes of memory that this process may write to."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) << 10
    return 0


def _limit(folder: Path) -> None:
    """Let this process take so much memory and reach nothing outside."""
    os.environ |= {"TMPDIR": str(folder / "tmp"), "FAIRVEC_HOME": str(folder / "home")}
    os.environ.pop("FAIRVEC_DATA", None)
    sys.modules["tempfile"].tempdir = None  # type: ignore[attr-defined]
    most = taken() + (MEGABYTES << 20)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Into a file that no case can name: what is printed on the way to a crash is the only trace.
    trace = (folder / TRACE).open("w")
    faulthandler.enable(trace)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    faulthandler.register(signal.SIGPROF, trace, chain=True)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    socket.socket.connect = _refused  # type: ignore[method-assign]
    socket.getaddrinfo = _refused
    webbrowser.open = lambda *_, **__: True
    wait = time.sleep
    time.sleep = lambda seconds: wait(min(float(seconds), 0.01))


def _refused(*_: object, **__: object) -> NoReturn:
    raise OSError(101, "Network is unreachable")

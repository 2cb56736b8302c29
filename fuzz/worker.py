"""One process that runs cases under limits of memory and time, until it is told to stop or dies."""

import faulthandler
import gc
import os
import resource
import signal
import socket
import sys
import time
import traceback
import webbrowser
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from fuzz.cases import Batch, Case, Target
from fuzz.places import CASE, TRACE, emptied, placed
from fuzz.resources import leaked_since, open_resources
from fuzz.verdicts import Finding, Verdict, judged, what_is_left

MEGABYTES = 600
"""Memory that a case of a few kilobytes may take."""
GROWN = 150 << 20
"""A worker that has kept so much from earlier cases makes room for a new one."""
SLICE = 1.0
"""Seconds after which a worker asks what to do next."""
ALLOWED: set[tuple[str, int]] = set()
"""Addresses of servers that a case has of its own; all others are out of reach."""
NUMBER, ACCEPTED, REFUSED = range(3)
"""What a worker counts where its master sees it, also when it has died."""


def serve(line: Connection, targets: Mapping[str, Target], folder: Path, counted: Any) -> None:
    """Run batches of cases and send what was found, then how many were run and in which time.

    Cases that are tried again are run to the last one, however long that takes.
    """
    _limit(folder)
    before = taken()
    batch: Batch
    while (batch := line.recv()) is not None:
        name, first, count = batch.target, batch.first, batch.count
        target, began, computed = targets[name], time.monotonic(), time.process_time()
        number = first
        for number in range(first, first + count):
            counted[NUMBER] = number
            try:
                case = batch.case(target, number)
                verdict = tried(target, case, folder)
            except Exception:  # ours to mend, and no fault of what is hunted through
                line.send(f"{name}, case {number}:\n{traceback.format_exc()}")
                continue
            counted[ACCEPTED if verdict.accepted else REFUSED] += 1
            if verdict.finding:
                line.send((verdict.finding, case))
            if not batch.again and time.monotonic() - began > SLICE:
                break
        gc.collect()
        leaves = taken() > before + GROWN
        line.send((number - first + 1, time.process_time() - computed, leaves))
        if leaves:
            break
    os._exit(0)


def tried(target: Target, case: Case, folder: Path, *, honest: bool = False) -> Verdict:
    """Run one case and return what it did that it must not do; an honest one is not refused."""
    place = folder / CASE
    emptied(folder)
    placed(case.files, place)
    os.chdir(place)
    found, failed, before = None, False, open_resources()
    signal.setitimer(signal.ITIMER_PROF, 0 if honest else target.seconds)
    try:
        target.run(place)
    except BaseException as raised:  # a verdict is due on whatever came
        failed, found = True, judged(target.name, raised)
        if honest and found is None and not target.may_be_refused:
            found = Finding(target.name, "refused", "", str(raised))
        # Errors of pydantic hide what they hold from the collector: a circle would never be freed.
        traceback.clear_frames(raised.__traceback__)
    signal.setitimer(signal.ITIMER_PROF, 0)
    found = found or what_is_left(target, case, folder, failed=failed)
    # First times open what stays open, such as the shipped models.
    if not found and not honest and (more := leaked_since(before)):
        found = Finding(target.name, "left open", max(more), "\n".join(more.values()))
    return Verdict(found, accepted=not failed)


def taken() -> int:
    """Return the bytes of memory that this process may write to."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) << 10
    raise OSError("/proc/self/status does not say how much memory is taken")


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
    socket.socket.connect = _only_allowed(socket.socket.connect, 1)  # type: ignore[method-assign]
    socket.getaddrinfo = _only_allowed(socket.getaddrinfo, 0)
    webbrowser.open = lambda *_, **__: True
    wait = time.sleep
    time.sleep = lambda seconds: wait(min(float(seconds), 0.01))


def _only_allowed(what: Callable[..., Any], at: int) -> Callable[..., Any]:
    """Let a function reach the servers of this process alone; the address is argument `at`."""

    def guarded(*arguments: Any, **named: Any) -> Any:
        if arguments[at] in ALLOWED or tuple(arguments[at : at + 2]) in ALLOWED:
            return what(*arguments, **named)
        raise OSError(101, "Network is unreachable")

    return guarded

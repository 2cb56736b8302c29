"""One worker process as its master sees it: made anew when it dies, ended when it only waits."""

import os
import signal
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from fuzz.cases import Batch, Case, Target
from fuzz.places import TRACE
from fuzz.verdicts import Finding, place_in_dump
from fuzz.worker import ACCEPTED, NUMBER, REFUSED, serve

STILL = 20.0
"""Seconds in which a worker computes next to nothing and is seldom ready to: it waits for ever."""
LOOK = 0.2
ENDED_BY = {signal.SIGPROF: "hang", signal.SIGABRT: "waits for ever"}


@dataclass(frozen=True)
class Done:
    """How many cases of a batch were run, what became of them, and what was found."""

    batch: Batch
    cases: int
    seconds: float
    accepted: int
    refused: int
    found: tuple[tuple[Finding, Case], ...]
    faults: tuple[str, ...] = ()


class Hand:
    """A worker, and the batch that it is busy with."""

    def __init__(self, targets: Mapping[str, Target], folder: Path) -> None:
        self.targets, self.folder = targets, folder
        folder.mkdir()
        self.batch: Batch | None = None
        self._start()

    def _start(self) -> None:
        context = get_context("fork")
        self.counted = context.Array("q", 3, lock=False)
        self.line: Connection
        self.line, worker_end = context.Pipe()
        arguments = (worker_end, self.targets, self.folder, self.counted)
        self.process = context.Process(target=serve, args=arguments, daemon=True)
        with warnings.catch_warnings():
            # Threads of this process have done their work, which is what the warning is about.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        worker_end.close()

    def ask(self, batch: Batch, *, anew: bool = False) -> None:
        """Hand over a batch of cases, to a process that has seen none if that is wanted."""
        if anew:
            self.end()
            self._start()
        self.batch, self.asked = batch, time.monotonic()
        self.found: list[tuple[Finding, Case]] = []
        self.faults: list[str] = []
        self.counted[:] = [batch.first, 0, 0]
        self._look_afresh(batch.first)
        self.line.send(batch)

    def listen(self) -> Done | None:
        """Return what was done if the batch is over, for whatever reason."""
        try:
            while self.batch and self.line.poll():
                match self.line.recv():
                    case str() as fault:
                        self.faults.append(fault)
                    case (Finding() as finding, Case() as case):
                        self.found.append((finding, case))
                    case (cases, seconds, leaves):
                        return self._done(cases, seconds, leaves=leaves)
        except (EOFError, ConnectionResetError):
            return self._died()
        if self.batch and self._waits():
            os.kill(self.process.pid or 0, signal.SIGABRT)
            self._look_afresh(self.counted[NUMBER])
        return None

    def end(self) -> None:
        """Let the worker go."""
        self.process.kill()
        self.process.join()
        self.line.close()

    def _done(self, cases: int, seconds: float, *, leaves: bool) -> Done:
        batch, self.batch = self.batch, None
        assert batch  # noqa: S101 - who calls has looked
        done = Done(
            *(batch, cases, seconds, self.counted[ACCEPTED], self.counted[REFUSED]),
            *(tuple(self.found), tuple(self.faults)),
        )
        if leaves:
            self.end()
            self._start()
        return done

    def _died(self) -> Done:
        """Say on which case the worker died, and why; the next one goes on behind it."""
        self.process.join()
        batch, number = self.batch, self.counted[NUMBER]
        assert batch  # noqa: S101 - who calls has looked
        dump = (self.folder / TRACE).read_text(errors="replace")
        code = self.process.exitcode or 0
        # Also one that ends without complaint has not done what it was asked.
        kind = ENDED_BY.get(signal.Signals(-code)) if code < 0 else f"ends the process with {code}"
        finding = Finding(
            *(batch.target, kind or f"dies by {-code}", place_in_dump(dump), dump[:6000])
        )
        self.found.append((finding, batch.case(self.targets[batch.target], number)))
        spent = time.monotonic() - self.asked
        return self._done(number - batch.first + 1, spent, leaves=True)

    def _look_afresh(self, number: int) -> None:
        self.seen, self.since, self.looked = number, time.monotonic(), 0.0
        self.looks = self.idle = 0
        self.computed = _seconds_and_state(self.process.pid)[0]

    def _waits(self) -> bool:
        """Say whether the worker waits for somebody; one that is only given no time does not."""
        now = time.monotonic()
        if self.counted[NUMBER] != self.seen:
            self._look_afresh(self.counted[NUMBER])
        if now - self.looked < LOOK:
            return False
        self.looked = now
        computed, state = _seconds_and_state(self.process.pid)
        self.looks += 1
        self.idle += state in "SZT"
        if now - self.since < STILL:
            return False
        waits = computed - self.computed < 0.1 * STILL and self.idle > 0.8 * self.looks > 3
        if not waits:
            self._look_afresh(self.seen)
        return waits


def _seconds_and_state(pid: int | None) -> tuple[float, str]:
    """Return the seconds that a process has computed, all threads together, and what it does."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0, "R"
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK"), fields[0]

"""The master: hands cases to workers, notices those that die or hang, and goes on."""

import os
import signal
import time
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fuzz.cases import Case, Target, case_of, read_case
from fuzz.verdicts import Finding, place_in_dump
from fuzz.worker import TRACE, serve

BATCH = 200
WAITED_TOO_LONG = 60
"""Seconds after which a worker that computes nothing (it waits for somebody) is ended, and three
times those that its target may compute: a busy machine gives it a part of the time.
"""
IN_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a name of our own
HANGS = {signal.SIGPROF: "hang", signal.SIGABRT: "waits for ever"}


@dataclass
class Tally:
    """What was done with one target."""

    cases: int = 0
    seconds: float = 0.0
    findings: int = 0


@dataclass
class Hunt:
    """All targets, the limits of the hunt, and what it has found so far."""

    targets: Mapping[str, Target]
    seed: int
    seconds: float
    workers: int = 2
    most: int | None = None
    again: Path | None = None
    found: dict[tuple[str, str, str], tuple[Finding, Case]] = field(default_factory=dict)
    tallies: dict[str, Tally] = field(default_factory=dict)
    repeats: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    on_finding: Any = None
    _next: dict[str, int] = field(default_factory=dict)

    def run(self) -> None:
        """Hunt until the time is over or every target has had its cases."""
        self.tallies = {name: Tally() for name in self.targets}
        self._next = dict.fromkeys(self.targets, 0)
        ends = time.monotonic() + self.seconds
        with TemporaryDirectory(prefix="fuzz-", dir=IN_MEMORY) as folder:
            hands = [_Hand(self, Path(folder) / str(number)) for number in range(self.workers)]
            while time.monotonic() < ends:
                for hand in hands:
                    if not hand.busy and (batch := self._batch(hands)):
                        hand.ask(batch)
                if not any(hand.busy for hand in hands):
                    break
                wait([hand.line for hand in hands if hand.busy], timeout=0.2)
                for hand in hands:
                    hand.listen()
            for hand in hands:
                hand.end()

    def note(self, finding: Finding, case: Case) -> None:
        """Keep a finding if it is a new one."""
        self.repeats[finding.key] += 1
        if finding.key not in self.found:
            self.found[finding.key] = finding, case
            self.tallies[finding.target].findings += 1
            if self.on_finding:
                self.on_finding(finding, case)

    def _batch(self, hands: Sequence["_Hand"]) -> tuple[Any, ...] | None:
        """Return the next cases of the target that had the least time."""
        at_work = {hand.batch[0] for hand in hands if hand.busy}
        left = [
            name
            for name in self.targets
            if name not in at_work and self._next[name] < self._ends_at(name)
        ]
        if not left:
            return None
        name = min(left, key=lambda name: self.tallies[name].seconds)
        first = self._next[name]
        count = int(min(BATCH, self._ends_at(name) - first))
        return name, self.seed, first, count, self.again and str(self.again)

    def _ends_at(self, name: str) -> float:
        """Return how many cases a target gets: all that were crafted, and so many others."""
        if self.again:
            return 1
        return inf if self.most is None else len(self.targets[name].crafted) + self.most

    def account(self, name: str, first: int, cases: int, seconds: float) -> None:
        """Note how far a target is."""
        self._next[name] = first + cases
        self.tallies[name].cases += cases
        self.tallies[name].seconds += seconds


class _Hand:
    """One worker process, made anew when it dies."""

    def __init__(self, hunt: Hunt, folder: Path) -> None:
        self.hunt, self.folder = hunt, folder
        folder.mkdir()
        self.busy = False
        self.batch: tuple[Any, ...] = ()
        self.heard = self.asked = 0.0
        self._start()

    def _start(self) -> None:
        context = get_context("fork")
        self.number_at = context.Value("q", 0, lock=False)
        self.line: Connection
        self.line, theirs = context.Pipe()
        arguments = (theirs, self.hunt.targets, self.folder, self.number_at)
        self.process = context.Process(target=serve, args=arguments, daemon=True)
        with warnings.catch_warnings():
            # Threads of this process have done their work, which is what the warning is about.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        theirs.close()

    def ask(self, batch: tuple[Any, ...]) -> None:
        """Hand over a batch of cases."""
        if not self.process.is_alive():
            self._start()
        self.batch, self.busy = batch, True
        self.asked = self.heard = time.monotonic()
        self.number_at.value = batch[2]
        self.seen = batch[2]
        self.line.send(batch)

    def listen(self) -> None:
        """Take what the worker has to say, or note that it will say nothing any more."""
        try:
            while self.busy and self.line.poll():
                self._hear(self.line.recv())
        except (EOFError, ConnectionResetError):
            self._died()
        if self.busy and self.number_at.value != self.seen:
            self.seen, self.heard = self.number_at.value, time.monotonic()
        patience = (
            WAITED_TOO_LONG + 3 * self.hunt.targets[self.batch[0]].seconds if self.busy else 0
        )
        if self.busy and time.monotonic() - self.heard > patience:
            self.heard = time.monotonic()
            os.kill(self.process.pid or 0, signal.SIGABRT)

    def end(self) -> None:
        """Let the worker go."""
        self.process.kill()
        self.process.join()

    def _hear(self, said: Any) -> None:
        if said is None:
            self.busy = False
        elif isinstance(said[0], Finding):
            self.hunt.note(*said)
        else:
            self.hunt.account(self.batch[0], self.batch[2], *said)
            self.busy = False

    def _died(self) -> None:
        """Note on which case the worker died, and why; the next one goes on behind it."""
        self.process.join()
        name, seed, first, _, again = self.batch
        # One that has grown too large leaves in peace, and is asked again.
        if self.busy and self.process.exitcode:
            number = self.number_at.value
            dump = (self.folder / TRACE).read_text(errors="replace")
            code = -(self.process.exitcode or 0)
            kind = HANGS.get(signal.Signals(code)) if code > 0 else None
            finding = Finding(name, kind or f"dies by {code}", place_in_dump(dump), dump[:6000])
            target = self.hunt.targets[name]
            self.hunt.note(
                finding, read_case(Path(again)) if again else case_of(target, seed, number)
            )
            self.hunt.account(name, first, number - first + 1, time.monotonic() - self.asked)
        self.busy = False
        self._start()

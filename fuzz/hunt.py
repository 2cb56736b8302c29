"""The master: hands cases to workers, has what they find tried again, and goes on."""

import gc
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import TemporaryDirectory

from fuzz.cases import Batch, Case, Target
from fuzz.hand import LOOK, Done, Hand
from fuzz.verdicts import Finding

BATCH = 500
FLOOR = 60
"""So many changed cases every target gets before time is shared out."""
IN_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a name of our own
OF_THE_MACHINE = ("hang", "waits for ever", "memory", "dies by 9", "left open")
"""What a busy machine, or what earlier cases left in a worker, could be to blame for."""
REPLAYED = 200
"""So many earlier cases of a target are run again before one that alone does nothing."""
Key = tuple[str, str, str]


@dataclass
class Tally:
    """What was done with one target; `once` counts what did not happen again."""

    cases: int = 0
    seconds: float = 0.0
    accepted: int = 0
    refused: int = 0
    findings: int = 0
    once: int = 0


@dataclass
class Hunt:
    """All targets, the limits of the hunt, and what it has found so far."""

    targets: Mapping[str, Target]
    seed: int
    seconds: float
    workers: int = 2
    most: int | None = None
    again: Case | None = None
    on_finding: Callable[[Finding, Case, bool], None] = lambda finding, case, twice: None
    found: dict[Key, tuple[Finding, Case]] = field(default_factory=dict)
    once: dict[Key, tuple[Finding, Case]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    tallies: dict[str, Tally] = field(default_factory=dict)
    repeats: Counter[Key] = field(default_factory=Counter)
    _next: dict[str, int] = field(default_factory=dict)
    _suspected: deque[tuple[Finding, Case, int]] = field(default_factory=deque)

    def run(self) -> None:
        """Hunt until the time is over or every target has had its cases; what runs then ends."""
        self.tallies = {name: Tally() for name in self.targets}
        self._next = dict.fromkeys(self.targets, 0)
        ends = time.monotonic() + self.seconds
        gc.collect()
        gc.freeze()  # what is there stays, and no worker looks through it again and again
        with TemporaryDirectory(prefix="fuzz-", dir=IN_MEMORY) as folder:
            hands = [Hand(self.targets, Path(folder) / str(at)) for at in range(self.workers)]
            while True:
                self._hand_out(hands, over=time.monotonic() > ends)
                busy = [hand for hand in hands if hand.batch]
                if not busy:
                    break
                wait([hand.line for hand in busy], timeout=LOOK)
                for hand in busy:
                    if done := hand.listen():
                        self._account(done)
            for hand in hands:
                hand.end()

    def _hand_out(self, hands: Sequence[Hand], *, over: bool) -> None:
        """Give every idle hand something; what is suspected is tried again by one hand alone."""
        if self._suspected:
            if not any(hand.batch for hand in hands):
                finding, case, after = self._suspected[0]
                first = case.number - after
                again = Batch(finding.target, case.seed, first, after + 1, case)
                hands[0].ask(again, anew=True)
            return
        for hand in hands:
            if not over and not hand.batch and (batch := self._batch(hands)):
                hand.ask(batch)

    def _batch(self, hands: Sequence[Hand]) -> Batch | None:
        """Return the next cases of the target that lacks them most.

        All that was crafted or kept comes first, then what every target gets, then the middle
        between equal time and equally many cases.
        """
        at_work = {hand.batch.target for hand in hands if hand.batch}
        left = {
            name: (self._next[name], self.tallies[name].seconds)
            for name in self.targets
            if name not in at_work and self._next[name] < self._ends_at(name)
        }
        if not left:
            return None
        name = self.order(left)[0]
        first = self._next[name]
        ends = min(self._ends_at(name), self._stage(name, first)[1], first + BATCH)
        return Batch(name, self.seed, first, int(ends - first), self.again)

    def order(self, so_far: Mapping[str, tuple[int, float]]) -> list[str]:
        """Return targets by how much they lack, given how many cases and seconds each had.

        Cases times seconds is kept equal: where a case takes 100 times as long, there are a tenth
        as many of them. Equal time would give the quick ones what they have long been through.
        """

        def has(name: str) -> tuple[int, float]:
            cases, seconds = so_far[name]
            return self._stage(name, cases)[0], cases * seconds

        return sorted(so_far, key=has)

    def _stage(self, name: str, cases: int) -> tuple[int, float]:
        """Return how far a target is, and the number of the first case that is further."""
        crafted = len(self.targets[name].crafted)
        stages = (crafted, crafted + FLOOR, inf)
        return next((at, end) for at, end in enumerate(stages) if cases < end)

    def _ends_at(self, name: str) -> float:
        """Return how many cases a target gets: all that were crafted, and so many others."""
        if self.again:
            return 1
        target = self.targets[name]
        limits = [most for most in (self.most, target.most) if most is not None]
        return len(target.crafted) + min(limits, default=inf)

    def _account(self, done: Done) -> None:
        """Note how far a target is and what was found, or what became of what was suspected."""
        if self._suspected and self._suspected[0][1] is done.batch.again:
            self._confirm(*self._suspected.popleft(), again=done.found)
            return
        tally = self.tallies[done.batch.target]
        self._next[done.batch.target] += done.cases
        tally.cases += done.cases
        tally.seconds += done.seconds
        tally.accepted += done.accepted
        tally.refused += done.refused
        self.faults += done.faults
        for finding, case in done.found:
            self.repeats[finding.key] += 1
            if self.repeats[finding.key] == 1:
                self._suspected.append((finding, case, 0))

    def _confirm(
        self, finding: Finding, case: Case, after: int, *, again: Sequence[tuple[Finding, Case]]
    ) -> None:
        """Keep what happened again; what a busy machine may have done counts only then.

        Before that is said, the case is tried once more after those that came before it.
        """
        of_machine = finding.kind in OF_THE_MACHINE
        if of_machine and not again and not after and case.number and not self.again:
            self._suspected.appendleft((finding, case, min(case.number, REPLAYED)))
            return
        tally = self.tallies[finding.target]
        same = [one for one in again if one[0].kind == finding.kind]
        twice = bool(same if after else again)
        if twice and after:
            # Now another one may be the first with which it happens.
            before = case.number - after
            finding, case = same[0]
            if others := case.number - before:
                finding = replace(finding, kind=f"{finding.kind} after {others} others")
            self.repeats[finding.key] += 1
        if twice or not of_machine:
            self.found[finding.key] = finding, case
            tally.findings += 1
        else:
            # Another case of the same kind may be one that happens again.
            self.once[finding.key] = finding, case
            self.repeats[finding.key] = 0
            tally.once += 1
        self.on_finding(finding, case, twice)

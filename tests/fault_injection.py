"""Work that ends before its k-th step on the disk, for every k: killed, or told that it failed.

It runs in processes that are forked off a small one (`tests/forking.py`), since forking the process
of the tests takes longer than most work. Such work can be pickled: it is a `partial` of a function
that stands in a module. Other work names `off_this_one`.
"""

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tests.forking import DONE, FAILED, KILLED, Fork, Work, off_a_small_one

STEPS = frozenset(
    ("open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.chown", "os.link")
)
"""What Python says to those who audit it before it asks the system to change, or open, a file."""

Ends = Callable[[Work, Path], Iterator[int]]


def kills(work: Work, place: Path, fork: Fork = off_a_small_one) -> Iterator[int]:
    """Run the work in processes of their own, and kill each before a later step in `place`.

    Yields the number of the step each time; the last one is a run that came to its end.
    """
    return _ends(work, place, KILLED, fork)


def failures(work: Work, place: Path, fork: Fork = off_a_small_one) -> Iterator[int]:
    """The same, but a step raises an error, as on a full disk, and the work may clean up."""
    return _ends(work, place, FAILED, fork)


def _ends(work: Work, place: Path, end: int, fork: Fork) -> Iterator[int]:
    for step in range(1, 1000):
        code = stopped(work, place, step, end, fork)
        assert code in (DONE, end), f"step {step} ended with {code}"
        yield step
        if code == DONE:
            assert step > 5, "nothing was seen of the work"
            return
    raise AssertionError("the work has no end")


def stopped(
    work: Work, place: Path, step: int, end: int = KILLED, fork: Fork = off_a_small_one
) -> int:
    """Run the work until before one step, and return how its process ended: DONE, or by `end`.

    A step that fails and is not needed lets the work go on, which is FAILED too.
    """
    return fork(work, partial(before_step, place, step), end)


def before_step(place: Path, step: int, do: Callable[[], object]) -> None:
    """Call `do` before the process takes its k-th step in `place`; this cannot be undone."""
    inside, steps = os.fspath(place), 0

    def audit_hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal steps
        if event in STEPS and any(_is_in(each, inside) for each in arguments[:2]):
            steps += 1
            if steps == step:
                do()

    sys.addaudithook(audit_hook)


def _is_in(argument: Any, place: str) -> bool:
    # Within a folder that is being removed names stand alone.
    return isinstance(argument, str | Path) and (
        str(argument).startswith(place) or not Path(argument).is_absolute()
    )

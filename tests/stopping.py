"""Work that ends before its k-th step on the disk, for every k: killed, or told that it failed."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fairvec.ground import drafts

STEPS = frozenset(
    ("open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.chown", "os.link")
)
"""What Python says to those who audit it before it asks the system to change, or open, a file."""

Work = Callable[[], object]
Ends = Callable[[Work, Path], Iterator[int]]
DONE, FAILED, UNFORESEEN, KILLED = 0, 1, 7, 9


def kills(work: Work, place: Path) -> Iterator[int]:
    """Run the work in processes of their own, and kill each before a later step in `place`.

    Yields the number of the step each time; the last one is a run that came to its end.
    """
    return _ends(work, place, KILLED)


def failures(work: Work, place: Path) -> Iterator[int]:
    """The same, but a step raises an error, as on a full disk, and the work may clean up."""
    return _ends(work, place, FAILED)


def _ends(work: Work, place: Path, end: int) -> Iterator[int]:
    for step in range(1, 1000):
        code = stopped(work, place, step, end)
        assert code in (DONE, end), f"step {step} ended with {code}"
        yield step
        if code == DONE:
            assert step > 5, "nothing was seen of the work"
            return
    raise AssertionError("the work has no end")


def stopped(work: Work, place: Path, step: int, end: int = KILLED) -> int:
    """Run the work until before one step, and return how its process ended: DONE, or by `end`.

    A step that fails and is not needed lets the work go on, which is FAILED too.
    """

    def heard(last: Work) -> None:
        before_step(place, step, last)

    return _ended(work, heard, end)


def killed_before(work: Work, file: Path) -> None:
    """Kill the work before it puts a file in its place."""

    def heard(last: Work) -> None:
        def renaming(event: str, arguments: tuple[Any, ...]) -> None:
            if event == "os.rename" and Path(arguments[1]).resolve() == file.resolve():
                last()

        sys.addaudithook(renaming)

    assert _ended(work, heard, KILLED) == KILLED


def _ended(work: Work, prepare: Callable[[Work], None], end: int) -> int:
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = DONE

    def last() -> None:
        nonlocal code
        code = end
        if end == KILLED:
            os._exit(end)
        raise OSError("no room")

    try:
        drafts._swept.clear()  # a new process has swept nowhere yet
        prepare(last)
        work()
    except BaseException:
        code = code or UNFORESEEN
    finally:
        os._exit(code)


def before_step(place: Path, step: int, do: Callable[[], object]) -> None:
    """Call `do` before the process takes its k-th step in `place`; this cannot be undone."""
    inside, taken = os.fspath(place), 0

    def heard(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal taken
        if event in STEPS and any(_is_in(each, inside) for each in arguments[:2]):
            taken += 1
            if taken == step:
                do()

    sys.addaudithook(heard)


def _is_in(argument: Any, place: str) -> bool:
    # Within a folder that is being removed names stand alone.
    return isinstance(argument, str | Path) and (
        str(argument).startswith(place) or not Path(argument).is_absolute()
    )

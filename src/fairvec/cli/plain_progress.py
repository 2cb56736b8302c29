"""How far long work is where no bar can be drawn: calm, plain lines."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic

from fairvec.ground.text.one_line import JOINERS

FIRST = 10.0
"""Seconds before the first line: what is done sooner needs none."""

PACE, SLOWEST = 10.0, 60.0
"""Seconds between lines: a quarter of what has gone by, within these."""

TICK = 0.5
"""Seconds between two looks at the clock."""


class PlainLines:
    """What a stage of work was at when it last told, and when the next line about it is due."""

    def __init__(self, title: str, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._began = clock, clock()
        self._next = FIRST
        self._told = (0, 0, title)
        self._title = title

    def draw(self, done: int, total: int, what: str = "", /) -> None:
        """Take in how far the work is; a total of 0 is one that is not known."""
        self._told = (done, total, what or self._title)

    def due(self) -> str:
        """Return the line that is due now; nothing if none is."""
        gone = self._clock() - self._began
        if gone < self._next:
            return ""
        self._next = gone + min(max(gone / 4, PACE), SLOWEST)
        done, total, what = self._told
        # Rounded down: 100 % is said of nothing that goes on.
        share = f"{min(100 * done // total, 99):.0f} % " if total > 0 else ""
        return f"{_plain(what)}: {share}after {duration(gone)}"


@contextmanager
def plain_lines(title: str, write: Callable[[str], None]) -> Iterator[PlainLines]:
    """Yield what takes in how far the work is; lines are written beside it, also if it is silent.

    Only the thread writes, so that trouble with the stream never costs the work.
    """
    lines, over = PlainLines(title), Event()
    thread = Thread(target=_tell, args=(lines, over, write), daemon=True, name="progress")
    thread.start()
    try:
        yield lines
    finally:
        over.set()
        thread.join()


def _tell(lines: PlainLines, over: Event, write: Callable[[str], None]) -> None:
    while not over.wait(TICK):
        if line := lines.due():
            try:
                write(line)
            except (OSError, ValueError):  # nobody reads any more
                return


def duration(seconds: float) -> str:
    """Return a time as people say it: 40 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _plain(text: str) -> str:
    """Return the text without anything that steers a terminal or ends a line; joiners stay."""
    return "".join(sign if sign.isprintable() or sign in JOINERS else " " for sign in text)

"""Where words go: answers to standard output, notes, progress and wide tables."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from time import monotonic
from typing import Protocol

from rich.cells import cell_len
from rich.console import (
    Console,
    ConsoleOptions,
    ConsoleRenderable,
    RenderableType,
    RenderHook,
    RenderResult,
)
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from fairvec.cli.startup import WIDEST
from fairvec.core.text import JOINERS, escape_control, json_escape

# Lines that the runner of a pipeline would obey: it reads commands out of what is printed.


RUNNERS = ("CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION")
"""Variables of the environment that say that a pipeline reads what is printed."""

_OBEYED = re.compile(r"^\s*(?:::|##)|##\w*\[")


@dataclass
class CiCommandEscaper:
    """Break up commands such as ::error:: at the start of lines, and ##[error] in them.

    A line may come in pieces; `line` is what came of it so far. The escapes are those of JSON, so
    that a line of JSON keeps its meaning. Where no pipeline reads, a word of colons is shown as it
    is.
    """

    read_by_a_runner: bool = field(
        default_factory=lambda: any(os.environ.get(name) for name in RUNNERS)
    )
    line: str = field(default="", init=False)

    def __call__(self, text: str) -> str:
        """Return the next piece of what is printed, harmless."""
        if not self.read_by_a_runner:
            return text
        return "".join(map(self._piece, text.splitlines(keepends=True)))

    def _piece(self, piece: str) -> str:
        """Break up commands at their last sign, because the first may be printed already."""
        there, self.line = len(self.line), self.line + piece
        for found in reversed([*_OBEYED.finditer(self.line)]):
            if (last := found.end() - 1 - there) >= 0:
                piece = piece[:last] + json_escape(piece[last]) + piece[last + 1 :]
        if piece.endswith("\n"):
            self.line = ""
        return piece


# How far long work is where no bar can be drawn: calm, plain lines.


FIRST = 10.0
"""Seconds before the first line: what is done sooner needs none."""

PACE, SLOWEST = 10.0, 60.0
"""Seconds between lines: a quarter of what has gone by, within these."""

TICK = 0.5
"""Seconds between two looks at the clock."""


class PlainProgress:
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
def plain_lines(title: str, write: Callable[[str], None]) -> Iterator[PlainProgress]:
    """Yield what takes in how far the work is; lines are written beside it, also if it is silent.

    Only the thread writes, so that trouble with the stream never costs the work.
    """
    lines, over = PlainProgress(title), Event()
    thread = Thread(target=_tell, args=(lines, over, write), daemon=True, name="progress")
    thread.start()
    try:
        yield lines
    finally:
        over.set()
        thread.join()


def _tell(lines: PlainProgress, over: Event, write: Callable[[str], None]) -> None:
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


class _Visible:
    """What is to be printed, with the control characters of its text shown and not obeyed."""

    def __init__(self, shown: ConsoleRenderable) -> None:
        self.shown = shown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        harmless = CiCommandEscaper()
        for text, style, control in console.render(self.shown, options):
            yield Segment(text if control else harmless(escape_control(text)), style, control)


class _ShowControls(RenderHook):
    """Names are chosen by strangers, and a terminal obeys what it is sent."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Visible(each) for each in renderables]


class _Answers(Console):
    """Standard output, whose reader (head, less) may have seen enough: that is not an error."""

    def on_broken_pipe(self) -> None:
        """Send what is left nowhere, and leave in peace."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0)


_to_a_person = sys.stdout is not None and sys.stdout.isatty()
# A pipe has no edge: nothing is cut or wrapped when the reader is a program or a file.
# A name in brackets or between colons is a name: rich would take it for a colour or a picture.
out = _Answers(
    highlight=False,
    soft_wrap=True,
    markup=False,
    emoji=False,
    width=None if _to_a_person else WIDEST,
)
err = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)
for _console in (out, err):
    _console.push_render_hook(_ShowControls())


def print_note(*lines: str) -> None:
    """Tell the user something that is not part of the answer; no name or path ends its line."""
    err.print("\n".join(escape_control(line, but="") for line in lines))


def print_answer(text: str) -> None:
    """Print a piece of the answer as it is, with no colour and no wrapping."""
    out.print(text.removesuffix("\n"))


def print_table(renderable: RenderableType) -> None:
    """Print a table of the answer."""
    out.print(renderable)


class ProgressCallback(Protocol):
    """Draw how far the work is, and what it is at."""

    def __call__(self, done: int, total: int, what: str = "", /) -> None:
        """Draw `done` of `total`; a total of 0 is one that is not known."""
        ...


@contextmanager
def progress_bar(title: str) -> Iterator[ProgressCallback]:
    """Yield a function that draws a bar on a terminal; elsewhere long work tells plain lines."""
    if not err.is_terminal:
        with plain_lines(title, print_note) as lines:
            yield lines.draw
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(escape_control(title, but=""), total=None)

        def draw(done: int, total: int, what: str = "", /) -> None:
            named = escape_control(what or title, but="")
            bar.update(task, completed=done, total=total or None, description=named)

        yield draw


# Many rows of words in columns: rich's table is drawn a cell at a time, which takes minutes.


ROWS_AT_A_TIME = 1000
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_BOLD = Style(bold=True)


@dataclass(frozen=True)
class WordColumns:
    """What rich's table without a box prints, at a twentieth of its time where all of it fits.

    A table that is wider than the terminal has to be wrapped, and a control character may end a
    line: there it is rich's table.
    """

    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = [*zip(self.headings, *self.rows, strict=True)]
        widths = [max(map(cell_len, column)) for column in columns]
        fits = sum(widths) + 2 * len(widths) <= options.max_width
        if not fits or any(_CONTROL.search("".join(column)) for column in columns):
            yield self.as_table()
            return
        for heading, width in zip(self.headings, widths, strict=True):
            yield Segment(_padded(heading, width), _BOLD)
        yield Segment.line()
        for some in self._batches():
            lines = ("".join(map(_padded, row, widths)) for row in some)
            yield Segment("".join(f"{line}\n" for line in lines))

    def _batches(self) -> Iterator[Sequence[tuple[str, ...]]]:
        for start in range(0, len(self.rows), ROWS_AT_A_TIME):
            yield self.rows[start : start + ROWS_AT_A_TIME]

    def as_table(self) -> Table:
        """Return the same as rich's own table."""
        table = Table(box=None, header_style="bold")
        for heading in self.headings:
            table.add_column(Text(heading))
        for row in self.rows:
            table.add_row(*map(Text, row))
        return table


def _padded(cell: str, width: int) -> str:
    return f" {cell}{' ' * (width - cell_len(cell))} "

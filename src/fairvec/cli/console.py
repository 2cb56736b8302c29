"""Print to the terminal: answers on standard output, notes and progress on standard error.

Names come from files of strangers, so control characters are escaped, and so are the commands that
the runner of a pipeline reads out of its log.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from time import monotonic
from typing import Protocol

from rich import box
from rich.cells import cell_len
from rich.console import (
    Console,
    ConsoleOptions,
    ConsoleRenderable,
    RenderHook,
    RenderResult,
)
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from fairvec.cli.startup import WIDEST
from fairvec.core import tables
from fairvec.core.format import format_duration
from fairvec.core.text import JOINERS, escape_control, json_escape

RUNNERS = ("CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION")
"""Environment variables that are set where a pipeline reads what is printed."""

_CI_COMMAND = re.compile(r"^\s*(?:::|##)|##\w*\[")


@dataclass
class CiCommandEscaper:
    """Break up commands such as ::error:: at the start of lines, and ##[error] in them.

    A line may come in pieces; `line` is the part of it printed so far. The escapes are those of
    JSON, so that a line of JSON keeps its meaning. Outside a pipeline nothing is escaped.
    """

    in_pipeline: bool = field(default_factory=lambda: any(os.environ.get(name) for name in RUNNERS))
    line: str = field(default="", init=False)

    def __call__(self, text: str) -> str:
        """Return the next piece of text, escaped."""
        if not self.in_pipeline:
            return text
        return "".join(map(self._escape_piece, text.splitlines(keepends=True)))

    def _escape_piece(self, piece: str) -> str:
        """Escape the last character of a command, because the first may be printed already."""
        printed, self.line = len(self.line), self.line + piece
        for command in reversed([*_CI_COMMAND.finditer(self.line)]):
            if (last := command.end() - 1 - printed) >= 0:
                piece = piece[:last] + json_escape(piece[last]) + piece[last + 1 :]
        if piece.endswith("\n"):
            self.line = ""
        return piece


# Progress of long work where no bar can be drawn: a plain line now and then.


FIRST = 10.0
"""Seconds before the first line: shorter work needs none."""

PACE, SLOWEST = 10.0, 60.0
"""Seconds between lines: a quarter of the elapsed time, within these limits."""

TICK = 0.5
"""Seconds between two checks of the clock."""


class PlainProgress:
    """The latest progress of work, and when the next line about it is due.

    Work has steps, each with a total of its own; how long one goes on is reckoned from its pace.
    """

    def __init__(self, title: str, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._began = clock, clock()
        self._next = FIRST
        self._latest = (0, 0, title)
        self._step = (0, self._began)
        self._title = title

    def draw(self, done: int, total: int, what: str = "", /) -> None:
        """Store the progress; a total of 0 is an unknown one."""
        if total != self._latest[1] or done < self._latest[0]:
            self._step = (done, self._clock())
        self._latest = (done, total, what or self._title)

    def due(self) -> str:
        """Return the line that is due now; empty if none is."""
        elapsed = self._clock() - self._began
        if elapsed < self._next:
            return ""
        self._next = elapsed + min(max(elapsed / 4, PACE), SLOWEST)
        done, total, stage = self._latest
        # Rounded down: work that goes on is never at 100 %.
        share = f"{min(100 * done // total, 99):.0f} % " if total > 0 else ""
        return f"{_plain(stage)}: {share}after {format_duration(elapsed)}{self._time_left()}"

    def _time_left(self) -> str:
        (done, total, _), (first, began) = self._latest, self._step
        if not first < done < total:
            return ""
        left = (self._clock() - began) * (total - done) / (done - first)
        return f", this step about {format_duration(left)} more"


@contextmanager
def plain_lines(title: str, write: Callable[[str], None]) -> Iterator[PlainProgress]:
    """Yield an object that stores progress; a thread writes lines of it, also between updates.

    Only that thread writes, so that trouble with the stream never ends the work.
    """
    lines, over = PlainProgress(title), Event()
    thread = Thread(target=_write_when_due, args=(lines, over, write), daemon=True, name="progress")
    thread.start()
    try:
        yield lines
    finally:
        over.set()
        thread.join()


def _write_when_due(lines: PlainProgress, over: Event, write: Callable[[str], None]) -> None:
    while not over.wait(TICK):
        if line := lines.due():
            try:
                write(line)
            except (OSError, ValueError):  # the stream is closed
                return


def _plain(text: str) -> str:
    """Return the text without control characters and ends of lines; joiners stay."""
    return "".join(sign if sign.isprintable() or sign in JOINERS else " " for sign in text)


class _Escaped:
    """A renderable with the control characters of its text escaped."""

    def __init__(self, renderable: ConsoleRenderable) -> None:
        self.renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        harmless = CiCommandEscaper()
        for text, style, control in console.render(self.renderable, options):
            yield Segment(text if control else harmless(escape_control(text)), style, control)


class _EscapeControls(RenderHook):
    """Escape all that a console prints: names are chosen by strangers, and a terminal obeys."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Escaped(each) for each in renderables]


class _Stream(Console):
    """A standard stream, whose reader (head, less) may have seen enough: that is not an error."""

    def on_broken_pipe(self) -> None:
        """Send what is left nowhere, and go on: the exit code says what the command found."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.file.fileno())
        os.close(nowhere)


_to_terminal = sys.stdout is not None and sys.stdout.isatty()
# Nothing is cut or wrapped when the reader is a program or a file.
# No markup and no emoji: a name may have brackets or colons.
out = _Stream(
    highlight=False,
    soft_wrap=True,
    markup=False,
    emoji=False,
    width=None if _to_terminal else WIDEST,
)
err = _Stream(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)
for _console in (out, err):
    _console.push_render_hook(_EscapeControls())


def print_note(*lines: str) -> None:
    """Print lines that are not part of the answer, to standard error."""
    err.print("\n".join(escape_control(line, but="") for line in lines))


def print_answer(text: str) -> None:
    """Print a part of the answer as it is, with no colour and no wrapping."""
    out.print(text.removesuffix("\n"))


def print_for_runner(text: str) -> None:
    """Print commands that the runner of a pipeline is meant to read, with no escape of them."""
    try:
        out.file.write(escape_control(text))
        out.file.flush()
    except BrokenPipeError:
        out.on_broken_pipe()


def print_table(table: tables.Table) -> None:
    """Print a table of the answer; a name that is wider than its column is folded, never cut."""
    out.print(TerminalTable(table))


class ProgressCallback(Protocol):
    """Show the progress of work and its present stage."""

    def __call__(self, done: int, total: int, what: str = "", /) -> None:
        """Show `done` of `total`; a total of 0 is an unknown one."""
        ...


@contextmanager
def progress_bar(title: str) -> Iterator[ProgressCallback]:
    """Yield a function that draws a bar on a terminal and prints plain lines elsewhere."""
    if not err.is_terminal:
        with plain_lines(title, print_note) as lines:
            yield lines.draw
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(escape_control(title, but=""), total=None)

        def draw(done: int, total: int, what: str = "", /) -> None:
            description = escape_control(what or title, but="")
            bar.update(task, completed=done, total=total or None, description=description)

        yield draw


class ReadingProgress:
    """The progress of tests whose encoder reads as they go: one share that never falls.

    How often a test calls its encoder is unknown, so each call fills half of what is left of it.
    """

    def __init__(self, draw: ProgressCallback) -> None:
        self._draw, self._test, self._share = draw, (0, 0, "encoding"), 0.0

    def draw_tests(self, done: int, total: int, what: str = "", /) -> None:
        """Take in how many tests are done, and which one comes next."""
        self._test, self._share = (done, total, what), 0.0
        self._draw(done, total, what)

    def draw_sentences(self, done: int, total: int) -> None:
        """Take in how many sentences of a call to the encoder are read."""
        tests, all_tests, what = self._test
        text = f"{what}, {done:,} of {total:,} sentences"
        if not all_tests:
            self._draw(done, total, text)
            return
        share = self._share + (1 - self._share) / 2 * done / total
        if done == total:
            self._share = share
        self._draw(int(SHARES * (tests + share)), SHARES * all_tests, text)


SHARES = 1000
"""Parts of a test that its progress is counted in."""


# Tables: rich draws them cell by cell, which takes minutes where there are many rows of words.


ROWS_AT_A_TIME = 1000
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_BOLD = Style(bold=True)
_STYLES = {"": "", "strong": "bold", "alarm": "bold red", "faint": "dim"}


@dataclass(frozen=True)
class TerminalTable:
    """What rich prints of a table, in a twentieth of its time where columns of plain text fit.

    A table that is wider than the terminal has to be wrapped, and a control character may end a
    line: then rich's own table is printed.
    """

    table: tables.Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = self._plain_columns()
        widths = [max(map(cell_len, column)) for column in columns]
        fits = columns and sum(widths) + 2 * len(widths) <= options.max_width
        if not fits or any(_CONTROL.search("".join(column)) for column in columns):
            yield to_rich(self.table)
            return
        for column, width in zip(columns, widths, strict=True):
            yield Segment(_pad(column[0], width), _BOLD)
        yield Segment.line()
        for batch in self._batches([*zip(*columns, strict=True)][1:]):
            lines = ("".join(map(_pad, row, widths)) for row in batch)
            yield Segment("".join(f"{line}\n" for line in lines))

    def _plain_columns(self) -> list[tuple[str, ...]]:
        """Return each column with its heading; none where anything but text has to be drawn."""
        table = self.table
        full = all(len(row.cells) == len(table.columns) for row in table.rows)
        plain = all(column == tables.Column(column.heading) for column in table.columns)
        if table.title or table.notes or table.ruled or not (full and plain):
            return []
        columns = [*zip(*(row.cells for row in table.rows), strict=True)] or [()] * len(
            table.columns
        )
        if any(type(cell) is not str for column in columns for cell in column):
            return []
        return [
            (column.heading, *cells) for column, cells in zip(table.columns, columns, strict=True)
        ]

    def _batches(self, rows: Sequence[tuple[str, ...]]) -> Iterator[Sequence[tuple[str, ...]]]:
        for start in range(0, len(rows), ROWS_AT_A_TIME):
            yield rows[start : start + ROWS_AT_A_TIME]


def to_rich(table: tables.Table) -> Table:
    """Return a table as rich's own."""
    drawn = Table(
        box=box.SIMPLE_HEAD if table.ruled else None,
        show_edge=not table.ruled,
        pad_edge=not table.ruled,
        header_style="bold",
        title=Text(table.title) if table.title else None,
        title_justify="left",
        caption="\n".join(table.notes) or None,
        caption_justify="left",
    )
    for column in table.columns:
        drawn.add_column(
            Text(column.heading),
            justify=column.align,
            no_wrap=column.width == "fixed",
            ratio=1 if column.width == "rest" else None,
            overflow="fold",
        )
    for row in table.rows:
        if row.kind == "section" and table.ruled:
            drawn.add_section()
        drawn.add_row(*map(_to_text, row.cells))
    return drawn


def _to_text(cell: tables.Cell) -> Text:
    if isinstance(cell, str):
        return Text(cell)
    if len(cell) == 1:
        return Text(cell[0].text, _STYLES[cell[0].style])
    return Text.assemble(*((span.text, _STYLES[span.style]) for span in cell))


def _pad(cell: str, width: int) -> str:
    return f" {cell}{' ' * (width - cell_len(cell))} "

"""Where words go: answers to standard output, everything else to standard error."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

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

from fairvec.cli.pipelines import LineByLine
from fairvec.cli.plain_progress import plain_lines
from fairvec.cli.terminal_size import WIDEST
from fairvec.ground.text.visible_text import visible


class _Visible:
    """What is to be printed, with the control characters of its text shown and not obeyed."""

    def __init__(self, shown: ConsoleRenderable) -> None:
        self.shown = shown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        harmless = LineByLine()
        for text, style, control in console.render(self.shown, options):
            yield Segment(text if control else harmless(visible(text)), style, control)


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


def say(*lines: str) -> None:
    """Tell the user something that is not part of the answer; no name or path ends its line."""
    err.print("\n".join(visible(line, but="") for line in lines))


def answer(text: str) -> None:
    """Print a piece of the answer as it is, with no colour and no wrapping."""
    out.print(text.removesuffix("\n"))


def lay_out(renderable: RenderableType) -> None:
    """Print a table of the answer."""
    out.print(renderable)


class Draw(Protocol):
    """Draw how far the work is, and what it is at."""

    def __call__(self, done: int, total: int, what: str = "", /) -> None:
        """Draw `done` of `total`; a total of 0 is one that is not known."""
        ...


@contextmanager
def progress_bar(title: str) -> Iterator[Draw]:
    """Yield a function that draws a bar on a terminal; elsewhere long work tells plain lines."""
    if not err.is_terminal:
        with plain_lines(title, say) as lines:
            yield lines.draw
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(visible(title, but=""), total=None)

        def draw(done: int, total: int, what: str = "", /) -> None:
            named = visible(what or title, but="")
            bar.update(task, completed=done, total=total or None, description=named)

        yield draw

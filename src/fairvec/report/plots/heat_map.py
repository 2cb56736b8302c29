"""The heat map: every target word against every attribute, as few bytes as it takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean, pstdev

from markupsafe import Markup

from fairvec.report.plots.labels import text_width
from fairvec.report.plots.svg import element

CELL = 14
"""Pixels of a cell: the height of a line of small letters."""

DEEPEST = 4
"""Colours on either side of the mean."""

STEP = 0.5
"""Deviations of all similarities that one colour spans."""

GAP = 4
SMALL = 0.9
"""Labels are this much smaller than those that `text_width` measures."""


@dataclass(frozen=True)
class Shades:
    """Which colour a similarity has: 0 about the mean, positive above it, negative below."""

    mean: float
    spread: float

    def of(self, value: float) -> int:
        """Return the step of a value; values far out share the deepest one."""
        if self.spread == 0:
            return 0
        steps = round((value - self.mean) / (STEP * self.spread))
        return min(max(steps, -DEEPEST), DEEPEST)

    def begins(self, step: int) -> float:
        """Return the similarity at which a step begins, seen from the mean."""
        inner = step - 0.5 if step > 0 else step + 0.5
        return self.mean + inner * STEP * self.spread


def shades_of(table: Sequence[Sequence[float]]) -> Shades:
    """Return the colours of a table, around its mean."""
    values = [value for row in table for value in row]
    return Shades(fmean(values), pstdev(values))


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    table: Sequence[Sequence[float]],
    *,
    parted: tuple[int, int],
    about: str,
) -> Markup:
    """Draw the table as coloured cells; lines part the first rows and columns from the others.

    Cells of one colour are one path of strokes, a run of neighbours a single stroke: a cell takes
    about six bytes.
    """
    left = SMALL * max(map(text_width, rows)) + GAP
    top = SMALL * max(map(text_width, columns)) + GAP
    wide, high = CELL * len(columns), CELL * len(rows)
    marks = [
        _paths(table, left, top),
        _part(left, left + wide, top + CELL * parted[0], top + CELL * parted[0]),
        _part(left + CELL * parted[1], left + CELL * parted[1], top, top + high),
        element(
            "text",
            *(
                _label(word, x=round(left - GAP), y=round(top + CELL * at + 10.5))
                for at, word in enumerate(rows)
            ),
            class_="end",
        ),
        element(
            "text",
            # Turned as a whole: along the turned axis a column is a line of text.
            *(
                _label(word, x=round(-top + GAP), y=round(left + CELL * at + 10.5))
                for at, word in enumerate(columns)
            ),
            transform="rotate(-90)",
        ),
    ]
    width, height = round(left + wide + 1), round(top + high + 1)
    return element(
        "svg",
        *marks,
        class_="cells",
        width=width,
        height=height,
        viewBox=f"0 0 {width} {height}",
        role="img",
        aria_label=about,
    )


def shade_class(step: int) -> str:
    """Return the style of a step."""
    return f"more-{step}" if step > 0 else f"less-{-step}"


def _paths(table: Sequence[Sequence[float]], left: float, top: float) -> Markup:
    shades = shades_of(table)
    strokes: dict[int, list[str]] = {}
    for y, row in enumerate(table):
        ends: dict[int, int] = {}
        place = 0
        for step, run in groupby(map(shades.of, row)):
            long = len(list(run))
            # From the end of the last stroke of a row it is nearer than from the corner.
            move = f"m{place - ends[step]} 0" if step in ends else f"M{place} {y}"
            strokes.setdefault(step, []).append(f"{move}h{long}")
            place += long
            ends[step] = place
    paths = (
        element("path", class_=shade_class(step), d="".join(some))
        for step, some in sorted(strokes.items())
        if step  # what is about the mean is left as paper
    )
    moved = f"translate({left:g} {top + CELL / 2:g}) scale({CELL})"
    return element("g", *paths, transform=moved)


def _part(x1: float, x2: float, y1: float, y2: float) -> Markup:
    return element("line", class_="zero", x1=x1, x2=x2, y1=y1, y2=y2)


def _label(word: str, *, x: int, y: int) -> Markup:
    return element("tspan", Markup.escape(word), x=x, y=y)

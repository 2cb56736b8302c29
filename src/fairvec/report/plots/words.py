"""Plots of words: the strip plot, ranked words, and the heat map."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import floor
from statistics import fmean, pstdev

from markupsafe import Markup

from fairvec.core.format import format_number, pluralize
from fairvec.messages.figures import outermost_words
from fairvec.report.plots.labels import label, lanes, text_width
from fairvec.report.plots.rows import forest_axis
from fairvec.report.plots.svg import Scale, element, percent, scale_of
from fairvec.results.records import WordScore

Describe = Callable[[WordScore], str]

PHONE, SCREEN = 290.0, 640.0
"""Widths in pixels for which labels are laid out; the style sheet chooses between the two."""
MOST_ON_PHONE, MOST_ON_SCREEN = 12, 8
ROW, STEP = 14, 18


def strip(x: Sequence[WordScore], y: Sequence[WordScore], describe: Describe) -> Markup:
    """Draw X's words in a row above Y's, the step from one mean to the other, and the axis.

    Of a very long list only the outermost words are drawn; the means are those of all.
    """
    return Markup("").join(strip_parts(x, y, describe))


def strip_parts(
    x: Sequence[WordScore], y: Sequence[WordScore], describe: Describe
) -> tuple[Markup, ...]:
    """Draw the parts of a strip, from top to bottom."""
    scale = scale_of([0.0, *(w.score for w in (*x, *y))], ticks=6, whole_steps=False)
    return (
        _row(outermost_words(x), scale, "up", describe),
        _step(x, y, scale),
        _row(outermost_words(y), scale, "down", describe),
        forest_axis(scale),
    )


def _row(words: Sequence[WordScore], scale: Scale, way: str, describe: Describe) -> Markup:
    """Draw one list as dots with their words above (up) or below (down) them."""
    labels = [label(word.word, scale.at(word.score), PHONE) for word in words]
    on_phone = lanes(labels, PHONE, MOST_ON_PHONE)
    on_screen = lanes(labels, SCREEN, MOST_ON_SCREEN)
    places: list[dict[str, str | float]] = [
        {
            "x": percent(label.place),
            "y": ROW / 2,
            "class_": " ".join(
                ["bare-on-phone"] * (phone is None) + ["bare-on-screen"] * (screen is None)
            ),
            "style": f"--phone:{phone or 0};--screen:{screen or 0}",
        }
        for label, phone, screen in zip(labels, on_phone, on_screen, strict=True)
    ]
    # All leaders first, so that none runs over a word.
    leaders = [
        element("svg", element("line", y2=1), **place)
        for place, phone, screen in zip(places, on_phone, on_screen, strict=True)
        if phone or screen
    ]
    dots = [
        element(
            "svg",
            element("title", Markup.escape(describe(word))),
            element("circle", r=4.5),
            element("text", Markup.escape(word.word), text_anchor=label.anchor),
            **place,
        )
        for word, label, place in zip(words, labels, places, strict=True)
    ]
    return element(
        "svg",
        *_zero(scale, ROW),
        *leaders,
        *dots,
        class_=f"words {way}",
        style=f"--phone:{_count(on_phone)};--screen:{_count(on_screen)}",
        width="100%",
        height=ROW,
        aria_hidden="true",
    )


def _step(x: Sequence[WordScore], y: Sequence[WordScore], scale: Scale) -> Markup:
    """Draw the step from Y's mean to X's: over the spread of all words it is the effect."""
    mean_x, mean_y = (fmean(word.score for word in words) for words in (x, y))
    here, there = percent(scale.at(mean_x)), percent(scale.at(mean_y))
    middle = STEP / 2
    return element(
        "svg",
        *_zero(scale, STEP),
        element("line", class_="mean", x1=here, x2=here, y1=0, y2=middle),
        element("line", class_="mean", x1=there, x2=there, y1=middle, y2=STEP),
        element("line", class_="step", x1=there, x2=here, y1=middle, y2=middle),
        class_="track " + ("positive" if mean_x > mean_y else "negative"),
        width="100%",
        height=STEP,
        aria_hidden="true",
    )


def _zero(scale: Scale, height: float) -> list[Markup]:
    place = percent(scale.at(0.0))
    return [element("line", class_="zero", x1=place, x2=place, y2=height)]


def _count(chosen: Sequence[int | None]) -> int:
    return 1 + max((lane for lane in chosen if lane is not None), default=-1)


# Words in order of their numbers: all as a heap of dots, and those at the ends one by one.


HEIGHT, RANKING_ROW = 76.0, 18
"""The heap of all words, and the row of one of them."""
HEAPS = 80
"""How many heaps fit along the axis: dots of neighbouring ones part on a phone."""
DOT = 2.4
MOST_DOTS = 800
"""More words than these are drawn as bars, one a heap."""


def ranking_scale(words: Sequence[WordScore]) -> Scale:
    """Return one axis for the numbers of all words."""
    return scale_of([word.score for word in words], ticks=5, whole_steps=False)


def ranking_heap(
    words: Sequence[WordScore],
    scale: Scale,
    describe: Callable[[WordScore], str],
    *,
    centred: bool,
    about: str,
) -> Markup:
    """Draw a dot for every word, heaped where words have much the same number.

    Of very many words each heap is a bar as high as it has words.
    """
    wide = (scale.high - scale.low) / HEAPS
    heaps = [floor(word.score / wide) for word in words]  # none lies on both sides of 0
    if len(words) > MOST_DOTS:
        marks = _bars(Counter(heaps), wide, scale, centred=centred)
    else:
        marks = _dots(words, heaps, wide, scale, describe, centred=centred)
    return element(
        "svg",
        *_ranking_zero(scale, HEIGHT),
        *marks,
        class_="heap",
        width="100%",
        height=HEIGHT,
        role="img",
        aria_label=about,
    ) + forest_axis(scale)


def _dots(
    words: Sequence[WordScore],
    heaps: Sequence[int],
    wide: float,
    scale: Scale,
    describe: Callable[[WordScore], str],
    *,
    centred: bool,
) -> list[Markup]:
    step = min(2 * DOT, (HEIGHT - 2 * DOT) / max(Counter(heaps).values()))
    risen: Counter[int] = Counter()
    dots = []
    for word, heap in zip(words, heaps, strict=True):
        dots.append(
            element(
                "circle",
                element("title", Markup.escape(describe(word))),
                class_=_way(word.score, centred=centred),
                cx=percent(scale.at((heap + 0.5) * wide)),
                cy=round(HEIGHT - DOT - risen[heap] * step, 1),
                r=DOT,
            )
        )
        risen[heap] += 1
    return dots


def _bars(heaps: Counter[int], wide: float, scale: Scale, *, centred: bool) -> list[Markup]:
    most = max(heaps.values())
    bars = []
    for heap, count in sorted(heaps.items()):
        middle, height = (heap + 0.5) * wide, round((HEIGHT - 1) * count / most, 1)
        ends = " to ".join(format_number(end, 3) for end in (heap * wide, (heap + 1) * wide))
        bars.append(
            element(
                "rect",
                element("title", Markup.escape(f"{pluralize(count, 'word')}: {ends}")),
                class_=_way(middle, centred=centred),
                x=percent(scale.at(heap * wide)),
                y=round(HEIGHT - height, 1),
                width=percent(80 / HEAPS),
                height=height,
            )
        )
    return bars


def ranking_row(score: float, scale: Scale, *, centred: bool) -> Markup:
    """Draw a word's number as a dot, with a line to it from 0 where that is the centre."""
    middle, here = RANKING_ROW / 2, percent(scale.at(score))
    zero = percent(scale.at(0.0))
    stem = element("line", class_="interval", x1=zero, x2=here, y1=middle, y2=middle)
    return element(
        "svg",
        *_ranking_zero(scale, RANKING_ROW),
        *([stem] if centred else []),
        element("circle", class_="dot filled", cx=here, cy=middle, r=3),
        class_=f"track {_way(score, centred=centred)}",
        width="100%",
        height=RANKING_ROW,
        aria_hidden="true",
    )


def _way(score: float, *, centred: bool) -> str:
    """Return the colour of a number: without a centre all have the same."""
    return "even" if not centred or not score else "positive" if score > 0 else "negative"


def _ranking_zero(scale: Scale, height: float) -> list[Markup]:
    if not scale.low <= 0 <= scale.high:
        return []
    place = percent(scale.at(0.0))
    return [element("line", class_="zero", x1=place, x2=place, y2=height)]


# The heat map: every target word against every attribute, as few bytes as it takes.


CELL = 14
"""Pixels of a cell: the height of a line of small letters."""

DEEPEST = 4
"""Colours on either side of the mean."""

HEAT_STEP = 0.5
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
        steps = round((value - self.mean) / (HEAT_STEP * self.spread))
        return min(max(steps, -DEEPEST), DEEPEST)

    def begins(self, step: int) -> float:
        """Return the similarity at which a step begins, seen from the mean."""
        inner = step - 0.5 if step > 0 else step + 0.5
        return self.mean + inner * HEAT_STEP * self.spread


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
            # The heap is rotated, not its words: along the rotated axis a column is a line of text.
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

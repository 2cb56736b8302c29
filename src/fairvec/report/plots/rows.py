"""Plots of rows on one axis: forest, diamond, dumbbell, influence, levels."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from fairvec.core.format import format_number
from fairvec.report.plots.svg import Scale, element, percent, scale_of
from fairvec.results import Interval
from fairvec.results.records import CategoryAnswer, WordScore

HEIGHT = 26


def track(
    *marks: Markup,
    towards: float | None = None,
    title: str | None = None,
    height: float = HEIGHT,
    **attributes: str,
) -> Markup:
    """Return marks as one row, as wide as there is room.

    `towards` is the number whose sign has the colour, and `title` what the row shows in words.
    """
    way = "" if towards is None else " positive" if towards > 0 else " negative"
    head = [] if title is None else [element("title", Markup.escape(title))]
    about = attributes or {"role": "img"}
    return element("svg", *head, *marks, class_=f"track{way}", width="100%", height=height, **about)


def _dot(kind: str, at: float, scale: Scale, *, r: float, height: float = HEIGHT) -> Markup:
    return element("circle", class_=kind, cx=percent(scale.at(at)), cy=height / 2, r=r)


def _reach(kind: str, low: float, high: float, scale: Scale, *, height: float = HEIGHT) -> Markup:
    """Draw a line along the row from one value to another."""
    ends = {"x1": percent(scale.at(low)), "x2": percent(scale.at(high))}
    return element("line", class_=kind, **ends, y1=height / 2, y2=height / 2)


def _upright(kind: str, at: float, scale: Scale, *, height: float = HEIGHT) -> Markup:
    """Draw a line across the row at a value."""
    place = percent(scale.at(at))
    return element("line", class_=kind, x1=place, x2=place, y2=height)


def _filled(evident: bool) -> str:
    return "filled" if evident else "hollow"


def forest_row(
    effect: float,
    interval: Interval | None,
    scale: Scale,
    *,
    significant: bool,
    title: str,
    firm: bool = True,
) -> Markup:
    """Draw an effect as a dot, filled if significant, on the line of its interval.

    Evidence that is not firm is a small dot in a broken ring.
    """
    middle = HEIGHT / 2
    marks = grid(scale)
    if interval:
        ends = {"x1": percent(scale.at(interval.low)), "x2": percent(scale.at(interval.high))}
        marks.append(element("line", class_="interval", y1=middle, y2=middle, **ends))
    filled = ("filled" if firm else "doubtful") if significant else "hollow"
    place: dict[str, str | float] = {"cx": percent(scale.at(effect)), "cy": middle}
    marks.append(element("circle", class_=f"dot {filled}", r=5.5, **place))
    if filled == "doubtful":
        marks.append(element("circle", class_="core", r=2.5, **place))
    return track(*marks, towards=effect, title=title)


def forest_axis(scale: Scale) -> Markup:
    """Draw the numbers above a forest plot's rows."""
    texts = [
        element(
            "text",
            Markup.escape(scale.label(tick)),
            x=percent(scale.at(tick)),
            y=14,
            text_anchor=_anchor(scale, tick),
        )
        for tick in scale.ticks
    ]
    return element("svg", *texts, class_="axis", width="100%", height=20, aria_hidden="true")


def grid(scale: Scale) -> list[Markup]:
    """Draw a thin line through a row at every tick."""
    return [_upright("zero" if abs(tick) < 1e-9 else "grid", tick, scale) for tick in scale.ticks]


def _anchor(scale: Scale, tick: float) -> str:
    """Keep the outermost numbers inside the drawing."""
    place = scale.at(tick)
    return "start" if place < 3 else "end" if place > 97 else "middle"


# The diamond under a forest plot: several tests pooled into one effect.


HALF = 6.5
"""Half the height of a diamond."""


def diamond_row(
    answer: CategoryAnswer | None, effects: Iterable[float], scale: Scale, *, title: str
) -> Markup:
    """Draw a pooled effect as a diamond as wide as its interval, over the dots of its tests.

    It is filled if the category is biased, and a thin line shows where one more test would lie.
    """
    marks = grid(scale)
    if answer:
        if answer.prediction:
            marks.append(_whisker(answer.prediction, scale))
        filled = _filled(answer.verdict.kind == "biased")
        marks.append(_diamond(answer.effect, answer.interval, scale, filled))
    # On top: a wide diamond would hide them.
    marks += [_dot("single", effect, scale, r=2.5) for effect in effects]
    return track(*marks, towards=answer.effect if answer else None, title=title)


def _whisker(prediction: Interval, scale: Scale) -> Markup:
    ends = {"x1": percent(scale.at(prediction.low)), "x2": percent(scale.at(prediction.high))}
    return element("line", class_="prediction", y1=HEIGHT / 2, y2=HEIGHT / 2, **ends)


def _diamond(effect: float, interval: Interval | None, scale: Scale, filled: str) -> Markup:
    """Draw it in a box of its own: the corners of a polygon cannot be percentages."""
    low, high = (interval.low, interval.high) if interval else (effect, effect)
    left, right, at = scale.at(low), scale.at(high), scale.at(effect)
    if right - left < 1:
        left, right = at - 0.8, at + 0.8
    top = round(100 * (at - left) / (right - left), 2)
    corners = f"0,{HALF:g} {top:g},0 100,{HALF:g} {top:g},{2 * HALF:g}"
    return element(
        "svg",
        element("polygon", points=corners),
        class_=f"diamond {filled}",
        x=percent(left),
        y=HEIGHT / 2 - HALF,
        width=percent(round(right - left, 2)),
        height=2 * HALF,
        viewBox=f"0 0 100 {2 * HALF:g}",
        preserveAspectRatio="none",
    )


# The dumbbell: one effect before and after a change, on one shared axis.


def dumbbell(
    before: float,
    after: float,
    scale: Scale,
    *,
    evident_before: bool,
    evident_after: bool,
    title: str,
) -> Markup:
    """Draw the way from a small grey dot to a large one, each filled where there is evidence."""
    return track(
        *grid(scale),
        _reach("interval", before, after, scale),
        _dot(f"was {_filled(evident_before)}", before, scale, r=4),
        _dot(f"dot {_filled(evident_after)}", after, scale, r=5.5),
        towards=after,
        title=title,
    )


# One effect with other words: rows on one axis, each with the effect of all words.


def robustness_row(
    at: float | None,
    ends: tuple[float, float] | None,
    scale: Scale,
    *,
    full_effect: float,
    significant: bool,
    title: str,
) -> Markup:
    """Draw an effect as a dot, filled if significant, on its interval; a range alone is a band.

    The dashed line is the effect with all words: a row that ends left or right of it has moved.
    """
    marks = [*grid(scale), _upright("whole", full_effect, scale)]
    if ends:
        marks.append(_reach("band" if at is None else "interval", *ends, scale))
    if at is not None:
        marks.append(_dot(f"dot {_filled(significant)}", at, scale, r=5))
    leaning = full_effect if at is None else at
    return track(*marks, towards=leaning, title=title, role="img", aria_label=title)


# How far one word alone moves the effect.


INFLUENCE_HEIGHT = 20
NEAR = 25
"""Percent of the width within which two names would touch each other or the edge."""


def influence_scale(effect: float, words: Sequence[WordScore]) -> Scale:
    """Return one axis for the effect with all words and with each word left out."""
    without = [word.without for word in words if word.without is not None]
    return scale_of([0.0, effect, *without], whole_steps=False)


def influence_axis(effect: float, scale: Scale, digits: int = 2) -> Markup:
    """Name the two lines of the rows below: zero, and the effect with all words."""
    zero, here = scale.at(0.0), scale.at(effect)
    names = [(here, f"{format_number(effect, digits)} with all")]
    if abs(zero - here) > NEAR:
        names.append((zero, "0"))
    texts = [
        element(
            "text",
            Markup.escape(name),
            x=percent(place),
            y=14,
            text_anchor="start" if place < NEAR else "end" if place > 100 - NEAR else "middle",
        )
        for place, name in names
    ]
    return element(
        "svg", *texts, class_="axis", width="100%", height=INFLUENCE_HEIGHT, aria_hidden="true"
    )


def influence_row(without: float, effect: float, scale: Scale) -> Markup:
    """Draw the step from the effect with all words to the effect without this one."""
    height = INFLUENCE_HEIGHT
    return track(
        _upright("zero", 0.0, scale, height=height),
        _upright("whole", effect, scale, height=height),
        _reach("interval", effect, without, scale, height=height),
        _dot("dot filled", without, scale, r=4, height=height),
        towards=without,
        height=height,
        aria_hidden="true",
    )


# One level of a factor: a dot for every cell, their mean, and how far words alone reach.


class CellDot(NamedTuple):
    """One cell's effect, and what to say of it."""

    effect: float
    title: str


def level_dots(
    dots: Sequence[CellDot], mean: float, band: tuple[float, float] | None, scale: Scale, title: str
) -> Markup:
    """Draw the mean interval over words as a band, each cell as a dot, and the mean as a line."""
    marks = grid(scale)
    if band:
        low, high = scale.at(band[0]), scale.at(band[1])
        size = {"x": percent(low), "width": percent(round(high - low, 2))}
        marks.append(element("rect", class_="band", y=4, height=HEIGHT - 8, **size))
    for dot in dots:
        place = percent(scale.at(dot.effect))
        label = element("title", Markup.escape(dot.title))
        marks.append(element("circle", label, class_="cell-dot", cx=place, cy=HEIGHT / 2, r=3.6))
    here = percent(scale.at(mean))
    marks.append(element("line", class_="level-mean", x1=here, x2=here, y1=2, y2=HEIGHT - 2))
    return track(*marks, title=title)

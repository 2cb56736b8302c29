"""The diamond under a forest plot: several tests pooled into one effect."""

from collections.abc import Iterable

from markupsafe import Markup

from fairvec.report.plots.forest import HEIGHT, grid
from fairvec.report.plots.scale import Scale
from fairvec.report.plots.svg import element, percent
from fairvec.results import CategoryAnswer, Interval

HALF = 6.5
"""Half the height of a diamond."""


def diamond_row(
    answer: CategoryAnswer | None, effects: Iterable[float], scale: Scale, *, title: str
) -> Markup:
    """Draw a pooled effect as a diamond as wide as its interval, over the dots of its tests.

    It is filled if the category is biased, and a thin line shows where one more test would lie.
    """
    middle = HEIGHT / 2
    marks = [element("title", Markup.escape(title)), *grid(scale)]
    way = ""
    if answer:
        way = "positive" if answer.effect > 0 else "negative"
        if answer.prediction:
            marks.append(_whisker(answer.prediction, scale))
        filled = "filled" if answer.verdict.kind == "biased" else "hollow"
        marks.append(_diamond(answer.effect, answer.interval, scale, filled))
    # On top: a wide diamond would hide them.
    marks += [
        element("circle", class_="single", cx=percent(scale.at(effect)), cy=middle, r=2.5)
        for effect in effects
    ]
    return element(
        "svg", *marks, class_=f"track {way}".strip(), width="100%", height=HEIGHT, role="img"
    )


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

"""The scatter plot of a frontier: information kept to the right, bias left upwards.

Widths are percentages and heights pixels, so that the drawing fits a phone and a screen alike.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from markupsafe import Markup

from fairvec.report.plots.scale import Scale, scale_of
from fairvec.report.plots.svg import element, percent
from fairvec.results import REFERENCE, Point

HEIGHT = 420
FOOT = 24
SHAPE = "circle"

OUTLINES = {
    "circle": "M-5,0a5,5 0 1 0 10,0a5,5 0 1 0 -10,0z",
    "square": "M-4.5,-4.5h9v9h-9z",
    "diamond": "M0,-6.2L6.2,0L0,6.2L-6.2,0z",
    "triangle": "M0,-6L5.8,4.6H-5.8z",
    "pentagon": "M0,-5.8L5.6,-1.8L3.5,4.8H-3.5L-5.6,-1.8z",
    "cross": "M-1.9,-5.5h3.8v3.6h3.6v3.8h-3.6v3.6h-3.8v-3.6h-3.6v-3.8h3.6z",
}
WARNING = "M0,-12L11,8H-11z"


def scatter(
    points: Sequence[Point],
    marks: Mapping[str, tuple[str, str]],
    describe: Callable[[Point], str],
) -> Markup:
    """Draw every point with the mark of its method, larger with its strength.

    The front is a line, the recommended point has a ring, and a point that turns round or makes
    an effect stands in a triangle.
    """
    kept = (point.information_kept for point in points)
    across = scale_of([1.0, min(0.95, *kept)], ticks=5)
    up = scale_of([0.0, *(point.bias_left for point in points)], ticks=5)
    # The front last: what is best is not covered by what is not.
    drawn = sorted(points, key=lambda point: (point.recommended, point.on_front))
    return element(
        "svg",
        *_grid(across, up),
        *_front([point for point in points if point.on_front], across, up),
        *(_mark(point, marks, describe(point), across, up) for point in drawn),
        class_="trade",
        width="100%",
        height=HEIGHT + FOOT,
        role="img",
    )


def mark(shape: str, tone: str, size: float = 1.0) -> Markup:
    """Draw a method's mark alone, for the legend and the tables."""
    shown = element(
        "path", class_=f"mark-of {tone}", d=OUTLINES[shape], transform=f"scale({size:g})"
    )
    return element(
        "svg",
        shown,
        class_="key-mark",
        width=16,
        height=16,
        viewBox="-8 -8 16 16",
        aria_hidden="true",
    )


def _mark(
    point: Point,
    marks: Mapping[str, tuple[str, str]],
    title: str,
    across: Scale,
    up: Scale,
) -> Markup:
    shape, tone = marks.get(point.method, (SHAPE, "tone-0"))
    # Seen by no one, but easier to touch, and where the page puts the text about the point.
    parts = [element("title", Markup.escape(title)), element("circle", class_="hit", r=12)]
    if point.harms:
        parts.append(element("path", class_="warning", d=WARNING))
    if point.recommended:
        parts.append(element("circle", class_="ring", r=13))
    size = 0.6 + 0.6 * point.strength if point.method != REFERENCE else 1.2
    state = "hollow" if point.calibrated or not point.held_out else "filled"
    parts.append(
        element(
            "path",
            class_=f"mark-of {tone} {state}",
            d=OUTLINES[shape],
            transform=f"scale({size:g})",
        )
    )
    # A nested drawing without size of its own stands at a place and lets its marks overflow it.
    return element(
        "svg",
        *parts,
        x=percent(across.at(point.information_kept)),
        y=_y(point.bias_left, up),
        class_="spot",
        tabindex=0,
    )


def _front(points: Sequence[Point], across: Scale, up: Scale) -> list[Markup]:
    """Draw the front as a stair: between two points nothing that was tried is better than both."""
    stairs = sorted(points, key=lambda point: point.information_kept)
    lines = []
    for one, other in pairwise(stairs):
        x = [percent(across.at(each.information_kept)) for each in (one, other)]
        y = [_y(each.bias_left, up) for each in (one, other)]
        lines.append(element("line", class_="front", x1=x[0], x2=x[0], y1=y[0], y2=y[1]))
        lines.append(element("line", class_="front", x1=x[0], x2=x[1], y1=y[1], y2=y[1]))
    return lines


def _grid(across: Scale, up: Scale) -> list[Markup]:
    marks = []
    for tick in up.ticks:
        y = _y(tick, up)
        marks.append(element("line", class_="grid", x1="0%", x2="100%", y1=y, y2=y))
        marks.append(element("text", Markup.escape(up.label(tick)), x=0, y=y - 4))
    for tick in across.ticks:
        x = percent(across.at(tick))
        marks.append(element("line", class_="grid", x1=x, x2=x, y2=HEIGHT))
        anchor = "start" if across.at(tick) < 3 else "end" if across.at(tick) > 97 else "middle"
        text = Markup.escape(f"{100 * tick:.3g} %")
        marks.append(element("text", text, x=x, y=HEIGHT + 16, text_anchor=anchor))
    return marks


def _y(value: float, up: Scale) -> float:
    return round(HEIGHT * (1 - up.at(value) / 100), 1)

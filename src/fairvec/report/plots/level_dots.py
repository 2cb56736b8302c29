"""One level of a factor: a dot for every cell, their mean, and how far words alone reach."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from fairvec.report.plots.forest import grid
from fairvec.report.plots.scale import Scale
from fairvec.report.plots.svg import element, percent

HEIGHT = 26


class CellDot(NamedTuple):
    """One cell's effect, and what to say of it."""

    effect: float
    title: str


def level_dots(
    dots: Sequence[CellDot], mean: float, band: tuple[float, float] | None, scale: Scale, title: str
) -> Markup:
    """Draw the mean interval over words as a band, each cell as a dot, and the mean as a line."""
    middle = HEIGHT / 2
    marks = [element("title", Markup.escape(title)), *grid(scale)]
    if band:
        low, high = scale.at(band[0]), scale.at(band[1])
        size = {"x": percent(low), "width": percent(round(high - low, 2))}
        marks.append(element("rect", class_="band", y=4, height=HEIGHT - 8, **size))
    for dot in dots:
        place = percent(scale.at(dot.effect))
        said = element("title", Markup.escape(dot.title))
        marks.append(element("circle", said, class_="cell-dot", cx=place, cy=middle, r=3.6))
    here = percent(scale.at(mean))
    marks.append(element("line", class_="level-mean", x1=here, x2=here, y1=2, y2=HEIGHT - 2))
    return element("svg", *marks, class_="track", width="100%", height=HEIGHT, role="img")

"""A stacked bar: what each of several sources makes of a whole."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from fairvec.ground.numbers import percent as share_in_words
from fairvec.report.plots.svg import element, percent

HEIGHT = 26
LABELLED = 0.12
"""A narrower part has no room for its number."""


class BarPart(NamedTuple):
    """One source: its name, the class that colours it, and its share."""

    name: str
    tone: str
    share: float


def share_bar(parts: Sequence[BarPart]) -> Markup:
    """Draw the parts from left to right, each as long as its share of their sum."""
    whole = sum(part.share for part in parts)
    drawn, left = [], 0.0
    for part in parts:
        width = 100 * part.share / whole if whole else 0.0
        if width <= 0:
            continue
        said = f"{part.name} {share_in_words(round(part.share, 3))}"
        inside = [
            element("title", Markup.escape(said)),
            element("rect", x=percent(left), width=percent(width), y=3, height=HEIGHT - 6),
        ]
        if width >= 100 * LABELLED:
            number = Markup.escape(f"{100 * part.share:.0f}")
            inside.append(
                element("text", number, x=percent(left + width / 2), y=17, text_anchor="middle")
            )
        drawn.append(element("g", *inside, class_=f"part {part.tone}"))
        left += width
    return element("svg", *drawn, class_="shares", width="100%", height=HEIGHT, role="img")

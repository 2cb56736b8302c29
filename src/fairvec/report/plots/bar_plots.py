"""Bars side by side, and stacked."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from fairvec.core.format import format_percent as share_in_words
from fairvec.report.plots.svg import element, percent
from fairvec.results.records import Component

HEIGHT, ABOVE, BELOW = 200.0, 18.0, 20.0
"""The drawing, and what it leaves for the numbers above the bars and below them."""
WIDE = 0.32
"""A bar's share of the room that each component has."""


def bars(components: Sequence[Component], about: str) -> Markup:
    """Draw each component's share with that of random pairs up to its 97.5 % quantile."""
    room = 100 / len(components)
    tallest = max(max(each.share, each.by_chance_high) for each in components) or 1.0
    ground = HEIGHT - BELOW

    def top(share: float) -> float:
        return round(ground - (ground - ABOVE) * share / tallest, 1)

    def bar(place: float, share: float, kind: str) -> Markup:
        size = {"y": top(share), "height": ground - top(share)}
        return element("rect", class_=kind, x=percent(place), width=percent(WIDE * room), **size)

    groups = []
    for number, each in enumerate(components, 1):
        left = (number - 0.5 - WIDE) * room
        middle, chance = left + WIDE * room, left + 1.5 * WIDE * room
        reach = {"y1": top(each.by_chance), "y2": top(each.by_chance_high)}
        title = (
            f"Component {number}: {share_in_words(each.share)} · random pairs "
            f"{share_in_words(each.by_chance)}, in {share_in_words(0.975)} of draws at most "
            f"{share_in_words(each.by_chance_high)}"
        )
        groups.append(
            element(
                "g",
                element("title", Markup.escape(title)),
                bar(left, each.share, "found"),
                bar(middle, each.by_chance, "chance"),
                element("line", class_="reach", x1=percent(chance), x2=percent(chance), **reach),
                element(
                    "text",
                    Markup.escape(f"{100 * each.share:.0f}"),
                    class_="value",
                    x=percent(left + WIDE * room / 2),
                    y=top(each.share) - 5,
                    text_anchor="middle",
                ),
                element("text", str(number), x=percent(middle), y=HEIGHT - 5, text_anchor="middle"),
            )
        )
    return element(
        "svg",
        element("line", class_="zero", x2="100%", y1=ground, y2=ground),
        *groups,
        class_="bars",
        width="100%",
        height=HEIGHT,
        role="img",
        aria_label=about,
    )


# A stacked bar: the share of each of several sources in a total.


SHARE_HEIGHT = 26
LABELLED = 0.12
"""A narrower part has no room for its number."""


class BarPart(NamedTuple):
    """One source: its name, the class that colours it, and its share."""

    name: str
    tone: str
    share: float


def share_bar(parts: Sequence[BarPart]) -> Markup:
    """Draw the parts from left to right, each as long as its share of their sum."""
    total = sum(part.share for part in parts)
    drawn, left = [], 0.0
    for part in parts:
        width = 100 * part.share / total if total else 0.0
        if width <= 0:
            continue
        title = f"{part.name} {share_in_words(round(part.share, 3))}"
        inside = [
            element("title", Markup.escape(title)),
            element("rect", x=percent(left), width=percent(width), y=3, height=SHARE_HEIGHT - 6),
        ]
        if width >= 100 * LABELLED:
            number = Markup.escape(f"{100 * part.share:.0f}")
            inside.append(
                element("text", number, x=percent(left + width / 2), y=17, text_anchor="middle")
            )
        drawn.append(element("g", *inside, class_=f"part {part.tone}"))
        left += width
    return element("svg", *drawn, class_="shares", width="100%", height=SHARE_HEIGHT, role="img")

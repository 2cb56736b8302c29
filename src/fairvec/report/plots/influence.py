"""How far one word alone moves the effect."""

from collections.abc import Sequence

from markupsafe import Markup

from fairvec.ground.numbers import number
from fairvec.report.plots.scale import Scale, scale_of
from fairvec.report.plots.svg import element, percent
from fairvec.results import WordScore

HEIGHT = 20
NEAR = 25
"""Percent of the width within which two names would touch each other or the edge."""


def influence_scale(effect: float, words: Sequence[WordScore]) -> Scale:
    """Return one axis for the effect with all words and with each word left out."""
    without = [word.without for word in words if word.without is not None]
    return scale_of([0.0, effect, *without], whole_steps=False)


def influence_axis(effect: float, scale: Scale, digits: int = 2) -> Markup:
    """Name the two lines of the rows below: zero, and the effect with all words."""
    zero, here = scale.at(0.0), scale.at(effect)
    names = [(here, f"{number(effect, digits)} with all")]
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
    return element("svg", *texts, class_="axis", width="100%", height=HEIGHT, aria_hidden="true")


def influence_row(without: float, effect: float, scale: Scale) -> Markup:
    """Draw the step from the effect with all words to the effect without this one."""
    middle = HEIGHT / 2
    here, there = percent(scale.at(effect)), percent(scale.at(without))
    zero = percent(scale.at(0.0))
    return element(
        "svg",
        element("line", class_="zero", x1=zero, x2=zero, y2=HEIGHT),
        element("line", class_="whole", x1=here, x2=here, y2=HEIGHT),
        element("line", class_="interval", x1=here, x2=there, y1=middle, y2=middle),
        element("circle", class_="dot filled", cx=there, cy=middle, r=4),
        class_="track " + ("positive" if without > 0 else "negative"),
        width="100%",
        height=HEIGHT,
        aria_hidden="true",
    )

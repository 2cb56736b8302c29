"""Words as a cloud of dots on two axes, each word beside its dot where there is room."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from fairvec.report.plots.beside_dots import Box, beside_dots
from fairvec.report.plots.forest import forest_axis
from fairvec.report.plots.labels import text_width
from fairvec.report.plots.scale import Scale, scale_of
from fairvec.report.plots.svg import element, percent

HEIGHT = 520.0
PHONE, SCREEN = (272.0, 690.0), (640.0, 960.0)
"""Widths between which words are laid out; the style sheet chooses between the two layouts."""


@dataclass(frozen=True)
class Mark:
    """A word at two numbers; `x_after` is where a change took it along the first axis."""

    text: str
    x: float
    y: float
    about: str
    kind: str
    x_after: float | None = None


def cloud(marks: Sequence[Mark], about: str) -> Markup:
    """Draw marks with both axes; the first of them get room for their words first."""
    ends = [mark.x_after for mark in marks if mark.x_after is not None]
    across = scale_of([0.0, *(mark.x for mark in marks), *ends], ticks=6, whole_steps=False)
    upwards = scale_of([0.0, *(mark.y for mark in marks)], ticks=5, whole_steps=False)
    dots = [(across.at(mark.x), _height(mark.y, upwards)) for mark in marks]
    numbers = [(upwards.label(tick), _height(tick, upwards)) for tick in upwards.ticks]
    taken = [Box(0, 0, text_width(text) + 4, y - 14, y) for text, y in numbers]
    words = [mark.text for mark in marks]
    sides = zip(
        *(beside_dots(words, dots, HEIGHT, widths, taken) for widths in (PHONE, SCREEN)),
        strict=True,
    )
    return element(
        "svg",
        *_grid(across, upwards),
        *(element("text", Markup.escape(text), class_="tick", x=2, y=y - 3) for text, y in numbers),
        # All ways first, so that none runs over a word.
        *(_way(mark, across, y) for mark, (_, y) in zip(marks, dots, strict=True)),
        *(
            element(
                "svg",
                element("title", Markup.escape(mark.about)),
                element("circle", r=4.5),
                element("text", Markup.escape(mark.text)),
                x=percent(x),
                y=y,
                class_=f"{mark.kind} phone-{phone or 'bare'} screen-{screen or 'bare'}",
            )
            for mark, (x, y), (phone, screen) in zip(marks, dots, sides, strict=True)
        ),
        class_="cloud",
        width="100%",
        height=HEIGHT,
        role="img",
        aria_label=about,
    ) + forest_axis(across)


def _height(value: float, scale: Scale) -> float:
    return round(HEIGHT * (1 - scale.at(value) / 100), 1)


def _grid(across: Scale, upwards: Scale) -> list[Markup]:
    lines: list[dict[str, str | float]] = [
        {"x1": percent(across.at(tick)), "x2": percent(across.at(tick)), "y2": HEIGHT}
        for tick in across.ticks
    ]
    lines += [
        {"x2": "100%", "y1": _height(tick, upwards), "y2": _height(tick, upwards)}
        for tick in upwards.ticks
    ]
    ticks = [*across.ticks, *upwards.ticks]
    return [
        element("line", class_="zero" if abs(tick) < 1e-9 else "grid", **line)
        for tick, line in zip(ticks, lines, strict=True)
    ]


def _way(mark: Mark, across: Scale, y: float) -> Markup:
    """Draw the way to where a change took a word, which ends in a short upright line."""
    if mark.x_after is None:
        return Markup("")
    here, there = percent(across.at(mark.x)), percent(across.at(mark.x_after))
    return element(
        "g",
        element("line", x1=here, x2=there, y1=y, y2=y),
        element("line", class_="end", x1=there, x2=there, y1=y - 4, y2=y + 4),
        class_=f"way {mark.kind}",
    )

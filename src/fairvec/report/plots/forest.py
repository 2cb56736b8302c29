"""The forest plot: one row an effect, with its interval, on one shared axis."""

from markupsafe import Markup

from fairvec.report.plots.scale import Scale
from fairvec.report.plots.svg import element, percent
from fairvec.results import Interval

HEIGHT = 26


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
    direction = "positive" if effect > 0 else "negative"
    marks = [element("title", Markup.escape(title)), *grid(scale)]
    if interval:
        ends = {"x1": percent(scale.at(interval.low)), "x2": percent(scale.at(interval.high))}
        marks.append(element("line", class_="interval", y1=middle, y2=middle, **ends))
    filled = ("filled" if firm else "doubtful") if significant else "hollow"
    place: dict[str, str | float] = {"cx": percent(scale.at(effect)), "cy": middle}
    marks.append(element("circle", class_=f"dot {filled}", r=5.5, **place))
    if filled == "doubtful":
        marks.append(element("circle", class_="core", r=2.5, **place))
    return element(
        "svg", *marks, class_=f"track {direction}", width="100%", height=HEIGHT, role="img"
    )


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
    return [
        element(
            "line",
            class_="zero" if abs(tick) < 1e-9 else "grid",
            x1=percent(scale.at(tick)),
            x2=percent(scale.at(tick)),
            y2=HEIGHT,
        )
        for tick in scale.ticks
    ]


def _anchor(scale: Scale, tick: float) -> str:
    """Keep the outermost numbers inside the drawing."""
    place = scale.at(tick)
    return "start" if place < 3 else "end" if place > 97 else "middle"

"""The dumbbell: one effect before and after a change, on one shared axis."""

from markupsafe import Markup

from fairvec.report.plots.forest import HEIGHT, grid
from fairvec.report.plots.scale import Scale
from fairvec.report.plots.svg import element, percent


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
    middle = HEIGHT / 2
    was, is_now = (percent(scale.at(value)) for value in (before, after))
    return element(
        "svg",
        element("title", Markup.escape(title)),
        *grid(scale),
        element("line", class_="interval", x1=was, x2=is_now, y1=middle, y2=middle),
        element("circle", class_=f"was {_filled(evident_before)}", cx=was, cy=middle, r=4),
        element("circle", class_=f"dot {_filled(evident_after)}", cx=is_now, cy=middle, r=5.5),
        class_="track " + ("positive" if after > 0 else "negative"),
        width="100%",
        height=HEIGHT,
        role="img",
    )


def _filled(evident: bool) -> str:
    return "filled" if evident else "hollow"

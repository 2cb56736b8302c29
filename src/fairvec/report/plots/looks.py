"""One effect seen with other words: rows on one axis, each beside the effect as it was found."""

from markupsafe import Markup

from fairvec.report.plots.forest import HEIGHT, grid
from fairvec.report.plots.scale import Scale
from fairvec.report.plots.svg import element, percent


def look_row(
    at: float | None,
    ends: tuple[float, float] | None,
    scale: Scale,
    *,
    whole: float,
    significant: bool,
    title: str,
) -> Markup:
    """Draw an effect as a dot, filled if significant, on its interval; a range alone is a band.

    The dashed line is the effect with all words: a row that ends left or right of it has moved.
    """
    middle, here = HEIGHT / 2, percent(scale.at(whole))
    leaning = whole if at is None else at
    marks = [
        element("title", Markup.escape(title)),
        *grid(scale),
        element("line", class_="whole", x1=here, x2=here, y2=HEIGHT),
    ]
    if ends:
        low, high = (percent(scale.at(end)) for end in ends)
        kind = "band" if at is None else "interval"
        marks.append(element("line", class_=kind, x1=low, x2=high, y1=middle, y2=middle))
    if at is not None:
        dot = f"dot {'filled' if significant else 'hollow'}"
        marks.append(element("circle", class_=dot, cx=percent(scale.at(at)), cy=middle, r=5))
    return element(
        "svg",
        *marks,
        class_=f"track {'positive' if leaning > 0 else 'negative'}",
        width="100%",
        height=HEIGHT,
        role="img",
        aria_label=title,
    )

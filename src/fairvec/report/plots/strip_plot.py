"""The strip plot: where each word of the two target lists leans."""

from collections.abc import Callable, Sequence
from statistics import fmean

from markupsafe import Markup

from fairvec.report.plots.forest import forest_axis
from fairvec.report.plots.labels import label, lanes
from fairvec.report.plots.scale import Scale, scale_of
from fairvec.report.plots.svg import element, percent
from fairvec.report.words.shortened import outermost
from fairvec.results import WordScore

Describe = Callable[[WordScore], str]

PHONE, SCREEN = 290.0, 640.0
"""Widths in pixels for which labels are laid out; the style sheet chooses between the two."""
MOST_ON_PHONE, MOST_ON_SCREEN = 12, 8
ROW, STEP = 14, 18


def strip(x: Sequence[WordScore], y: Sequence[WordScore], describe: Describe) -> Markup:
    """Draw X's words in a row above Y's, the step from one mean to the other, and the axis.

    Of a very long list only the outermost words are drawn; the means are those of all.
    """
    return Markup("").join(strip_parts(x, y, describe))


def strip_parts(
    x: Sequence[WordScore], y: Sequence[WordScore], describe: Describe
) -> tuple[Markup, ...]:
    """Draw the parts of a strip, from top to bottom."""
    scale = scale_of([0.0, *(w.score for w in (*x, *y))], ticks=6, whole_steps=False)
    return (
        _row(outermost(x), scale, "up", describe),
        _step(x, y, scale),
        _row(outermost(y), scale, "down", describe),
        forest_axis(scale),
    )


def _row(words: Sequence[WordScore], scale: Scale, way: str, describe: Describe) -> Markup:
    """Draw one list as dots with their words above (up) or below (down) them."""
    labels = [label(word.word, scale.at(word.score), PHONE) for word in words]
    on_phone = lanes(labels, PHONE, MOST_ON_PHONE)
    on_screen = lanes(labels, SCREEN, MOST_ON_SCREEN)
    places: list[dict[str, str | float]] = [
        {
            "x": percent(label.place),
            "y": ROW / 2,
            "class_": " ".join(
                ["bare-on-phone"] * (phone is None) + ["bare-on-screen"] * (screen is None)
            ),
            "style": f"--phone:{phone or 0};--screen:{screen or 0}",
        }
        for label, phone, screen in zip(labels, on_phone, on_screen, strict=True)
    ]
    # All leaders first, so that none runs over a word.
    leaders = [
        element("svg", element("line", y2=1), **place)
        for place, phone, screen in zip(places, on_phone, on_screen, strict=True)
        if phone or screen
    ]
    dots = [
        element(
            "svg",
            element("title", Markup.escape(describe(word))),
            element("circle", r=4.5),
            element("text", Markup.escape(word.word), text_anchor=label.anchor),
            **place,
        )
        for word, label, place in zip(words, labels, places, strict=True)
    ]
    return element(
        "svg",
        *_zero(scale, ROW),
        *leaders,
        *dots,
        class_=f"words {way}",
        style=f"--phone:{_count(on_phone)};--screen:{_count(on_screen)}",
        width="100%",
        height=ROW,
        aria_hidden="true",
    )


def _step(x: Sequence[WordScore], y: Sequence[WordScore], scale: Scale) -> Markup:
    """Draw the step from Y's mean to X's: over the spread of all words it is the effect."""
    mean_x, mean_y = (fmean(word.score for word in words) for words in (x, y))
    here, there = percent(scale.at(mean_x)), percent(scale.at(mean_y))
    middle = STEP / 2
    return element(
        "svg",
        *_zero(scale, STEP),
        element("line", class_="mean", x1=here, x2=here, y1=0, y2=middle),
        element("line", class_="mean", x1=there, x2=there, y1=middle, y2=STEP),
        element("line", class_="step", x1=there, x2=here, y1=middle, y2=middle),
        class_="track " + ("positive" if mean_x > mean_y else "negative"),
        width="100%",
        height=STEP,
        aria_hidden="true",
    )


def _zero(scale: Scale, height: float) -> list[Markup]:
    place = percent(scale.at(0.0))
    return [element("line", class_="zero", x1=place, x2=place, y2=height)]


def _count(chosen: Sequence[int | None]) -> int:
    return 1 + max((lane for lane in chosen if lane is not None), default=-1)

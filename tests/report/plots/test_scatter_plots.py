"""Scatter plots put every point where its numbers say."""

import re
from itertools import combinations, pairwise

import pytest

from fairvec.report.page import environment
from fairvec.report.plots import Mark, cloud
from fairvec.report.plots.scatter_plots import (
    OUTLINES,
    REFERENCE_MARK,
    SHAPES,
    TONES,
    draw_symbol,
    method_symbol,
)
from tests.loops import loop_over
from tests.report.helpers import parsed

# --- cloud ---


MARKS = [
    Mark("<one>", 0.5, 0.2, "about <one>", "listed positive", x_after=0.0),
    Mark("two", -0.5, -0.1, "about two", "neutral negative"),
]


def test_words_are_at_their_numbers() -> None:
    drawing = parsed(cloud(MARKS, "two words"))
    one, two = drawing.findall("svg[@class='cloud']/svg")
    assert one.findtext("title") == "about <one>"
    assert one.findtext("text") == "<one>"
    assert float(one.get("x", "").strip("%")) > 90 > 10 > float(two.get("x", "").strip("%"))
    assert float(one.get("y", "")) < float(two.get("y", ""))
    assert (one.get("class") or "").startswith("listed positive phone-")
    (plot, axis) = drawing.findall("svg")
    assert plot.get("aria-label") == "two words"
    assert "0.0" in [text.text for text in axis.findall("text")]


def test_the_way_of_a_word_ends_where_the_change_took_it() -> None:
    drawing = parsed(cloud(MARKS, ""))
    (way,) = drawing.findall("svg/g")
    line, end = way.findall("line")
    (zero,) = {z.get("x1") for z in drawing.findall("svg/line[@class='zero']")} - {None}
    assert (line.get("x2"), end.get("x1"), end.get("x2")) == (zero, zero, zero)
    assert way.get("class") == "way listed positive"


def test_crowded_words_go_bare_and_keep_their_dots() -> None:
    corners = [Mark("", x, x, "", "neutral") for x in (-1.0, 1.0)]
    crowd = [*corners, *(Mark(str(n), 0.3, 0.3, "", "neutral") for n in range(9))]
    dots = parsed(cloud(crowd, "")).findall("svg[@class='cloud']/svg")
    assert len(dots) == 11
    unlabelled = [dot for dot in dots if "screen-bare" in (dot.get("class") or "")]
    assert len(unlabelled) == 5


# --- methods ---


Colour = tuple[float, float, float]

# Machado, Oliveira & Fernandes 2009, A physiologically-based model for simulation of color vision
# deficiency, IEEE TVCG 15: severity 1.0, on linear RGB.
VISION = {
    "most": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}


def palette(scheme: str) -> tuple[dict[str, Colour], Colour]:
    """The six tones and the paper as the style sheets have them."""
    sheets = "".join(
        environment().get_template(f"{name}.css").render() for name in ("style", "frontier")
    )
    at = 0 if scheme == "light" else 1  # both sheets say the light one first, then the dark one

    def colour(name: str) -> Colour:
        return linear(re.findall(rf"--{name}: #([0-9a-f]{{6}})", sheets)[at])

    names = re.findall(r"\.tone-[1-6] \{ --tone: var\(--(\w+)\)", sheets)
    return {name: colour(name) for name in names}, colour("paper")


def linear(code: str) -> Colour:
    parts = [int(code[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return r, g, b


def luminance(colour: Colour) -> float:
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


def lab(colour: Colour) -> Colour:
    r, g, b = colour
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_sixteen_methods_have_sixteen_shapes_and_none_that_of_the_model_as_it_is() -> None:
    first = [method_symbol(place)[0] for place in range(len(SHAPES))]
    assert len({*first}) == len(first) == 16
    assert REFERENCE_MARK[0] not in first
    assert len({*OUTLINES.values()}) == len(OUTLINES)


def test_marks_do_not_repeat_and_neighbours_differ_in_both() -> None:
    every = [method_symbol(place) for place in range(len(SHAPES) * TONES)]
    assert len({*every}) == len(every)
    for one, other in pairwise(every):
        assert one[0] != other[0]
        assert one[1] != other[1]


@loop_over("shape", OUTLINES)
def test_every_shape_is_closed_and_fits_its_key(shape: str) -> None:
    assert OUTLINES[shape].endswith("z")
    numbers = [abs(float(one)) for one in re.findall(r"-?\d+\.?\d*", OUTLINES[shape])]
    assert max(numbers) <= 12.4  # the longest side; from the middle none is further than 7.1
    assert 'viewBox="-8 -8 16 16"' in draw_symbol(shape, "tone-1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tones_contrast_with_the_background(scheme: str) -> None:
    tones, paper = palette(scheme)
    assert len(tones) == TONES
    for name, tone in tones.items():
        high, low = sorted((luminance(tone), luminance(paper)), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 3, name  # WCAG 2.1, 1.4.11


@pytest.mark.parametrize("eyes", VISION)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tones_are_distinguishable_under_every_colour_vision(scheme: str, eyes: str) -> None:
    tones, _ = palette(scheme)

    def seen(tone: Colour) -> Colour:
        r, g, b = (
            min(max(sum(a * v for a, v in zip(row, tone, strict=True)), 0.0), 1.0)
            for row in VISION[eyes]
        )
        return lab((r, g, b))

    for (one, first), (other, second) in combinations(tones.items(), 2):
        difference = (
            sum((a - b) ** 2 for a, b in zip(seen(first), seen(second), strict=True)) ** 0.5
        )
        assert difference > 25, (one, other, difference)

"""The colours of cells: steps that can be told apart, with letters that can be read on them."""

import re
from itertools import pairwise

import pytest

from fairvec.messages.verdicts import SHADE_BOUNDS
from fairvec.report.page import environment
from tests.report.test_browser import contrast

STEPS = range(1, len(SHADE_BOUNDS) + 2)


def themes() -> dict[str, dict[str, str]]:
    css = environment().get_template("style.css").render()
    parts = {"light": css[css.index(":root {") :], "dark": css[css.index('[data-theme="dark"]') :]}
    return {
        name: dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", part[: part.index("}")]))
        for name, part in parts.items()
    }


def rgb(colour: str) -> str:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    return f"rgb({', '.join(str(int(digits[at : at + 2], 16)) for at in (0, 2, 4))})"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("way", ["positive", "negative", "grey"])
def test_each_step_stands_out_from_the_one_before(theme: str, way: str) -> None:
    colours = themes()[theme]
    ramp = [rgb(colours[f"{way}-{step}"]) for step in STEPS]
    paper = rgb(colours["paper"])
    # Lightness alone tells them apart, so that no eye needs to tell hues.
    assert all(contrast(one, other) > 1.12 for one, other in pairwise(ramp))
    away = [contrast(paper, one) for one in ramp]
    assert away == sorted(away)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("way", ["positive", "negative", "grey"])
def test_letters_are_read_on_every_step(theme: str, way: str) -> None:
    colours = themes()[theme]
    for step in STEPS:
        ink = colours.get(f"on-{step}", colours["on-strong"])
        assert contrast(rgb(ink), rgb(colours[f"{way}-{step}"])) > 4.5, step

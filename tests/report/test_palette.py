"""Colours and the style sheet."""

import re
from itertools import pairwise

import pytest

from fairvec.messages.verdicts import SHADE_BOUNDS
from fairvec.report.page import environment
from fairvec.report.palette import (
    ROOT,
    style_sheet,
    theme,
    theme_variables,
    vertical_margins,
    write_styles,
)
from fairvec.report.pictures import parse_svg
from tests.report.browser import contrast

# --- The colours of cells: steps that can be told apart, with letters that can be read on them


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
def test_each_step_contrasts_with_the_one_before(theme: str, way: str) -> None:
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


# --- What a drawing needs of the style sheet is read as a browser reads it ---


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_are_those_of_the_page(scheme: str) -> None:
    sheet = getattr(style_sheet(), scheme)
    colours = {name.removeprefix("--"): value for name, value in sheet.items() if value[:1] == "#"}
    assert {name: colours[name] for name in themes()[scheme]} == themes()[scheme]
    assert sheet["color-scheme"] == scheme


def styled(markup: str, **colours: str) -> dict[str, str]:
    """The attributes of the innermost element."""
    root = parse_svg(markup)
    write_styles(root, {**style_sheet().light, **colours})
    return dict(list(root.iter())[-1].attrib)


def test_the_weightier_rule_wins_and_the_later_of_two_alike() -> None:
    light = style_sheet().light
    # `.up circle` comes after `.words circle`, and both weigh the same.
    dot = styled('<g class="words up"><circle/></g>')
    assert (dot["fill"], dot["stroke"], dot["stroke-width"]) == (
        light["--ink"],
        light["--paper"],
        "1",
    )
    assert styled('<g class="words down"><circle/></g>')["stroke-width"] == "1.5"
    # A child is no grandchild.
    assert "stroke" in styled('<g class="words"><svg><line/></svg></g>')
    assert "stroke" not in styled('<g class="words"><svg><g><line/></g></svg></g>')


def test_names_are_inherited_and_may_be_given_another_value_below() -> None:
    light = style_sheet().light
    row = '<svg class="track positive"><circle class="dot filled"/></svg>'
    assert styled(row)["fill"] == light["--positive"]
    assert styled(f'<g class="harmless">{row}</g>')["fill"] == light["--ink"]
    assert styled(row.replace("positive", "negative"))["fill"] == light["--negative"]


def test_lanes_are_reckoned_out() -> None:
    inner = '<svg style="--phone:9;--screen:2"><text>w</text></svg>'
    up = f'<svg class="words up" style="--phone:9;--screen:3" height="14">{inner}</svg>'
    assert styled(up)["transform"] == f"translate(0 {-(2 * 15 + 12) + 2})"
    assert vertical_margins(parse_svg(up)) == (3 * 15 + 4, 0.0)
    down = up.replace("words up", "words down")
    assert styled(down)["transform"] == f"translate(0 {2 * 15 + 12 + 6})"
    assert vertical_margins(parse_svg(down)) == (0.0, 3 * 15 + 6)


def test_what_a_wide_screen_hides_is_removed() -> None:
    root = parse_svg('<g><svg class="bare-on-screen"><circle/><text>w</text></svg></g>')
    write_styles(root, style_sheet().light)
    assert [one.tag for one in root.iter()] == ["g", "svg", "circle"]
    root = parse_svg('<g><svg class="bare-on-phone"><circle/><text>w</text></svg></g>')
    write_styles(root, style_sheet().light)
    assert [one.tag for one in root.iter()] == ["g", "svg", "circle", "text"]


def test_a_colour_that_others_choose_stays_a_name_with_the_light_one_behind_it() -> None:
    colours = theme_variables()
    assert colours["--ink"] == f"var(--fairvec-ink, {style_sheet().light['--ink']})"
    dot = styled('<g class="words up"><circle/></g>', **colours)
    assert f"fill:{colours['--ink']}" in dot["style"].split(";")
    assert "fill" not in dot


def test_no_rule_of_the_theme_reaches_out_of_its_root() -> None:
    css = re.sub(r"@media[^{]*\{(.*)\}", r"\1", theme())
    selectors = [one.strip() for head in re.findall(r"([^{}]+)\{", css) for one in head.split(",")]
    assert selectors
    assert all(selector.endswith(f".{ROOT}") for selector in selectors)

"""Plots with a row for each test or word."""

import pytest

from fairvec.report.plots import (
    Scale,
    bars,
    diamond_row,
    dumbbell,
    forest_axis,
    forest_row,
    influence_axis,
    influence_row,
    influence_scale,
    robustness_row,
    scale_of,
)
from fairvec.results import Interval
from fairvec.results.records import CategoryAnswer, Component
from tests.report.helpers import parsed, words
from tests.report.outcomes import TESTS, answer, measured, model

# --- forest ---


AXIS = Scale(-2.0, 2.0, 1.0)
INTERVAL = Interval(
    low=0.5, high=1.5, level=0.95, kind="bootstrap", method="bca", resamples=10, seed=0
)


def test_an_effect_is_inside_its_interval() -> None:
    row = parsed(forest_row(1.0, INTERVAL, AXIS, significant=True, title="<b> & d"))
    assert row.findtext("svg/title") == "<b> & d"
    dot, line = row.find("svg/circle"), row.find("svg/line[@class='interval']")
    assert dot is not None
    assert line is not None
    assert (dot.get("cx"), dot.get("class")) == ("75%", "dot filled")
    assert (line.get("x1"), line.get("x2")) == ("62.5%", "87.5%")
    zero = row.findall("svg/line[@class='zero']")
    assert [mark.get("x1") for mark in zero] == ["50%"]


@pytest.mark.parametrize(("effect", "way"), [(-1.0, "negative"), (1.0, "positive")])
def test_colour_follows_the_sign_and_filling_the_evidence(effect: float, way: str) -> None:
    row = parsed(forest_row(effect, None, AXIS, significant=False, title=""))
    assert row.find(f"svg[@class='track {way}']") is not None
    assert row.find("svg/circle[@class='dot hollow']") is not None
    assert row.find("svg/line[@class='interval']") is None


@pytest.mark.parametrize(("significant", "rings"), [(True, 1), (False, 0)])
def test_evidence_that_is_not_firm_is_a_small_dot_in_a_broken_ring(
    significant: bool, rings: int
) -> None:
    row = parsed(forest_row(1.0, None, AXIS, significant=significant, firm=False, title=""))
    assert len(row.findall("svg/circle[@class='dot doubtful']")) == rings
    assert [dot.get("cx") for dot in row.findall("svg/circle[@class='core']")] == ["75%"] * rings
    assert row.find("svg/circle[@class='dot filled']") is None


def test_the_axis_writes_every_tick() -> None:
    assert [text.text for text in parsed(forest_axis(AXIS)).iter("text")] == [
        "−2",
        "−1",
        "0",
        "1",
        "2",
    ]


# --- diamond ---


def an_answer(effect: float, low: float, high: float, **changes: object) -> CategoryAnswer:
    interval = Interval(low=low, high=high, level=0.95, kind="bootstrap", method="made up")
    own = {"effect": effect, "interval": interval, "prediction": None}
    return answer([measured(model("m"), TESTS[1])]).model_copy(update=own | changes)


def test_a_diamond_is_as_wide_as_its_interval_and_highest_at_its_effect() -> None:
    row = parsed(diamond_row(an_answer(1.0, 0.0, 1.6), [0.5, 2.0], AXIS, title="<b>"))
    assert row.findtext("svg/title") == "<b>"
    box = row.find("svg/svg")
    assert box is not None
    assert (box.get("x"), box.get("width")) == ("50%", "40%")
    assert row.find("svg/svg/polygon") is not None
    corners = (row.find("svg/svg/polygon").get("points") or "").split()  # type: ignore[union-attr]
    assert [corner.split(",")[0] for corner in corners] == ["0", "62.5", "100", "62.5"]
    assert [dot.get("cx") for dot in row.findall("svg/circle")] == ["62.5%", "100%"]
    assert row.find("svg/line[@class='prediction']") is None


def test_one_more_test_would_lie_on_the_thin_line_cut_at_the_axis() -> None:
    ends = Interval(low=-1.0, high=7.0, level=0.95, kind="bootstrap", method="made up")
    row = parsed(diamond_row(an_answer(1.0, 0.0, 1.6, prediction=ends), [], AXIS, title=""))
    line = row.find("svg/line[@class='prediction']")
    assert line is not None
    assert (line.get("x1"), line.get("x2")) == ("25%", "100%")


@pytest.mark.parametrize(("effect", "way"), [(-0.4, "negative"), (0.4, "positive")])
def test_without_an_interval_a_small_one_is_at_the_effect(effect: float, way: str) -> None:
    row = parsed(diamond_row(an_answer(effect, 0, 0, interval=None), [], AXIS, title=""))
    assert row.find(f"svg[@class='track {way}']") is not None
    box = row.find("svg/svg")
    assert box is not None
    assert float((box.get("x") or "")[:-1]) == pytest.approx(AXIS.at(effect) - 0.8)


def test_without_an_answer_there_are_dots_alone() -> None:
    row = parsed(diamond_row(None, [0.0], AXIS, title="t"))
    assert row.find("svg[@class='track']/circle") is not None
    assert row.find("svg/svg") is None


# --- dumbbell ---


def test_a_small_dot_leads_to_a_large_one() -> None:
    row = parsed(
        dumbbell(1.0, -0.5, AXIS, evident_before=True, evident_after=False, title="<b> & d")
    )
    assert row.findtext("svg/title") == "<b> & d"
    was, is_now = row.findall("svg/circle")
    assert (was.get("cx"), was.get("class")) == ("75%", "was filled")
    assert (is_now.get("cx"), is_now.get("class")) == ("37.5%", "dot hollow")
    assert float(was.get("r", 9)) < float(is_now.get("r", 0))
    line = row.find("svg/line[@class='interval']")
    assert line is not None
    assert (line.get("x1"), line.get("x2")) == ("75%", "37.5%")


@pytest.mark.parametrize(("after", "way"), [(-1.0, "negative"), (1.0, "positive")])
def test_colour_follows_where_the_effect_went(after: float, way: str) -> None:
    row = parsed(dumbbell(0.5, after, AXIS, evident_before=True, evident_after=True, title=""))
    assert row.find(f"svg[@class='track {way}']") is not None


# --- influence ---


def test_influence_leads_from_the_full_effect_to_the_rest() -> None:
    scale = influence_scale(1.0, words("x", 0.5, 1.2))
    row = parsed(influence_row(0.5, 1.0, scale))
    line, full, zero = (
        row.find(f"svg/line[@class='{name}']") for name in ("interval", "whole", "zero")
    )
    dot = row.find("svg/circle")
    assert line is not None
    assert full is not None
    assert zero is not None
    assert dot is not None
    assert line.get("x1") == full.get("x1") == f"{scale.at(1.0):g}%"
    assert line.get("x2") == dot.get("cx") == f"{scale.at(0.5):g}%"
    assert zero.get("x1") == f"{scale.at(0.0):g}%"


def test_zero_is_labelled_only_where_there_is_space() -> None:
    def names(effect: float, *without: float) -> list[str | None]:
        scale = influence_scale(effect, words("x", *without))
        return [text.text for text in parsed(influence_axis(effect, scale)).iter("text")]

    assert names(1.0, 0.9, 1.2) == ["1.00 with all", "0"]
    assert names(0.05, -0.4, 0.5) == ["0.05 with all"]


# --- robustness ---


SCALE = scale_of([-2.0, 2.0])


def test_a_dot_lies_at_its_effect_on_its_interval_next_to_the_full_effect() -> None:
    row = parsed(
        robustness_row(0.5, (-0.5, 1.5), SCALE, full_effect=1.0, significant=True, title="a <b>")
    )
    (drawing,) = row
    line, full, dot = (
        row.find(f"svg/*[@class='{name}']") for name in ("interval", "whole", "dot filled")
    )
    assert line is not None
    assert full is not None
    assert dot is not None
    assert (line.get("x1"), line.get("x2")) == ("37.5%", "87.5%")
    assert (dot.get("cx"), full.get("x1"), full.get("x2")) == ("62.5%", "75%", "75%")
    assert (drawing.get("role"), drawing.get("aria-label")) == ("img", "a <b>")
    assert row.findtext("svg/title") == "a <b>"
    assert "positive" in drawing.get("class", "")


def test_a_range_alone_is_a_band_without_a_dot() -> None:
    row = parsed(
        robustness_row(None, (-1.0, 0.0), SCALE, full_effect=-0.5, significant=False, title="t")
    )
    assert row.find("svg/circle") is None
    assert row.find("svg/line[@class='interval']") is None
    band = row.find("svg/line[@class='band']")
    assert band is not None
    assert (band.get("x1"), band.get("x2")) == ("25%", "50%")
    assert "negative" in row[0].get("class", "")


def test_what_is_not_significant_is_hollow() -> None:
    row = parsed(robustness_row(-0.5, None, SCALE, full_effect=1.0, significant=False, title="t"))
    assert row.find("svg/circle[@class='dot hollow']") is not None
    assert "negative" in row[0].get("class", "")


# --- bar plots ---


COMPONENTS = [
    Component(share=0.6, by_chance=0.3, by_chance_high=0.45),
    Component(share=0.0, by_chance=0.2, by_chance_high=0.25),
]


def test_bars_are_as_tall_as_their_shares() -> None:
    drawing = parsed(bars(COMPONENTS, "about"))
    heights = [float(rect.get("height", "")) for rect in drawing.iter("rect")]
    tallest = heights[0]
    assert heights == pytest.approx([tallest, tallest / 2, 0, tallest / 3], abs=0.2)
    kinds = [rect.get("class") for rect in drawing.iter("rect")]
    assert kinds == ["found", "chance"] * 2
    assert [text.text for text in drawing.iter("text")] == ["60", "1", "0", "2"]


def test_the_range_of_chance_is_drawn_and_labelled() -> None:
    first, _ = parsed(bars(COMPONENTS, "about")).findall("svg/g")
    (reach,) = first.findall("line")
    found, chance = first.findall("rect")
    assert float(found.get("y", "")) < float(reach.get("y2", "")) < float(chance.get("y", ""))
    title = (first.findtext("title") or "").replace("\N{NO-BREAK SPACE}", " ")
    assert title == "Component 1: 60 % · random pairs 30 %, in 97.5 % of draws at most 45 %"


def test_chance_may_be_taller() -> None:
    drawing = parsed(bars([Component(share=0.1, by_chance=0.5, by_chance_high=0.9)], ""))
    tops = [float(rect.get("y", "")) for rect in drawing.iter("rect")]
    assert all(top >= 0 for top in tops)

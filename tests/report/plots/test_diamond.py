import pytest

from fairvec.report.plots import Scale, diamond_row
from fairvec.results import CategoryAnswer, Interval
from tests.report.category_answers import answer
from tests.report.lists import TESTS
from tests.report.outcomes import measured, model
from tests.report.plots.drawings import parsed

AXIS = Scale(-2.0, 2.0, 1.0)


def an_answer(effect: float, low: float, high: float, **changes: object) -> CategoryAnswer:
    interval = Interval(low=low, high=high, level=0.95, method="made up")
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
    ends = Interval(low=-1.0, high=7.0, level=0.95, method="made up")
    row = parsed(diamond_row(an_answer(1.0, 0.0, 1.6, prediction=ends), [], AXIS, title=""))
    line = row.find("svg/line[@class='prediction']")
    assert line is not None
    assert (line.get("x1"), line.get("x2")) == ("25%", "100%")


@pytest.mark.parametrize(("effect", "way"), [(-0.4, "negative"), (0.4, "positive")])
def test_without_an_interval_a_small_one_stands_at_the_effect(effect: float, way: str) -> None:
    row = parsed(diamond_row(an_answer(effect, 0, 0, interval=None), [], AXIS, title=""))
    assert row.find(f"svg[@class='track {way}']") is not None
    box = row.find("svg/svg")
    assert box is not None
    assert float((box.get("x") or "")[:-1]) == pytest.approx(AXIS.at(effect) - 0.8)


def test_without_an_answer_there_are_dots_alone() -> None:
    row = parsed(diamond_row(None, [0.0], AXIS, title="t"))
    assert row.find("svg[@class='track']/circle") is not None
    assert row.find("svg/svg") is None

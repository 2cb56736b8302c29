import pytest

from fairvec.report.plots import Scale, forest_axis, forest_row
from fairvec.results import Interval
from tests.report.plots.drawings import parsed

AXIS = Scale(-2.0, 2.0, 1.0)
INTERVAL = Interval(low=0.5, high=1.5, level=0.95, method="bca", resamples=10, seed=0)


def test_an_effect_stands_in_its_interval() -> None:
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

import pytest

from fairvec.report.plots import Scale, dumbbell
from tests.report.plots.drawings import parsed

AXIS = Scale(-2.0, 2.0, 1.0)


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

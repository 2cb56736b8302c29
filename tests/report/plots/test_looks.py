from fairvec.report.plots import robustness_row, scale_of
from tests.report.plots.drawings import parsed

SCALE = scale_of([-2.0, 2.0])


def test_a_dot_lies_at_its_effect_on_its_interval_beside_the_whole() -> None:
    row = parsed(
        robustness_row(0.5, (-0.5, 1.5), SCALE, whole=1.0, significant=True, title="a <b>")
    )
    (drawing,) = row
    line, whole, dot = (
        row.find(f"svg/*[@class='{name}']") for name in ("interval", "whole", "dot filled")
    )
    assert line is not None
    assert whole is not None
    assert dot is not None
    assert (line.get("x1"), line.get("x2")) == ("37.5%", "87.5%")
    assert (dot.get("cx"), whole.get("x1"), whole.get("x2")) == ("62.5%", "75%", "75%")
    assert (drawing.get("role"), drawing.get("aria-label")) == ("img", "a <b>")
    assert row.findtext("svg/title") == "a <b>"
    assert "positive" in drawing.get("class", "")


def test_a_range_alone_is_a_band_without_a_dot() -> None:
    row = parsed(robustness_row(None, (-1.0, 0.0), SCALE, whole=-0.5, significant=False, title="t"))
    assert row.find("svg/circle") is None
    assert row.find("svg/line[@class='interval']") is None
    band = row.find("svg/line[@class='band']")
    assert band is not None
    assert (band.get("x1"), band.get("x2")) == ("25%", "50%")
    assert "negative" in row[0].get("class", "")


def test_what_is_not_significant_is_hollow() -> None:
    row = parsed(robustness_row(-0.5, None, SCALE, whole=1.0, significant=False, title="t"))
    assert row.find("svg/circle[@class='dot hollow']") is not None
    assert "negative" in row[0].get("class", "")

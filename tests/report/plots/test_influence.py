from fairvec.report.plots import influence_axis, influence_row, influence_scale
from tests.report.plots.drawings import parsed, words


def test_influence_leads_from_the_whole_to_the_rest() -> None:
    scale = influence_scale(1.0, words("x", 0.5, 1.2))
    row = parsed(influence_row(0.5, 1.0, scale))
    line, whole, zero = (
        row.find(f"svg/line[@class='{name}']") for name in ("interval", "whole", "zero")
    )
    dot = row.find("svg/circle")
    assert line is not None
    assert whole is not None
    assert zero is not None
    assert dot is not None
    assert line.get("x1") == whole.get("x1") == f"{scale.at(1.0):g}%"
    assert line.get("x2") == dot.get("cx") == f"{scale.at(0.5):g}%"
    assert zero.get("x1") == f"{scale.at(0.0):g}%"


def test_zero_is_named_only_where_there_is_room() -> None:
    def names(effect: float, *without: float) -> list[str | None]:
        scale = influence_scale(effect, words("x", *without))
        return [text.text for text in parsed(influence_axis(effect, scale)).iter("text")]

    assert names(1.0, 0.9, 1.2) == ["1.00 with all", "0"]
    assert names(0.05, -0.4, 0.5) == ["0.05 with all"]

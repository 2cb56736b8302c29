import pytest

from fairvec.report.plots import bars
from fairvec.results import Component
from tests.report.plots.drawings import parsed

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


def test_the_reach_of_chance_is_drawn_and_said() -> None:
    first, _ = parsed(bars(COMPONENTS, "about")).findall("svg/g")
    (reach,) = first.findall("line")
    found, chance = first.findall("rect")
    assert float(found.get("y", "")) < float(reach.get("y2", "")) < float(chance.get("y", ""))
    said = (first.findtext("title") or "").replace("\N{NO-BREAK SPACE}", " ")
    assert said == "Component 1: 60 % · random pairs 30 %, in 97.5 % of draws at most 45 %"


def test_chance_may_be_taller() -> None:
    drawing = parsed(bars([Component(share=0.1, by_chance=0.5, by_chance_high=0.9)], ""))
    tops = [float(rect.get("y", "")) for rect in drawing.iter("rect")]
    assert all(top >= 0 for top in tops)

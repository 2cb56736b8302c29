"""Claims about figures of a text: one made of two cells, and a number of words."""

from pathlib import Path

import pytest

from fairvec.core.format import MINUS
from fairvec.papers import parse_paper, reproduce
from fairvec.papers.claims import parse_claims
from tests.papers.conftest import Make
from tests.papers.grading.test_derived import TOY

CLAIM = """
[[claims]]
id = "twice"
says = "One is twice the other."
where = "section 1"
role = "role"
test = { kind = "threshold", at_least = 2, cells = { table = "text" } }
"""


@pytest.fixture
def model(make_model: Make) -> Path:
    return make_model(["kumar2020/b1", "kumar2020/b2"], dimensions=5)


def test_a_figure_made_of_two_is_held_against_the_limit(model: Path) -> None:
    toy = parse_paper(TOY)
    found = reproduce(toy, {"role": [str(model)]}, claims=parse_claims(CLAIM, toy))
    (answer,) = found.claims
    one, two, made = (line.answers[0].default for line in found.lines)
    assert isinstance(one, float)
    assert isinstance(two, float)
    assert made == pytest.approx(one / two)
    assert answer.grade == ("holds" if one / two >= 2 else "fails")
    assert f"{one / two:.3g}".replace("-", MINUS) in answer.sentence
    assert "no uncertainty is known" in answer.sentence


def test_it_is_not_tried_where_one_of_the_two_is_missing(make_model: Make) -> None:
    toy = parse_paper(TOY)
    half = make_model(["kumar2020/b1"], dimensions=5, name="half")
    (answer,) = reproduce(toy, {"role": [str(half)]}, claims=parse_claims(CLAIM, toy)).claims
    assert answer.grade == "not tried"

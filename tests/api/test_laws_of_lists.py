"""What holds of lists in a call, whatever the words are."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairvec
from fairvec.results import Result
from tests import toys
from tests.api.lists import figures

MODEL = toys.embedding(0.2)
WORDS = [word for words in toys.WORDS.values() for word in words]


@st.composite
def lists(draw: Any) -> dict[str, Any]:
    """Four lists of different words that the toy model has."""
    words = draw(st.permutations(WORDS))
    return {"x": words[:4], "y": words[4:9], "a": words[9:12], "b": words[12:15]}


def effect(given: dict[str, Any]) -> float:
    (found,) = fairvec.audit(MODEL, **given, interval="none")
    assert isinstance(found, Result)
    return found.effect


@settings(max_examples=20)
@given(lists())
def test_exchanged_lists_turn_the_effect(given: dict[str, Any]) -> None:
    turned = given | {"x": given["y"], "y": given["x"]}
    assert effect(turned) == pytest.approx(-effect(given))
    both = turned | {"a": given["b"], "b": given["a"]}
    assert effect(both) == pytest.approx(effect(given))


@settings(max_examples=20)
@given(lists(), st.sampled_from("xyab"))
def test_a_word_that_is_not_there_is_named_and_changes_nothing(
    given: dict[str, Any], role: str
) -> None:
    (was,) = fairvec.audit(MODEL, **given)
    (found,) = fairvec.audit(MODEL, **given | {role: [*given[role], "xyzzyq"]})
    missing = {one.role: [*one.missing] for one in found.coverage}
    assert missing == {each: ["xyzzyq"] if each == role else [] for each in "xyab"}
    assert figures(found) == figures(was)

"""No text, however large or odd, ends in anything but an answer or one sentence."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import ExpressionError, FairvecError
from fairvec.results import Condition, to_row
from tests.results.make import measured, skipped

ROWS = [to_row(measured(effect=-0.8)), to_row(skipped())]
TOO_MUCH = {
    "900 sums": " + ".join(["effect"] * 900) + " > 1",
    "900 signs": "-" * 900 + "effect > 1",
    "900 denials": "not " * 900 + "effect > 1",
    "900 brackets": "abs(" * 900 + "effect" + ")" * 900 + " > 1",
    "90 brackets": "abs(" * 90 + "effect" + ")" * 90 + " > 1",
    "900 lists": "effect in " + "[" * 900 + "]" * 900,
    "400 digits": f"effect > {'9' * 400}",
    "400 digits over rows": f"mean(effect * {'9' * 400}) > 1",
    "5000 digits": f"effect > {'9' * 5000}",
    "much text": f"suite == '{'x' * 20_000}'",
    "a zero byte": "p < 1\0",
    "half a character": "suite == '\udcff'",
    "an infinite number": "effect < 1e999",
    "deep and not allowed": "effect" + ".real" * 900,
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_too_much_is_one_short_sentence(name: str) -> None:
    with pytest.raises(ExpressionError, match="cannot be read") as caught:
        Condition(TOO_MUCH[name])
    assert len(str(caught.value)) < 500
    assert "\n" not in str(caught.value)


def test_many_side_by_side_are_not_deep() -> None:
    asked = Condition(" or ".join(f"test == 'toy/{number}'" for number in range(400)))
    assert not asked(ROWS[0])
    assert Condition(f"test in [{', '.join(['0'] * 2000)}, 'toy/one']")(ROWS[0])
    assert Condition(" + ".join(["1"] * 50) + " == 50")(ROWS[0])


@pytest.mark.parametrize(
    "text",
    [
        "1e300 * 1e300 * effect - 1e300 * 1e300 * effect > 0",
        "not 1e300 * 1e300 - 1e300 * 1e300 > 0",
    ],
)
def test_what_is_no_number_meets_nothing(text: str) -> None:
    assert Condition(text).decided(ROWS[0]) is None


@pytest.mark.parametrize("text", ["max([]) > 1", "min(()) > 1", "abs() > 1", "max() > 1"])
def test_a_function_of_nothing_is_a_sentence(text: str) -> None:
    with pytest.raises(ExpressionError):
        Condition(text).ruling(ROWS)


@pytest.mark.parametrize("text", ["suite == '\\d'", "1 is 1", "suite == 'a\nb'"])
def test_the_parser_does_not_warn(text: str) -> None:
    with suppress(ExpressionError):
        assert not Condition(text)(ROWS[0])


WORDS = """effect p p_holm suite verdict count( mean( max( min( abs( ) [ ] , where= == != < <= > >=
in not and or + - * / ** % 'biased' 'toy' 1 0 0.5 1e300 9e299 None True lambda : ; if else . @ \\ #
" { } := ~ is await yield"""
PIECES = st.sampled_from(["\n", *WORDS.split()])


@given(st.lists(PIECES, max_size=16).map(" ".join) | st.text(max_size=40))
def test_any_text_is_answered_or_refused(text: str) -> None:
    try:
        answers = Condition(text).ruling(ROWS).answers
    except FairvecError:
        return
    assert set(answers) <= {True, False, None}


@pytest.mark.parametrize("text", ["verdict = 'biased'", "p < 0.1 and effect=1", "count(p) = 0"])
def test_one_sign_of_equality_is_told(text: str) -> None:
    with pytest.raises(ExpressionError, match="equal is ==, not ="):
        Condition(text)


@pytest.mark.parametrize("text", ["p < 0.05 and", "count(p < 1, where=p > 0", "test == 'a=b' and"])
def test_other_slips_are_not_taken_for_it(text: str) -> None:
    with pytest.raises(ExpressionError, match="cannot be read") as caught:
        Condition(text)
    assert "equal is" not in str(caught.value)

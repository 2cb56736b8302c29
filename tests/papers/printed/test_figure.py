import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.papers.schema import PrintedFigure, parse_figures


def test_a_cell_is_taken_apart_in_the_order_it_is_printed() -> None:
    d, p = parse_figures("-1.18 (0.99)", ("d", "p"), {})
    assert (d.quantity, d.value, d.decimals, d.text) == ("d", -1.18, 2, "-1.18")
    assert (p.quantity, p.value, p.decimals, p.text) == ("p", 0.99, 2, "0.99")
    p, d = parse_figures("0.0773 0.7423", ("p", "d"), {})
    assert (p.value, d.value, d.decimals) == (0.0773, 0.7423, 4)


def test_text_that_is_no_number_is_kept() -> None:
    assert parse_figures("0.0 -", ("p", "d"), {})[1] == PrintedFigure("d", "-", None, 0)
    (word,) = parse_figures("more than any other", ("text",), {})
    assert (word.text, word.value) == ("more than any other", None)


def test_digits_that_are_not_printed_are_counted() -> None:
    """0.0 from 10,000 splits stands for 0.0000, so 0.04 is not it."""
    assert parse_figures("0.0 1.1", ("p", "d"), {"p": 4})[0].decimals == 4
    (loose,) = parse_figures("0.0", ("p",), {})
    (strict,) = parse_figures("0.0", ("p",), {"p": 4})
    assert loose.matches(0.04, None)
    assert not strict.matches(0.04, None)


@pytest.mark.parametrize("text", ["1.12", "1.12 (0.01) 3", ""])
def test_a_cell_with_too_many_or_too_few_figures_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="should be d and p"):
        parse_figures(text, ("d", "p"), {})


@pytest.mark.parametrize(
    ("ours", "matched"), [(1.1249, True), (1.115, True), (1.1251, False), (-1.12, False)]
)
def test_half_a_unit_of_the_last_digit_is_a_match(ours: float, matched: bool) -> None:
    (figure,) = parse_figures("1.12", ("d",), {})
    assert figure.matches(ours, 1_000) is matched


def test_a_sampled_p_may_be_three_standard_errors_away() -> None:
    (p,) = parse_figures("0.0201", ("p",), {})
    error = (0.021 * 0.979 / 100_000) ** 0.5
    assert p.tolerance(0.021, 100_000) == pytest.approx(0.00005 + 3 * error)
    assert p.matches(0.021, 100_000)
    assert not p.matches(0.022, 100_000)
    assert not p.matches(0.021, None)


def test_what_is_no_number_is_never_matched() -> None:
    assert not PrintedFigure("d", "-", None, 0).matches(0.0, None)


@pytest.mark.parametrize(
    ("text", "value"),
    [("126,065", 126_065), ("1,000.5", 1_000.5), ("126,06", None), ("0,262", None)],
)
def test_commas_part_thousands_and_nothing_else(text: str, value: float | None) -> None:
    (figure,) = parse_figures(text, ("words",), {})
    assert (figure.value, figure.text) == (value, text)


@given(
    st.integers(0, 100),
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(0, 1),
    st.sampled_from([None, 1000]),
)
def test_what_no_number_between_bounds_may_match_none_does(
    hundredths: int, low: float, high: float, share: float, samples: int | None
) -> None:
    low, high = sorted((low, high))
    (p,) = parse_figures(f"{hundredths / 100:.2f}", ("p",), {})
    between = min(high, low + share * (high - low))
    assert p.could_match(low, high, samples) or not p.matches(between, samples)


def test_bounds_far_from_the_printed_p_are_out_of_reach() -> None:
    (p,) = parse_figures("0.02", ("p",), {})
    assert not p.could_match(0.03, 0.04, None)
    assert p.could_match(0.024, 0.04, None)
    assert not PrintedFigure("p", "-", None, 0).could_match(0.0, 1.0, None)

import pytest

from fairvec.papers.schema import is_count, is_exact, rounds_to


@pytest.mark.parametrize(
    ("text", "fewest", "most"),
    [
        ("189,533", 189_533, 189_533),
        ("30.4k", 30_350, 30_450),
        ("0.2M", 150_000, 250_000),
        ("30k", 29_500, 30_500),
    ],
)
def test_a_rounded_count_has_half_a_unit_of_its_last_digit(
    text: str, fewest: int, most: int
) -> None:
    assert rounds_to(fewest, text)
    assert rounds_to(most, text)
    assert not rounds_to(fewest - 1, text)
    assert not rounds_to(most + 1, text)


@pytest.mark.parametrize("text", ["", "many", "189533", "30.4kk", "1,23"])
def test_other_texts_are_no_counts(text: str) -> None:
    assert not is_count(text)
    assert not rounds_to(0, text)


@pytest.mark.parametrize(
    ("text", "exact"),
    [("189,533", True), ("32", True), ("30.4k", False), ("30k", False), ("", False)],
)
def test_only_a_count_to_the_last_word_is_exact(text: str, exact: bool) -> None:
    assert is_exact(text) is exact

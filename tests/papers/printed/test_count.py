import pytest

from fairvec.papers.printed.count import is_count, is_rounded_to


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
    assert is_rounded_to(fewest, text)
    assert is_rounded_to(most, text)
    assert not is_rounded_to(fewest - 1, text)
    assert not is_rounded_to(most + 1, text)


@pytest.mark.parametrize("text", ["", "many", "189533", "30.4kk", "1,23"])
def test_other_texts_are_no_counts(text: str) -> None:
    assert not is_count(text)
    assert not is_rounded_to(0, text)

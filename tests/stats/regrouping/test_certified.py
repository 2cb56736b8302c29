from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.stats.permutation import certified_bounds as certified
from fairvec.stats.permutation import meet_in_the_middle as exact
from fairvec.stats.permutation.subset_sums import TailQuestion, to_integer_grid


@pytest.fixture
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Single subsets lie arbitrarily near a threshold, so no grid is tight for a few words."""
    monkeypatch.setattr(certified, "MOST_CELLS", 2**18)


def question(words: int, size: int, shift: float, tails: str) -> TailQuestion:
    generator = np.random.default_rng(words * 100 + size)
    scores = to_integer_grid(generator.normal(size=words) + shift * (np.arange(words) < size))
    above = int(scores[:size].sum())
    below = 2 * size * int(scores.sum()) // words - above
    if tails == "both":
        return TailQuestion(scores, size, max(above, below), min(above, below))
    return (
        TailQuestion(scores, size, above)
        if tails == "above"
        else TailQuestion(scores, size, None, below)
    )


CASES = [(10, 5), (12, 3), (12, 10), (17, 9), (30, 15), (36, 18), (60, 4), (60, 56), (9, 1)]


@pytest.mark.usefixtures("little_work")
@pytest.mark.parametrize("tails", ["both", "above", "below"])
@pytest.mark.parametrize("shift", [0.2, 1.0, 2.5])
@pytest.mark.parametrize(("words", "size"), CASES)
def test_bounds_contain_the_exact_share(words: int, size: int, shift: float, tails: str) -> None:
    asked = question(words, size, shift, tails)
    low, high = certified.bounds(asked)
    assert low <= exact.count(asked) / asked.subsets <= high


@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("tails", ["both", "above", "below"])
def test_bounds_hold_on_every_grid(step: int, tails: str) -> None:
    for words, size in CASES[:5]:
        scores = np.random.default_rng(words).integers(-50, 50, words)
        asked = TailQuestion(
            scores,
            size,
            above=None if tails == "below" else 20,
            below=None if tails == "above" else -25,
        ).of_the_smaller_side()
        share = exact.count(asked) / asked.subsets
        low, high = certified._bounds_on_grid(asked, step)
        assert low <= share <= high
        if step == 1:
            assert high - low <= 1e-12 * high


def test_bounds_are_tight_where_the_grid_may_be_fine() -> None:
    for words in (40, 64):
        found = certified.bounds(question(words, words // 2, 0.4, "both"))
        assert found.tight
        assert 0 < found.high - found.low <= 0.01 * found.high


def test_a_far_tail_is_bounded_relative_to_itself() -> None:
    scores = to_integer_grid(np.arange(64.0))
    best = int(scores[32:].sum())
    low, high = certified.bounds(TailQuestion(scores, 32, above=best))
    assert low == pytest.approx(1 / comb(64, 32), rel=1e-9)
    assert high == pytest.approx(1 / comb(64, 32), rel=1e-9)


def test_the_work_stays_bounded_when_no_grid_is_tight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certified, "MOST_WORK", 2**12)
    asked = question(36, 18, 1.0, "both")
    found = certified.bounds(asked)
    assert not found.tight
    assert found.low <= exact.count(asked) / asked.subsets <= found.high


def test_too_many_words_for_floats_are_refused() -> None:
    with pytest.raises(SettingError, match="choose the method auto or sampled"):
        certified.bounds(TailQuestion(np.arange(1001), 500, above=0))


@settings(deadline=None)
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=12), st.integers(1, 11), st.data())
def test_small_whole_numbers_are_counted_exactly(
    scores: list[int], size: int, data: st.DataObject
) -> None:
    size = min(size, len(scores) - 1)
    below = data.draw(st.integers(-30, 30))
    asked = TailQuestion(np.array(scores), size, below + data.draw(st.integers(1, 20)), below)
    low, high = certified.bounds(asked)
    share = exact.count(asked) / asked.subsets
    assert (low, high) == pytest.approx((share, share), rel=1e-9)

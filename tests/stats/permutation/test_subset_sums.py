"""Counting subset sums: exactly and within bounds."""

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.stats.permutation import certified_bounds as certified
from fairvec.stats.permutation import meet_in_the_middle as exact
from fairvec.stats.permutation.meet_in_the_middle import PairCounter
from fairvec.stats.permutation.subset_sums import Run, TailQuestion, to_integer_grid
from tests.laws.helpers import examples
from tests.loops import loop_over
from tests.stats.brute_force import subsets_in_tails

# --- subset sums ---


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-9, 1.0, 3e7, 1e308])
def test_scores_keep_their_proportions_on_the_grid(scale: float) -> None:
    scores = np.array([1.0, -0.5, 0.25, 0.0]) * scale
    grid = to_integer_grid(scores)
    assert (grid == np.rint(scores / scale * int(grid[0]))).all()


@pytest.mark.parametrize("words", [2, 50, 5000])
def test_no_sum_of_grid_scores_overflows(words: int) -> None:
    grid = to_integer_grid(np.full(words, 0.999))
    assert words * int(grid.max()) <= 2**60


def test_the_grid_is_about_as_fine_as_the_rounding_of_the_largest_score() -> None:
    scores = np.array([1.0, np.nextafter(1.0, 0.0), *np.zeros(61)])
    assert len(set(to_integer_grid(scores).tolist())) == 3


@pytest.mark.parametrize("size", range(1, 8))
def test_asking_of_the_smaller_side_keeps_the_answer(size: int) -> None:
    question = TailQuestion(np.array([-3, 1, 1, 4, 7, -9, 2, 2]), size, above=5, below=-4)
    asked = question.of_the_smaller_side()
    assert asked.size == min(size, 8 - size)
    counts = [
        subsets_in_tails(q.scores.tolist(), q.size, q.above, q.below) for q in (question, asked)
    ]
    assert counts[0] == counts[1] > 0


@pytest.mark.parametrize("step", [1, 3, 2**40])
def test_lowest_terms_keep_the_answer(step: int) -> None:
    scores = np.array([-3, 1, 1, 4, 7, -9, 2, 2]) * step + 5
    for off in (-step // 2, 0, step // 2):
        question = TailQuestion(scores, 3, above=5 * step + 15 + off, below=15 - 4 * step + off)
        asked = question.in_lowest_terms()
        assert asked.scores.tolist() == [6, 10, 10, 13, 16, 0, 11, 11]
        counts = [
            subsets_in_tails(q.scores.tolist(), q.size, q.above, q.below) for q in (question, asked)
        ]
        assert counts[0] == counts[1] > 0


def test_equal_scores_are_all_zero_in_lowest_terms() -> None:
    asked = TailQuestion(np.full(4, 7), 2, above=14, below=13).in_lowest_terms()
    assert (asked.scores.tolist(), asked.above, asked.below) == ([0] * 4, 0, -1)


def test_tails_are_symmetric_only_when_the_sides_are_equal_and_mirror_each_other() -> None:
    scores = np.array([1, 2, 3, 4])
    assert TailQuestion(scores, 2, above=7, below=3).symmetric
    assert not TailQuestion(scores, 2, above=7, below=2).symmetric
    assert not TailQuestion(scores, 2, above=7).symmetric
    assert not TailQuestion(scores, 1, above=7, below=3).symmetric


# --- meeting ---


sums = st.lists(st.integers(-9, 9), min_size=1, max_size=6).map(sorted)
halves = st.lists(st.tuples(sums, st.integers(-5, 5)), min_size=1, max_size=4)
Lists = list[tuple[list[int], int]]


def runs_of(half: Lists) -> list[Run]:
    return [Run(np.array(listed), added) for listed, added in half]


@examples(200)
@given(halves, halves, st.integers(-30, 30), st.integers(-15, 15))
def test_pairs_are_counted_and_the_shorter_tail_is_looked_up(
    first: Lists, second: Lists, limit: int, border: int
) -> None:
    """Wherever the border lies; each sum of a tail is looked up in all runs of the other half."""
    some, others = (
        [each + added for listed, added in half for each in listed] for half in (first, second)
    )
    meeting = PairCounter(runs_of(first), runs_of(second), limit, border)
    expected = sum(one + other < limit for one, other in product(some, others))
    assert meeting.looked_up() == expected
    assert meeting.merged() == expected
    below = sum(each < border for each in some), sum(each < limit - border for each in others)
    beyond = len(some) - below[0], len(others) - below[1]
    in_tails = min(below, beyond, key=sum)
    assert meeting.look_ups == in_tails[0] * len(second) + in_tails[1] * len(first)


# --- exact ---


SIZES = [(words, size) for words in range(2, 12) for size in range(1, words)]


@loop_over(("words", "size"), SIZES)
@loop_over(("above", "below"), [(4, None), (None, -2), (3, -5), (-2, -3)])
def test_counts_equal_those_of_trying_every_subset(
    words: int, size: int, above: int | None, below: int | None
) -> None:
    scores = np.random.default_rng(words * size).integers(-4, 5, words)
    question = TailQuestion(scores, size, above, below)
    assert exact.count(question) == subsets_in_tails(scores.tolist(), size, above, below)


@pytest.mark.parametrize("words", [2, 4, 8, 10])
def test_symmetric_tails_are_counted_once_and_doubled(words: int) -> None:
    scores = np.random.default_rng(words).integers(-9, 10, words)
    above = int(scores.sum()) // 2 + 2
    question = TailQuestion(scores, words // 2, above, int(scores.sum()) - above)
    assert question.symmetric
    expected = subsets_in_tails(scores.tolist(), question.size, question.above, question.below)
    assert exact.count(question) == expected


@pytest.mark.parametrize(
    ("words", "size", "affordable"),
    [(50, 25, True), (51, 25, False), (64, 32, False), (65, 5, True), (65, 60, True)],
)
def test_exactness_is_decided_by_cost(words: int, size: int, affordable: bool) -> None:
    question = TailQuestion(np.arange(words), size, above=0)
    assert exact.affordable(question) is affordable
    if not affordable:
        with pytest.raises(SettingError, match="choose the method auto or certified"):
            exact.count(question)


# --- certified bounds ---


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
@loop_over("tails", ["both", "above", "below"])
@loop_over("shift", [0.2, 1.0, 2.5])
@loop_over(("words", "size"), CASES)
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

"""The two-sample permutation test, sampling, and multiple testing."""

from fractions import Fraction
from math import comb, log10, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import chisquare

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.stats import (
    PValue,
    Sides,
    Ties,
    benjamini_hochberg,
    holm,
    permutation_test,
    smallest_attainable_p,
)
from fairvec.stats.permutation import meet_in_the_middle as exact
from fairvec.stats.permutation import two_sample as sampled
from fairvec.stats.permutation.subset_sums import TailQuestion
from tests.loops import loop_over
from tests.stats.brute_force import permutation_p

# --- permutation ---


SIZES = [(1, 1), (1, 2), (1, 5), (2, 2), (2, 3), (3, 3), (5, 2), (4, 4), (3, 6), (5, 5)]
SIDES: tuple[Sides, ...] = ("two", "greater", "less")
TIES: tuple[Ties, ...] = (">=", ">")


def drawn(kind: str, nx: int, ny: int) -> tuple[list[Fraction], list[Fraction]]:
    generator = np.random.default_rng(10 * nx + ny)
    if kind == "continuous":
        values = [Fraction(v) for v in generator.normal(size=nx + ny).tolist()]
    elif kind == "few values":
        values = [Fraction(v) for v in generator.integers(-1, 2, nx + ny).tolist()]
    else:
        # Tenths tie in truth, but their floats do not add up: 0.1 + 0.2 > 0.3.
        values = [Fraction(v, 10) for v in generator.integers(-5, 6, nx + ny).tolist()]
    if len(set(values)) == 1:
        values[0] += 1
    return values[:nx], values[nx:]


@loop_over("ties", TIES)
@loop_over("sides", SIDES)
@loop_over("kind", ["continuous", "few values", "tenths"])
@loop_over(("nx", "ny"), SIZES)
def test_p_equals_that_of_trying_every_split(
    nx: int, ny: int, kind: str, sides: Sides, ties: Ties
) -> None:
    x, y = drawn(kind, nx, ny)
    p = permutation_test(
        np.array(x, np.float64), np.array(y, np.float64), sides=sides, ties=ties, method="exact"
    )
    assert p.value == p.low == p.high == float(permutation_p(x, y, sides, ties))
    assert p.partitions == comb(nx + ny, nx)


@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize(("nx", "ny"), [(5, 5), (4, 7)])
def test_one_sided_p_agrees_with_scipy(nx: int, ny: int, alternative: Any) -> None:
    generator = np.random.default_rng(nx)
    x, y = generator.normal(0.5, size=nx), generator.normal(size=ny)
    peer = stats.permutation_test(
        (x, y),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        vectorized=True,
        n_resamples=10_000,
        alternative=alternative,
    )
    assert permutation_test(x, y, sides=alternative).value == pytest.approx(peer.pvalue, rel=1e-12)


@pytest.mark.parametrize(("nx", "ny"), [(8, 8), (15, 12), (25, 25), (5, 60)])
def test_ranks_give_the_exact_rank_sum_test(nx: int, ny: int) -> None:
    ranks = np.random.default_rng(nx).permutation(nx + ny).astype(np.float64)
    x, y = ranks[:nx], ranks[nx:]
    peer = stats.mannwhitneyu(x, y, alternative="two-sided", method="exact")
    p = permutation_test(x, y)
    assert p.method == "exact"
    assert p.value == pytest.approx(peer.pvalue, rel=1e-12)


@pytest.mark.parametrize("shift", [0, 6, 30])
def test_ranks_beyond_the_exact_limit_are_bounded_by_the_rank_sum_test(shift: int) -> None:
    x, y = np.arange(32.0) + shift + 0.5, np.arange(32.0)
    ranks = np.asarray(stats.rankdata([*x, *y]), np.float64)
    p = permutation_test(ranks[:32], ranks[32:])
    peer = stats.mannwhitneyu(ranks[:32], ranks[32:], method="exact")
    assert p.method == "certified"
    assert p.low * (1 - 1e-12) <= peer.pvalue <= p.high == p.value
    assert p.high - p.low <= 0.01 * p.high


def test_auto_samples_where_bounds_stay_wide() -> None:
    generator = np.random.default_rng(0)
    x, y = generator.normal(0.1, size=505), generator.normal(size=505)
    p = permutation_test(x, y, samples=4000, seed=3)
    assert (p.method, p.samples, p.seed) == ("sampled", 4000, 3)
    assert p.standard_error == pytest.approx(sqrt(p.value * (1 - p.value) / 4000))
    assert p == permutation_test(x, y, samples=4000, seed=3)
    normal = stats.ttest_ind(x, y).pvalue
    assert p.low < normal < p.high


@pytest.mark.parametrize("sides", SIDES)
@pytest.mark.parametrize("ties", TIES)
def test_the_three_methods_agree(sides: Sides, ties: Ties) -> None:
    generator = np.random.default_rng(8)
    x, y = generator.normal(0.4, size=9), generator.normal(size=12)

    def by(method: Any) -> PValue:
        return permutation_test(x, y, sides=sides, ties=ties, method=method, samples=20_000)

    exact = by("exact").value
    assert by("certified").low <= exact <= by("certified").high
    assert by("sampled").low < exact < by("sampled").high


@loop_over("sides", SIDES)
@loop_over(("nx", "ny"), [(1, 1), (2, 2), (4, 4), (1, 4), (3, 5), (6, 2)])
def test_the_smallest_attainable_p_is_attained(nx: int, ny: int, sides: Sides) -> None:
    # Powers of two make every sum different, so that only forced ties remain.
    scores = np.exp2(np.arange(nx + ny, dtype=np.float64))
    extremes = [(scores[-nx:], scores[:-nx]), (scores[:nx], scores[nx:])]
    p = min(permutation_test(x, y, sides=sides).value for x, y in extremes)
    assert p == smallest_attainable_p(nx, ny, sides=sides)
    strict = min(permutation_test(x, y, sides=sides, ties=">").value for x, y in extremes)
    assert strict == smallest_attainable_p(nx, ny, sides=sides, ties=">") == 0


def test_no_p_lies_below_the_smallest_attainable() -> None:
    for seed in range(50):
        x, y = np.random.default_rng(seed).normal(size=(2, 3))
        for sides in SIDES:
            p = permutation_test(x, y, sides=sides)
            assert p.value >= p.smallest > 0


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("noise", [0.0, 1e-16])
def test_constant_scores_give_one(ties: Ties, noise: float) -> None:
    x, y = np.full(5, 0.3) + noise * np.arange(5), np.full(4, 0.3)
    assert permutation_test(x, y, ties=ties).value == 1
    assert permutation_test(np.zeros(3), np.zeros(3), ties=ties, method="sampled").value == 1


def test_equal_means_give_one() -> None:
    assert permutation_test(np.array([1.0, 4.0]), np.array([2.0, 3.0])).value == 1


def test_huge_and_tiny_scores_are_no_trouble() -> None:
    x, y = np.array([3.0, 1.0, 4.0]), np.array([1.5, 9.0, 2.6])
    p = permutation_test(x, y).value
    assert permutation_test(x * 1e307, y * 1e307).value == p
    assert permutation_test(x * 2.0**-1060, y * 2.0**-1060).value == p


def test_many_words_do_not_overflow() -> None:
    generator = np.random.default_rng(1)
    p = permutation_test(generator.normal(size=600), generator.normal(size=700), samples=200)
    assert p.log10_partitions == pytest.approx(log10(comb(1300, 600)))
    assert p.smallest == 0  # smaller than the smallest float


@pytest.mark.parametrize("bad", [[], [np.nan, 1.0], [np.inf], [[1.0, 2.0]]])
def test_scores_without_meaning_are_refused(bad: list[Any]) -> None:
    good = np.array([1.0, 2.0])
    for x, y in ((np.array(bad), good), (good, np.array(bad))):
        with pytest.raises(SettingError, match="non-empty lists of finite scores"):
            permutation_test(x, y)


@pytest.mark.parametrize("setting", [{"sides": "both"}, {"ties": "="}, {"method": "exakt"}])
def test_unknown_settings_are_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(UnknownNameError):
        permutation_test(np.ones(2), np.zeros(2), **setting)


def test_an_exact_p_beyond_the_limit_is_refused_when_insisted_on() -> None:
    with pytest.raises(SettingError, match="32 of 64 words"):
        permutation_test(np.arange(32.0), np.zeros(32), method="exact")


@pytest.mark.parametrize("method", ["exact", "certified", "sampled"])
def test_every_method_says_which_it_is_and_encloses_its_p(method: Any) -> None:
    p = permutation_test(np.arange(5.0), np.arange(3.0), method=method, samples=100)
    assert p.method == method
    assert p.low <= p.value <= p.high


def test_a_sampled_p_is_no_smaller_than_any_that_these_lists_can_give() -> None:
    """Of 20 splits two are as extreme; of some hundred draws fewer than a tenth may be."""
    x, y = np.array([7.0, 8.0, 9.0]), np.array([1.0, 2.0, 3.0])
    found = [permutation_test(x, y, method="sampled", samples=200, seed=n) for n in range(40)]
    assert len({p.value for p in found}) > 5
    assert all(p.low <= p.smallest == 0.1 <= p.value <= p.high for p in found)


# --- sampled ---


SCORES = np.random.default_rng(3).integers(-100, 100, 20)


@pytest.mark.parametrize(
    ("size", "above", "below"), [(10, 150, -90), (4, 100, None), (15, None, -250)]
)
def test_the_share_is_within_five_standard_errors(
    size: int, above: int | None, below: int | None
) -> None:
    question = TailQuestion(SCORES, size, above, below)
    share = exact.count(question) / question.subsets
    assert 0.02 < share < 0.98
    found = sampled.count(question, 20_000, seed=0) / 20_000
    assert abs(found - share) < 5 * np.sqrt(share * (1 - share) / 20_000)


def test_draws_are_without_replacement() -> None:
    # All but one of the scores always leave out exactly one of them.
    question = TailQuestion(np.array([1, 10, 100, 1000]), 3, above=112)
    assert (
        sampled.count(question, 500, seed=1)
        + sampled.count(TailQuestion(question.scores, 3, above=None, below=111), 500, seed=1)
        == 500
    )
    assert sampled.count(TailQuestion(question.scores, 4, above=1111, below=1110), 50, seed=1) == 50


def test_the_seed_decides_and_the_block_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    question = TailQuestion(SCORES, 10, above=50)
    first = sampled.count(question, 3000, seed=5)
    assert sampled.count(question, 3000, seed=6) != first
    monkeypatch.setattr(sampled, "NUMBERS_AT_A_TIME", 140)
    assert sampled.count(question, 3000, seed=5) == first


def test_no_samples_are_refused() -> None:
    with pytest.raises(SettingError, match="at least one sample"):
        sampled.count(TailQuestion(SCORES, 10, above=50), 0, seed=0)


sizes = st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n)))


@settings(deadline=None)
@given(sizes, st.integers(1, 50), st.integers(0, 10**6))
def test_a_draw_is_a_subset_of_its_size_and_says_how_many_stayed(
    of: tuple[int, int], samples: int, seed: int
) -> None:
    words, size = of
    # Powers of two: a sum says which scores are in it.
    drawn = sampled.draws(2 ** np.arange(words), size, samples, seed)
    assert len(drawn.sums) == len(drawn.stayed) == samples
    for total, stayed in zip(drawn.sums.tolist(), drawn.stayed.tolist(), strict=True):
        assert total.bit_count() == size
        assert (total % 2**size).bit_count() == stayed
        assert 0 <= total < 2**words


@pytest.mark.parametrize(("words", "size"), [(6, 3), (6, 2), (6, 4), (5, 1), (7, 6)])
def test_every_subset_is_as_likely(words: int, size: int) -> None:
    sums = sampled.draws(2 ** np.arange(words), size, 20_000, seed=4).sums
    subsets, often = np.unique(sums, return_counts=True)
    assert len(subsets) == comb(words, size)
    assert chisquare(often).pvalue > 1e-4


@settings(deadline=None)
@given(
    st.lists(st.integers(-5, 5), min_size=2, max_size=9),
    st.integers(1, 9),
    st.integers(-9, 9),
    st.integers(1, 9),
)
def test_a_sum_on_a_threshold_counts(scores: list[int], size: int, below: int, apart: int) -> None:
    size = min(size, len(scores))
    sums = sampled.draws(np.array(scores), size, 80, seed=2).sums
    above = below + apart
    for limits in ((above, below), (above, None), (None, below)):
        question = TailQuestion(np.array(scores), size, *limits)
        high, low = (limit is not None for limit in limits)
        expected = (sums >= above).sum() * high + (sums <= below).sum() * low
        assert sampled.count(question, 80, seed=2) == expected


# --- multitest ---


def test_published_example() -> None:
    # Benjamini and Hochberg (1995), section 3: Bonferroni-type rules keep 3, theirs keeps 4.
    printed = [1, 4, 19, 95, 201, 278, 298, 344, 459, 3240, 4262, 5719, 6528, 7590, 10000]
    p = np.array(printed) / 10000
    assert (holm(p) <= 0.05).sum() == 3
    assert (benjamini_hochberg(p) <= 0.05).sum() == 4


def test_by_hand() -> None:
    p = np.array([0.04, 0.01, 0.03])
    np.testing.assert_allclose(holm(p), [0.06, 0.03, 0.06])
    np.testing.assert_allclose(benjamini_hochberg(p), [0.04, 0.03, 0.04])


def test_one_p_and_no_p_stay_as_they_are() -> None:
    for correct in (holm, benjamini_hochberg):
        assert correct(np.array([0.3])).tolist() == [0.3]
        assert correct(np.array([])).tolist() == []


@pytest.mark.parametrize("bad", [[0.1, np.nan], [-0.1], [1.1], [[0.1]]])
def test_what_is_no_p_is_refused(bad: list[float]) -> None:
    for correct in (holm, benjamini_hochberg):
        with pytest.raises(SettingError, match="between 0 and 1"):
            correct(np.array(bad))

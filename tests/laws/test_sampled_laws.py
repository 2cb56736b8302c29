"""A sampled p counts what was observed among the draws: (c + 1)/(N + 1), and is never 0."""

from itertools import permutations
from math import comb

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairvec.core.numeric import FloatArray
from fairvec.stats import adjusted_difference, paired_test, permutation_test
from fairvec.stats.permutation import two_sample as sampled
from tests.laws.test_stats_laws import law

whole = st.lists(st.integers(-6, 6), min_size=1, max_size=7)
counts = st.integers(1, 60)
seeds = st.integers(0, 10**6)
# Scores that are all below 1e-150 cannot be squared and are refused (fairvec.core.numeric).
squared = st.floats(-5, 5).map(lambda score: score if abs(score) > 1e-100 else 0.0)


@law
@given(whole, whole, counts, seeds)
@example([1], [0, 0], 3, 0)
def test_the_permutation_test_counts_its_draws_and_one_more(
    x: list[int], y: list[int], samples: int, seed: int
) -> None:
    scores = np.array([*x, *y])
    words, size, total = len(scores), len(x), int(scores.sum())
    # The same seed draws the same places whatever the scores are.
    sums = sampled.draws(scores, size, samples, seed).sums
    as_extreme = np.abs(words * sums - size * total) >= abs(words * sum(x) - size * total)
    p = permutation_test(
        np.array(x, np.float64),
        np.array(y, np.float64),
        method="sampled",
        samples=samples,
        seed=seed,
    )
    if p.method == "sampled":
        # Few draws of few splits may miss the observed one, which is there all the same.
        smallest = (2 if len(x) == len(y) else 1) / comb(words, size)
        assert p.value == max((int(as_extreme.sum()) + 1) / (samples + 1), smallest)
        assert p.standard_error == np.sqrt(p.value * (1 - p.value) / samples)
        assert p.low <= as_extreme.mean() <= p.high
    else:
        assert p.value == 1
        assert as_extreme.all()


@law
@given(counts, seeds)
def test_no_p_that_was_drawn_is_zero(draws: int, seed: int) -> None:
    """So strong that no draw comes near: all that is left is what was observed."""
    high, low = np.arange(30.0) + 1000, np.arange(30.0)
    least = 1 / (draws + 1)
    assert permutation_test(high, low, method="sampled", samples=draws, seed=seed).value == least
    assert paired_test(low, high, method="sampled", samples=draws, seed=seed).value == least
    often = np.tile([1.0, -1.0], 15)
    found = adjusted_difference(high, low, often, often, draws=draws, seed=seed)
    assert found is not None
    assert found.p == least


@law
@given(
    st.lists(squared, min_size=6, max_size=14).map(np.array),
    st.integers(1, 5),
    counts,
    seeds,
)
@example(np.array([1.0, -1.0, 1.0, 1.0, -1.0, 1.0]), 3, 10, 0)
def test_the_adjusted_p_is_a_whole_number_of_draws_and_one_more(
    scores: FloatArray, nx: int, draws: int, seed: int
) -> None:
    often = np.random.default_rng(seed).normal(size=len(scores))
    found = adjusted_difference(
        scores[:nx], scores[nx:], often[:nx], often[nx:], draws=draws, seed=seed
    )
    if found is not None:
        among = found.p * (draws + 1)
        assert among == pytest.approx(round(among), abs=1e-9)
        assert 1 <= round(among) <= draws + 1


@pytest.mark.parametrize("seed", range(6))
def test_the_adjusted_p_is_the_share_of_all_permutations(seed: int) -> None:
    """Of four words every permutation can be fitted: 24, of which one is what was observed."""
    scores, often = np.random.default_rng(seed).normal(size=(2, 4))
    basics = np.column_stack([np.ones(4), often])
    fitted = basics @ np.linalg.lstsq(basics, scores)[0]
    full = np.column_stack([basics, [1.0, 1.0, 0.0, 0.0]])

    def t_squared(residuals: FloatArray) -> float:
        b, left, _, _ = np.linalg.lstsq(full, fitted + residuals)
        return float(b[2] ** 2 / left[0])

    observed = t_squared(scores - fitted)
    every = [t_squared(np.array(one)) for one in permutations(scores - fitted)]
    share = np.mean([t >= observed * (1 - 1e-9) for t in every])
    found = adjusted_difference(scores[:2], scores[2:], often[:2], often[2:])
    assert found is not None
    # Five standard errors of 9,999 draws; one permutation more or less is at least eight.
    assert abs(found.p - share) <= 5 * np.sqrt(share * (1 - share) / 9999) + 1e-4

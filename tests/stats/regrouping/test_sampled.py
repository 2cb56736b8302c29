from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from fairvec.core.errors import SettingError
from fairvec.stats.permutation import meet_in_the_middle as exact
from fairvec.stats.permutation import two_sample as sampled
from fairvec.stats.permutation.subset_sums import TailQuestion

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

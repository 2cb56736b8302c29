from math import comb

import numpy as np
import pytest
from scipy.stats import binomtest, spearmanr, wilcoxon

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.stats import mean_difference_contributions, paired_test, spearman_contributions


def test_three_words_by_hand() -> None:
    # T = 6 of the sums ±1 ±2 ±3: only all plus and all minus reach it.
    p = paired_test(np.zeros(3), np.array([1.0, 2.0, 3.0]))
    assert (p.value, p.method, p.partitions, p.smallest) == (2 / 8, "exact", 8, 2 / 8)
    # T = 4: also 3 + 2 - 1, and its mirror image.
    assert paired_test(np.zeros(3), np.array([-1.0, 2.0, 3.0])).value == 4 / 8


def test_on_ranks_it_is_wilcoxons_signed_rank_test() -> None:
    ranks = np.array([1, -2, 3, 4, -5, 6, 7, 8, 9, 10.0])
    expected = wilcoxon(ranks, method="exact").pvalue
    assert paired_test(np.zeros(10), ranks).value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("gained", "lost", "same"), [(9, 2, 30), (0, 1, 4), (700, 600, 9000)])
def test_on_right_and_wrong_answers_it_is_mcnemars_exact_test(
    gained: int, lost: int, same: int
) -> None:
    before = np.repeat([0.0, 1.0, 1.0], [gained, lost, same]) / (gained + lost + same)
    after = np.repeat([1.0, 0.0, 1.0], [gained, lost, same]) / (gained + lost + same)
    p = paired_test(before, after)
    assert p.value == pytest.approx(binomtest(gained, gained + lost).pvalue, rel=1e-9)
    assert (p.method, p.partitions) == ("exact", 2 ** (gained + lost))


def test_where_every_swap_is_as_extreme_p_is_one() -> None:
    for items in range(1, 400, 2):
        after = np.where(np.arange(items) % 2, -1.0, 1.0)
        p = paired_test(np.zeros(items), after)
        assert (p.value, p.low, p.high) == (1.0, 1.0, 1.0)
    # One more on a side is no longer the least that can be.
    assert paired_test(np.zeros(4), np.array([1.0, 1.0, 1.0, -1.0])).value == 10 / 16


def test_fifty_items_are_exact_and_more_are_sampled() -> None:
    generator = np.random.default_rng(1)
    before, after = generator.normal(size=(2, 34))
    exact, sampled = (paired_test(before, after, method=m) for m in ("exact", "sampled"))
    assert sampled.low <= exact.value <= sampled.high
    assert sampled.standard_error is not None
    assert abs(sampled.value - exact.value) < 4 * sampled.standard_error
    more = generator.normal(size=51)
    assert paired_test(np.zeros(51), more).method == "sampled"
    assert paired_test(np.zeros(51), more) == paired_test(np.zeros(51), more)
    with pytest.raises(SettingError, match="51 items changed"):
        paired_test(np.zeros(51), more, method="exact")


def test_all_of_many_changes_to_one_side_is_never_zero() -> None:
    sampled = paired_test(np.zeros(80), np.linspace(1, 2, 80))
    assert sampled.value == 1 / 100_001
    exact = paired_test(np.zeros(40), np.linspace(1, 2, 40))
    assert exact.value == exact.smallest == 2 / 2**40


def test_rounding_is_no_change() -> None:
    before = np.array([0.1, 0.2, 0.3])
    p = paired_test(before, before * (1 + 1e-15))
    assert (p.value, p.partitions) == (1.0, 1)


def test_ties_blurred_by_rounding_tie() -> None:
    changes = np.array([0.1, 0.2, -0.3, 0.1 + 0.2])
    # |T| = 0.3 with 0.1, 0.2, 0.3, 0.3: counted in tenths.
    sums = [a + 2 * b + 3 * c + 3 * d for a, b, c, d in np.ndindex(2, 2, 2, 2)]
    expected = sum(abs(2 * s - 9) >= 3 for s in sums) / 16
    assert paired_test(np.zeros(4), changes).value == expected


def test_shares_of_words_sum_to_the_difference_of_means() -> None:
    x, y = np.array([0.2, 0.4, 0.9]), np.array([0.1, -0.3])
    shares = mean_difference_contributions(x, y)
    assert shares.sum() == pytest.approx(x.mean() - y.mean())
    assert shares[3] == -0.05


def test_shares_of_pairs_sum_to_spearmans_correlation() -> None:
    pairs = np.random.default_rng(0).integers(0, 9, size=(40, 2)).astype(np.float64)
    expected = spearmanr(*pairs.T).statistic
    assert spearman_contributions(pairs).sum() == pytest.approx(expected)
    assert not spearman_contributions(np.ones((5, 2))).any()


def test_chance_alone_convinces_as_often_as_it_may() -> None:
    generator = np.random.default_rng(3)
    p = [paired_test(np.zeros(12), generator.laplace(size=12)).value for _ in range(400)]
    # 400 fair tests at 5 %: 20 expected, 35 is past 3.4 standard deviations.
    assert 7 <= sum(value <= 0.05 for value in p) <= 35


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ([], [], "one number per item"),
        ([1.0, 2.0], [1.0], "one number per item"),
        ([1.0, np.nan], [1.0, 2.0], "finite"),
    ],
)
def test_what_cannot_be_paired_is_refused(
    before: list[float], after: list[float], message: str
) -> None:
    with pytest.raises(SettingError, match=message):
        paired_test(np.array(before), np.array(after))


def test_unknown_settings_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="exact"):
        paired_test(np.zeros(2), np.ones(2), method="exct")  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="at least one sample"):
        paired_test(np.zeros(2), np.array([1.0, 2.0]), method="sampled", samples=0)


def test_the_binomial_and_the_halves_agree() -> None:
    changes = np.array([1.0] * 13 + [-1.0] * 5)
    counted = sum(comb(18, k) for k in range(13, 19)) * 2 / 2**18
    assert paired_test(np.zeros(18), changes).value == pytest.approx(counted, rel=1e-12)

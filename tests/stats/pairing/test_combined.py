"""Items that combine two things: what moves one thing moves all its items."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import t as student

from fairvec.core.errors import SettingError
from fairvec.geometry import FloatArray
from fairvec.stats import paired_test
from fairvec.stats.crossed import dyadic_mean
from fairvec.stats.permutation.inversion import Limits

NAMES = [(f"d{row}", f"s{column}") for row in range(11) for column in range(20)]


def answers(draw: np.random.Generator, common: FloatArray) -> FloatArray:
    """Which of 220 rows a model answers by the stereotype, with a luck of its own in each pair."""
    own = draw.normal(size=(11, 1)) + draw.normal(size=(1, 20)) + draw.normal(size=(11, 20))
    chosen: FloatArray = ((common + 0.7 * own) > 1.3).astype(np.float64).ravel()
    return chosen


def test_models_that_differ_by_luck_are_seldom_called_different() -> None:
    draw = np.random.default_rng(3)
    alone = together = 0
    for _ in range(200):
        common = draw.normal(size=(11, 1)) + draw.normal(size=(1, 20))
        before, after = answers(draw, common), answers(draw, common)
        together += dyadic_mean(after - before, NAMES).p <= 0.05
        alone += paired_test(before / 220, after / 220).value <= 0.05
    assert together / 200 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
    assert alone / 200 > 0.2  # the control: item by item chance is taken for a change


def test_a_change_of_most_pairs_is_found() -> None:
    draw = np.random.default_rng(4)
    common = draw.normal(size=(11, 1)) + draw.normal(size=(1, 20))
    before = answers(draw, common + 1.5)
    assert dyadic_mean(answers(draw, common - 1.5) - before, NAMES).p < 0.01


def test_the_figures_by_hand() -> None:
    values = np.array([1.0, 0.0, 2.0, 5.0, 3.0, 1.0])
    names = [("a", "u"), ("a", "v"), ("b", "u"), ("b", "v"), ("c", "u"), ("c", "v")]
    found = dyadic_mean(values, names)
    by_first, by_second = np.array([0.5, 3.5, 2.0]), np.array([2.0, 2.0])
    variance = by_first.var(ddof=1) / 3 + by_second.var(ddof=1) / 2
    assert found.estimate == 2.0
    assert found.variance == pytest.approx(variance)
    assert found.p == pytest.approx(2 * student.sf(2 / np.sqrt(variance), found.freedom))
    turned = dyadic_mean(values, [(other, one) for one, other in names])
    assert (turned.p, turned.variance) == pytest.approx((found.p, found.variance))


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(SettingError, match="two names an item"):
        dyadic_mean(np.zeros(2), [("a", "b")])
    with pytest.raises(SettingError, match="two names an item"):
        dyadic_mean(np.zeros(0), [])
    same = dyadic_mean(np.zeros(3), [("a", "b"), ("a", "c"), ("b", "c")])
    assert (same.estimate, same.p) == (0.0, 1.0)


def test_things_of_one_kind_combined_with_one_another() -> None:
    """Analogies: each of 20 pairs is asked with each other one, first and second."""
    draw = np.random.default_rng(5)
    ones, others = np.where(~np.eye(20, dtype=bool))
    names = [(str(one), str(other)) for one, other in zip(ones, others, strict=True)]
    together = 0
    for _ in range(400):
        common = draw.normal(size=20)
        known = [common + 0.5 * draw.normal(size=20) for _ in range(2)]
        before, after = (
            (each[ones] + each[others] + 0.7 * draw.normal(size=len(ones)) > 0).astype(np.float64)
            for each in known
        )
        together += dyadic_mean(after - before, names).p <= 0.05
    assert together / 400 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_one_kind_by_hand() -> None:
    values = np.array([1.0, 0.0, 2.0])
    found = dyadic_mean(values, [("a", "b"), ("b", "c"), ("c", "a")])
    sums = np.array([1 + 2 - 2, 1 + 0 - 2, 0 + 2 - 2]) / 3
    assert found.variance == pytest.approx(float(sums @ sums) * 3 / 2)
    assert found.freedom == pytest.approx(2)
    turned = dyadic_mean(values, [("b", "a"), ("b", "c"), ("c", "a")])
    assert turned.variance == pytest.approx(found.variance)


def test_equal_changes_are_so_many_equal_coins_however_their_mean_is_rounded() -> None:
    """Shares of 1/161 times 161 have a mean that is not quite one of them."""
    for items in range(35, 200):
        names = [(f"a{item % 5}", f"b{item % 7}") for item in range(items)]
        found = dyadic_mean(items * np.full(items, 1 / items), names)
        assert found.variance == 0
        assert found.p == 2.0**-4


@pytest.mark.parametrize(("things", "sure"), [(2, False), (5, False), (6, True)])
def test_few_things_that_change_alike_are_no_certainty(things: int, sure: bool) -> None:
    """Two analogies of two pairs, both wrong before and right after: p is 1/2."""
    names = [(str(one), str(other)) for one, other in permutations(range(things), 2)]
    found = dyadic_mean(np.ones(len(names)), names)
    assert found.p == 2.0 ** (1 - things)
    ends = found.interval()
    assert (ends.low > 0) == sure == (found.p <= 0.05)
    assert dyadic_mean(np.zeros(len(names)), names).interval() == Limits(0, 0)

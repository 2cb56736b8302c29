from itertools import permutations, product

import numpy as np
import pytest

from fairvec.stats import factor_permutation_test, permutation_test


def listed(table: np.ndarray, levels: int, replicates: int) -> list[float]:
    """Return the main effect's sum of squares in every arrangement, one stratum or more."""
    strata = [table[:, stratum].ravel() for stratum in range(table.shape[1])]
    size = levels * replicates
    found = []
    for orders in product(permutations(range(size)), repeat=len(strata)):
        sums = np.zeros(levels)
        for values, order in zip(strata, orders, strict=True):
            sums += values[list(order)].reshape(levels, replicates).sum(axis=1)
        found.append(float(((sums - sums.mean()) ** 2).sum()))
    return found


def test_two_levels_are_counted_as_every_arrangement_would() -> None:
    table = np.random.default_rng(2).normal(size=(2, 2, 2)) + np.array([0, 0.8])[:, None, None]
    every = listed(table, 2, 2)
    found = factor_permutation_test(table, 0)
    assert found.exact
    assert found.value == pytest.approx(np.mean([one >= every[0] - 1e-9 for one in every]))
    assert found.arrangements == 36
    assert found.smallest == pytest.approx(2 / 36)


def test_one_stratum_is_the_two_sample_test() -> None:
    table = np.random.default_rng(3).normal(size=(2, 5)) + np.array([[0.0], [1.0]])
    p = permutation_test(table[0], table[1])
    assert factor_permutation_test(table, 0).value == pytest.approx(p.value)


def test_three_levels_are_drawn_near_the_share_of_all_arrangements() -> None:
    table = np.random.default_rng(4).normal(size=(3, 1, 2)) + np.array([0, 0, 1.5])[:, None, None]
    every = listed(table, 3, 2)
    found = factor_permutation_test(table, 0, samples=20_000)
    assert not found.exact
    assert found.value == pytest.approx(
        np.mean([one >= every[0] - 1e-9 for one in every]), abs=0.02
    )


def test_the_axis_is_the_factor_that_is_asked_for() -> None:
    table = np.random.default_rng(5).normal(size=(2, 2, 3)) * 0.1
    table[:, 1] += 5.0  # only the second factor matters
    assert factor_permutation_test(table, 1).value == factor_permutation_test(table, 1).smallest
    assert factor_permutation_test(table, 0).value > 0.05


@pytest.mark.parametrize("shape", [(2, 3, 3), (3, 2, 3)], ids=["two levels", "three levels"])
def test_the_level_is_kept_where_a_factor_does_nothing(shape: tuple[int, ...]) -> None:
    generator = np.random.default_rng(6)
    strata = 2.0 * np.arange(shape[1])[None, :, None]  # the other factor matters much
    tables = (generator.standard_t(3, size=shape) + strata for _ in range(600))
    p = np.array([factor_permutation_test(table, 0, samples=199).value for table in tables])
    assert 0.025 < np.mean(p <= 0.05) < 0.08
    assert 0.15 < np.mean(p <= 0.2) < 0.25


def test_equal_values_give_no_evidence() -> None:
    assert factor_permutation_test(np.full((2, 2, 2), 0.3), 0).value == 1.0
    assert factor_permutation_test(np.full((3, 2, 2), 0.3), 0).value == 1.0

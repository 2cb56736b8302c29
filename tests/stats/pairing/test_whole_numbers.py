"""Random signs of whole numbers: the paired test, for any number of items."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.stats import paired_test
from fairvec.stats.paired import sign_flip_test


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=10))
def test_it_counts_every_choice_of_signs(differences: list[int]) -> None:
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    expected = sum(one >= abs(sum(differences)) for one in sums) / len(sums)
    p, smallest = sign_flip_test(np.array(differences))
    assert p == pytest.approx(expected, abs=1e-12)
    assert p >= smallest


@given(st.lists(st.integers(-30, 40), min_size=1, max_size=45))
def test_it_is_the_paired_test(differences: list[int]) -> None:
    after = np.array(differences, np.float64)
    assert sign_flip_test(np.array(differences))[0] == pytest.approx(
        paired_test(np.zeros(len(after)), after).value, abs=1e-12
    )


def test_many_items_are_no_trouble_and_no_p_is_nought() -> None:
    assert 0 < sign_flip_test(np.ones(3000, np.int64))[0] < 1e-11
    balanced = np.tile([3, -3, 1, -1], 5000)
    assert sign_flip_test(balanced)[0] == 1.0
    with pytest.raises(SettingError, match="whole numbers"):
        sign_flip_test(np.array([0.5]))


@given(st.integers(1, 60), st.integers(1, 5))
def test_a_sum_that_none_is_smaller_than_is_certain(pairs: int, size: int) -> None:
    """Of an odd number of equal differences no choice of signs has a sum nearer to 0."""
    differences = size * np.array([1, -1] * pairs + [1])
    assert sign_flip_test(differences)[0] == 1.0
    assert sign_flip_test(np.array([3, *differences * 2]))[0] < 1


def test_under_the_null_it_seldom_errs() -> None:
    generator = np.random.default_rng(1)
    drawn = [sign_flip_test(generator.integers(-3, 4, 20))[0] for _ in range(2000)]
    assert np.mean(np.array(drawn) <= 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)

from fractions import Fraction
from math import inf
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.core.format import is_significant
from fairvec.core.numeric import FloatArray
from fairvec.stats import difference_interval, permutation_test
from fairvec.stats.permutation import difference_interval as difference
from tests.laws.test_stats_laws import law
from tests.stats.brute_force import kept_shifts, p_of_shift, regroupings

numbers = st.integers(-24, 24).map(lambda v: Fraction(v, 16))
lists = st.lists(numbers, min_size=1, max_size=5)
levels = st.sampled_from(("0.5", "0.8", "0.9", "0.95", "0.99"))


@pytest.mark.parametrize("listed", [difference.LISTED, 0])
@settings(law, max_examples=60)
@given(lists, lists, levels)
def test_the_ends_are_those_of_all_shifts_that_are_kept(
    listed: int, x: list[Fraction], y: list[Fraction], level: str
) -> None:
    every = regroupings(x, y)
    expected = kept_shifts(every, 1 - Fraction(level)) or (-inf, inf)
    with mock.patch.object(difference, "LISTED", listed):
        found = difference_interval(
            np.array(x, np.float64),
            np.array(y, np.float64),
            p=float(p_of_shift(every, Fraction(0))),
            method="exact",
            level=float(level),
        )
    assert (found.low, found.high) == pytest.approx(tuple(map(float, expected)), abs=1e-5)
    assert (found.method, found.samples, found.seed) == ("exact", None, None)


@pytest.mark.parametrize(
    ("nx", "ny", "level"), [(3, 3, 0.9), (2, 3, 0.9), (1, 19, 0.95), (1, 9, 0.9), (2, 14, 0.99)]
)
def test_a_smallest_p_at_its_level_makes_an_end(nx: int, ny: int, level: float) -> None:
    x, y = np.linspace(100.5, 102.5, nx), np.linspace(0.0, 9.0, ny)
    p = permutation_test(x, y)
    found = difference_interval(x, y, p=p.value, method="exact", level=level)
    assert found.low > 0
    assert found.high < inf
    stricter = difference_interval(x, y, p=p.value, method="exact", level=level + 0.001)
    assert (stricter.low, stricter.high) == (-inf, inf) or p.smallest < 0.9 * (1 - level)


def test_scores_that_are_all_alike_allow_one_difference() -> None:
    found = difference_interval(np.full(5, 0.3), np.full(6, 0.3), p=1.0, method="exact")
    assert (found.low, found.high) == (0.0, 0.0)


def drawn(nx: int, ny: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    generator = np.random.default_rng(seed)
    return generator.normal(0.8, size=nx), generator.normal(size=ny)


@pytest.mark.parametrize(("nx", "ny"), [(9, 6), (6, 9), (7, 7)])
def test_a_sampled_interval_is_near_the_exact_one(nx: int, ny: int) -> None:
    x, y = drawn(nx, ny)
    p = permutation_test(x, y)
    exact = difference_interval(x, y, p=p.value, method="exact")
    found = difference_interval(x, y, p=p.value, method="sampled", samples=20_000, seed=3)
    again = difference_interval(x, y, p=p.value, method="sampled", samples=20_000, seed=3)
    other = difference_interval(x, y, p=p.value, method="sampled", samples=20_000, seed=4)
    assert found == again != other
    assert (found.method, found.samples, found.seed) == ("sampled", 20_000, 3)
    width = exact.high - exact.low
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=0.05 * width)


@pytest.mark.parametrize(("nx", "ny"), [(40, 45), (45, 40)])
def test_lists_too_long_to_list_are_certified_and_longer_ones_drawn(nx: int, ny: int) -> None:
    x, y = drawn(nx, ny)
    p = permutation_test(x, y)
    found = difference_interval(x, y, p=p.value, method="exact")
    assert found.method == "certified"
    assert (found.low > 0) is is_significant(p.value, 0.05)
    mirrored = difference_interval(y, x, p=p.value, method="exact")
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low), rel=1e-6)
    with mock.patch("fairvec.stats.permutation.difference_interval.MOST_WORDS", 80):
        rather = difference_interval(x, y, p=p.value, method="certified", samples=5000)
    assert (rather.method, rather.samples, rather.seed) == ("sampled", 5000, 0)


@pytest.mark.parametrize("rejected", [True, False])
def test_zero_is_where_the_p_that_was_given_has_it(rejected: bool) -> None:
    x, y = drawn(6, 6, seed=5)
    found = difference_interval(x, y, p=0.001 if rejected else 0.9, method="exact")
    assert (found.low <= 0 <= found.high) is not rejected


@pytest.mark.parametrize("level", [0.0, 1.0, -0.5, 1.5])
def test_a_level_that_is_no_share_is_refused(level: float) -> None:
    with pytest.raises(SettingError, match="between 0 and 1"):
        difference_interval(np.zeros(3), np.ones(3), p=0.1, method="exact", level=level)

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.stats import trend_test
from fairvec.stats.anova import smallest_of_orders

numbers = st.floats(-5, 5).map(lambda number: round(number, 3))


@given(st.lists(st.tuples(numbers, st.integers(1900, 1906)), min_size=3, max_size=5))
def test_p_is_the_share_of_orders_with_as_steep_a_line(points: list[tuple[float, int]]) -> None:
    values, when = (np.array(column, float) for column in zip(*points, strict=True))
    if len(set(when)) < 2:
        return
    found = trend_test(values, when)
    slopes = [np.polyfit(when - 1900, order, 1)[0] for order in permutations(values)]
    steep = np.abs(slopes) >= abs(slopes[0]) - 1e-7
    assert found.slope == pytest.approx(slopes[0], abs=1e-6)
    assert found.value == pytest.approx(np.mean(steep))
    assert found.exact
    assert found.smallest <= found.value * (1 + 1e-12)


@given(st.lists(numbers, min_size=4, max_size=5, unique=True), st.floats(0.01, 0.99))
def test_under_the_null_p_is_no_smaller_than_it_says(values: list[float], alpha: float) -> None:
    """If every order is as likely, p <= alpha comes up in a share of alpha at the most."""
    when = np.array([1930, 1950, 1955, 1990, 2000][: len(values)], float)
    found = [trend_test(np.array(order), when).value for order in permutations(values)]
    assert np.mean(np.array(found) <= alpha) <= alpha + 1e-12


@pytest.mark.parametrize(
    ("when", "smallest"),
    [([1, 2, 3], 2 / 6), ([1, 2, 4], 1 / 6), ([1, 2, 3, 4, 5], 2 / 120), ([1, 1, 2, 2], 8 / 24)],
    ids=["three", "uneven", "five", "twice two"],
)
def test_the_smallest_p_comes_up_in_the_steepest_order(when: list[int], smallest: float) -> None:
    times = np.array(when, float)
    assert smallest_of_orders(times) == pytest.approx(smallest)
    assert trend_test(times**1.0, times).value == pytest.approx(smallest)


def test_many_values_are_drawn_and_agree_with_all_orders() -> None:
    generator = np.random.default_rng(0)
    values, when = generator.normal(size=8), np.arange(8.0)
    values += 0.2 * when
    exact = trend_test(values, when)
    more = trend_test(np.append(values, values.mean()), np.append(when, when.mean()), seed=3)
    assert exact.exact
    assert not more.exact
    # A ninth value in the middle of both changes little; three errors of 9,999 draws.
    assert more.value == pytest.approx(exact.value, abs=0.03)
    assert more.slope == pytest.approx(exact.slope)


@pytest.mark.parametrize(
    ("values", "when"),
    [
        ([1, 2], [1, 2]),
        ([1, 2, 3], [1, 1, 1]),
        ([1, 2, float("nan")], [1, 2, 3]),
        ([1, 2, 3], [1, 2]),
    ],
    ids=["two", "one time", "no number", "a time is missing"],
)
def test_what_is_no_trend_is_refused(values: list[float], when: list[float]) -> None:
    with pytest.raises(SettingError, match="A trend needs 3"):
        trend_test(np.array(values, float), np.array(when, float))


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_the_unit_of_time_and_of_values_does_not_matter(scale: float) -> None:
    values, when = np.array([0.3, -0.1, 0.4, 0.9, 0.2]), np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    usual = trend_test(values, when)
    for found, slope in (
        (trend_test(values * scale, when), usual.slope * scale),
        (trend_test(values, when * scale), usual.slope / scale),
    ):
        assert (found.value, found.smallest) == (usual.value, usual.smallest)
        assert found.slope == pytest.approx(slope)


def test_drawn_orders_give_no_smaller_p_than_they_can() -> None:
    when = np.arange(12.0)
    found = trend_test(when, when, samples=99)
    assert not found.exact
    assert found.smallest == 0.01 <= found.value


@pytest.mark.parametrize("unit", [1e-200, 1e-9, 1e200, 5e307], ids=["tiny", "small", "big", "huge"])
def test_the_unit_of_time_changes_the_slope_and_no_p(unit: float) -> None:
    values, when = np.array([1.0, 2.0, 4.0, 3.0]), np.array([-1.0, 0.0, 1.0, 1.5])
    found, usual = trend_test(values, when * unit), trend_test(values, when)
    assert found.value == usual.value
    assert found.slope * unit == pytest.approx(usual.slope, rel=1e-12)

"""Ranges of numbers and the search for roots."""

from collections.abc import Callable
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from fairvec.core.numeric import NumericRange, find_root, size_and_remedy

# --- Numbers whose squares can be summed ---


USUAL = NumericRange(1e-150, 1e150)


@pytest.mark.parametrize("edge", [1e-150, 1e150])
def test_both_ends_belong_to_a_range(edge: float) -> None:
    beyond = np.nextafter(edge, 0.0 if edge < 1 else np.inf)
    assert USUAL.outlier_in(np.array([-edge, 0.0])) is None
    assert USUAL.outlier_in(np.array([0.0]), np.array([-beyond])) == beyond


def test_zeros_have_every_size_and_what_is_not_finite_has_none() -> None:
    nothing, endless, unknown = np.zeros(3), np.array([1.0, np.inf]), np.array([np.nan])
    assert USUAL.outlier_in(nothing, np.empty(0)) is None
    assert USUAL.outlier_in(nothing, endless) == np.inf
    assert np.isnan(USUAL.outlier_in(unknown) or 0.0)


@pytest.mark.parametrize(("largest", "named"), [(1e-200, "small"), (1e200, "large")])
def test_the_remedy_is_the_other_size(largest: float, named: str) -> None:
    size, remedy = size_and_remedy(largest)
    assert (size, {size, remedy}) == (named, {"small", "large"})


# --- root ---


PLACES = st.floats(-50, 50)


@given(PLACES, st.floats(0.1, 5), st.floats(0.5, 40), st.floats(0.5, 40))
def test_the_zero_is_scipys(zero: float, steep: float, left: float, right: float) -> None:
    def curve(x: float) -> float:
        return (x - zero) ** 3 * steep + (x - zero) + exp(min(x - zero, 5)) - 1

    low, high = zero - left, zero + right
    ours = find_root(curve, low, high, tolerance=1e-12)
    assert ours == pytest.approx(brentq(curve, low, high, xtol=1e-12), abs=1e-10)
    assert find_root(curve, high, low, tolerance=1e-12) == pytest.approx(ours, abs=1e-10)


def asked_by_the_rule(
    curve: Callable[[float], float], a: float, b: float, steps: int
) -> list[float]:
    """The points that the published rule asks for: the ends, and so many steps from them."""
    points, fa, fb, t = [a, b], curve(a), curve(b), 0.5
    for _ in range(steps):
        points.append(a + t * (b - a))
        fx = curve(points[-1])
        if (fx > 0) == (fa > 0):
            c, fc = a, fa
        else:
            c, b, fc, fb = b, a, fb, fa
        a, fa = points[-1], fx
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        t = 0.5
        if phi**2 < xi and (1 - phi) ** 2 < 1 - xi:
            t = fa * fc / (fb - fa) / (fb - fc)
            t += (c - a) / (b - a) * fa * fb / (fc - fa) / (fc - fb)
    return points


@given(PLACES, st.floats(0.1, 5), st.floats(2, 40), st.floats(2, 40))
def test_the_points_asked_are_those_of_the_rule(
    zero: float, steep: float, left: float, right: float
) -> None:
    asked = []

    def curve(x: float) -> float:
        return (x - zero) ** 3 * steep + (x - zero) + exp(min(x - zero, 5)) - 1

    def watched(x: float) -> float:
        asked.append(x)
        return curve(x)

    find_root(watched, zero - left, zero + right, tolerance=1e-12)
    # Near the zero rounding decides; the first steps are well away from it.
    steps = [at for at, x in enumerate(asked) if abs(x - zero) < 1e-4]
    far = min(steps, default=len(asked))
    expected = asked_by_the_rule(curve, zero - left, zero + right, far - 2)
    assert asked[:far] == pytest.approx(expected[:far], rel=1e-9, abs=1e-7)


@given(PLACES, st.floats(0.5, 40), st.floats(0.5, 40))
def test_a_jump_is_found_and_few_points_are_asked(place: float, left: float, right: float) -> None:
    asked = []

    def step(x: float) -> float:
        asked.append(x)
        return 1.0 if x > place else -1.0

    found = find_root(step, place - left, place + right, tolerance=1e-9)
    assert abs(found - place) <= 1e-9
    assert len(asked) < 60


def test_an_end_may_be_the_zero_and_one_sign_is_refused() -> None:
    assert find_root(lambda x: x, 0.0, 1.0, tolerance=1e-9) == 0
    assert find_root(lambda x: x - 1, 0.0, 1.0, tolerance=1e-9) == 1
    with pytest.raises(ValueError, match="one sign"):
        find_root(lambda x: x + 2, 0.0, 1.0, tolerance=1e-9)

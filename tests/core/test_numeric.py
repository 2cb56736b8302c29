from collections.abc import Callable
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.optimize import brentq

from fairvec.core.numeric import NumericRange, find_root, size_and_remedy

# --- Numbers of any size are taken to a usual one and back without losing a digit ---


USUAL = NumericRange(1e-150, 1e150)
SIZES = arrays(np.float64, st.integers(1, 4), elements=st.floats(0.5, 1.0))


@given(SIZES, SIZES, st.integers(-1000, 1000))
def test_what_comes_back_is_what_went(
    one: NDArray[np.float64], other: NDArray[np.float64], power: int
) -> None:
    given = np.ldexp(one, power), -np.ldexp(other, power)
    scaled, exponent = USUAL.in_range(*given)
    assert USUAL.broken_by(*scaled) is None
    for before, after in zip(given, scaled, strict=True):
        np.testing.assert_array_equal(np.ldexp(after, exponent), before)
        assert exponent or after is before
    assert (exponent == 0) == (1e-150 <= max(np.abs(each).max() for each in given) <= 1e150)


def test_zeros_have_every_size_and_what_is_not_finite_has_none() -> None:
    nothing, endless, unknown = np.zeros(3), np.array([1.0, np.inf]), np.array([np.nan])
    assert USUAL.broken_by(nothing, np.empty(0)) is None
    assert USUAL.broken_by(nothing, endless) == np.inf
    assert np.isnan(USUAL.broken_by(unknown) or 0.0)
    for odd in (nothing, endless, unknown):
        assert USUAL.in_range(odd) == ((odd,), 0)


@pytest.mark.parametrize(("largest", "told"), [(1e-200, "small"), (1e200, "large")])
def test_the_remedy_is_the_other_size(largest: float, told: str) -> None:
    size, remedy = size_and_remedy(largest)
    assert (size, {size, remedy}) == (told, {"small", "large"})


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

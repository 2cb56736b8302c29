from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from fairvec.stats.root import root_of

PLACES = st.floats(-50, 50)


@given(PLACES, st.floats(0.1, 5), st.floats(0.5, 40), st.floats(0.5, 40))
def test_the_zero_is_scipys(zero: float, steep: float, left: float, right: float) -> None:
    def curve(x: float) -> float:
        return (x - zero) ** 3 * steep + (x - zero) + exp(min(x - zero, 5)) - 1

    low, high = zero - left, zero + right
    ours = root_of(curve, low, high, tolerance=1e-12)
    assert ours == pytest.approx(brentq(curve, low, high, xtol=1e-12), abs=1e-10)
    assert root_of(curve, high, low, tolerance=1e-12) == pytest.approx(ours, abs=1e-10)


@given(PLACES, st.floats(0.5, 40), st.floats(0.5, 40))
def test_a_jump_is_found_and_few_points_are_asked(place: float, left: float, right: float) -> None:
    asked = []

    def step(x: float) -> float:
        asked.append(x)
        return 1.0 if x > place else -1.0

    found = root_of(step, place - left, place + right, tolerance=1e-9)
    assert abs(found - place) <= 1e-9
    assert len(asked) < 60


def test_an_end_may_be_the_zero_and_one_sign_is_refused() -> None:
    assert root_of(lambda x: x, 0.0, 1.0, tolerance=1e-9) == 0
    assert root_of(lambda x: x - 1, 0.0, 1.0, tolerance=1e-9) == 1
    with pytest.raises(ValueError, match="one sign"):
        root_of(lambda x: x + 2, 0.0, 1.0, tolerance=1e-9)

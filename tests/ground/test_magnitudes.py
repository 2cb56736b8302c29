"""Numbers of any size are taken to a usual one and back without losing a digit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from fairvec.core.numeric import NumericRange, size_and_remedy

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

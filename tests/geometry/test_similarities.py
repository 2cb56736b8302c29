import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import GeometryError, UnknownNameError
from fairvec.geometry import (
    COSINE,
    NEGATIVE_DISTANCE,
    NEGATIVE_SQUARED_DISTANCE,
    Euclidean,
    Poincare,
    default_similarity,
    similarity,
)

X = np.array([[0.3, 0.4], [0.1, -0.2]])
Y = np.array([[0.4, 0.3]])


def test_cosine_of_a_worked_example() -> None:
    assert COSINE.between(X, Y, Euclidean())[0, 0] == pytest.approx(0.96)


def test_cosine_does_not_see_the_curvature() -> None:
    np.testing.assert_array_equal(
        COSINE.between(X, Y, Euclidean()), COSINE.between(X, Y, Poincare())
    )


def test_distance_sees_the_curvature() -> None:
    flat = NEGATIVE_DISTANCE.between(X, Y, Euclidean())
    curved = NEGATIVE_DISTANCE.between(X, Y, Poincare())
    assert (curved < flat).all()
    np.testing.assert_allclose(
        NEGATIVE_SQUARED_DISTANCE.between(X, Y, Poincare()), -(curved**2), rtol=1e-15
    )


@given(st.lists(st.booleans(), min_size=1, max_size=5).filter(any))
def test_a_zero_vector_has_no_cosine_whatever_is_beside_it(zero: list[bool]) -> None:
    points = np.where(np.array(zero)[:, None], 0, [[0.4, 0.3]])
    for x, y in ((points, Y), (Y, points)):
        with pytest.raises(GeometryError, match=rf"^{sum(zero)} vector\(s\) have length zero"):
            COSINE.between(x, y, Euclidean())


def test_each_geometry_has_its_natural_similarity() -> None:
    assert default_similarity(Euclidean()) is COSINE
    assert default_similarity(Poincare()) is NEGATIVE_DISTANCE


def test_a_misspelt_name_gets_an_offer() -> None:
    with pytest.raises(UnknownNameError, match="did you mean cosine"):
        similarity("cosin")

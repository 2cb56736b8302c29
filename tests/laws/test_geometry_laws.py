"""Laws of every registered geometry."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fairvec.geometry import GEOMETRIES, SIMILARITIES, FloatArray, Geometry

SPACES = [kind() for kind in GEOMETRIES]
rows = arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.just(3)),
    elements=st.floats(-3, 3, allow_subnormal=False),
)
every_space = pytest.mark.parametrize("space", SPACES, ids=lambda space: space.name)


@every_space
@given(points=rows)
def test_projected_points_are_inside_and_stay(space: Geometry, points: FloatArray) -> None:
    inside, moved = space.project(points)
    assert space.contains(inside).all()
    assert moved == (~space.contains(points)).sum()
    again, moved_again = space.project(inside)
    assert moved_again == 0
    np.testing.assert_array_equal(again, inside)


@every_space
@given(points=rows)
def test_distance_is_a_metric(space: Geometry, points: FloatArray) -> None:
    points = space.project(points * 0.3).points
    d = space.distances(points, points)
    assert (np.diag(d) == 0).all()
    assert (d >= 0).all()
    np.testing.assert_allclose(d, d.T, rtol=1e-12)
    through = (d[:, :, None] + d[None, :, :]).min(axis=1)
    assert (d <= through * (1 + 1e-9) + 1e-12).all()


@every_space
@given(points=rows, angle=st.floats(0, 6.28))
def test_rotations_keep_distances(space: Geometry, points: FloatArray, angle: float) -> None:
    points = space.project(points * 0.3).points
    turn = np.eye(3)
    turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    turned = points @ turn.T
    np.testing.assert_allclose(
        space.distances(turned, turned), space.distances(points, points), rtol=1e-6, atol=1e-7
    )


@every_space
@pytest.mark.parametrize("similarity", SIMILARITIES, ids=lambda s: s.name)
@given(points=rows)
def test_nothing_is_more_similar_than_itself(
    space: Geometry, similarity: object, points: FloatArray
) -> None:
    points = space.project(points * 0.3 + 0.01).points
    points = points[np.linalg.norm(points, axis=1) > 1e-6]
    alike = similarity.between(points, points, space)  # type: ignore[attr-defined]
    assert (alike <= np.diag(alike)[:, None] + 1e-12).all()

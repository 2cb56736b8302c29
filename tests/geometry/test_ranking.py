import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import GeometryError, SettingError, UndefinedError
from fairvec.geometry import (
    COSINE,
    NEGATIVE_DISTANCE,
    Euclidean,
    Geometry,
    Poincare,
    ProductOfBalls,
    Similarity,
)
from fairvec.geometry.nearest import build_index, nearest

SPACES: list[tuple[Geometry, Similarity]] = [
    (Euclidean(), COSINE),
    (Euclidean(), NEGATIVE_DISTANCE),
    (Poincare(), NEGATIVE_DISTANCE),
    (Poincare(2.0), COSINE),
    (ProductOfBalls(2), NEGATIVE_DISTANCE),
]


@pytest.mark.parametrize(("space", "similarity"), SPACES, ids=lambda one: one.name)
@given(
    seed=st.integers(0, 2**32 - 1),
    spread=st.sampled_from([1e-6, 0.1, 3.0, 8.0]),
    single=st.booleans(),
)
def test_the_nearest_are_those_of_the_other_way(
    space: Geometry, similarity: Similarity, seed: int, spread: float, single: bool
) -> None:
    draw = np.random.default_rng(seed)
    points = draw.normal(size=(60, 4))
    points *= spread / np.linalg.norm(points, axis=1, keepdims=True)
    points = space.exp0(points * draw.uniform(0.5, 1, (60, 1)))
    points[7] = points[3]  # a tie
    points[11] = 0
    stored = points.astype(np.float32) if single and spread < 3 else points
    ranked = build_index(stored, space, similarity)
    for row, count in ((0, 1), (3, 5), (20, 40)):
        query, barred = np.asarray(stored[[row]], np.float64), np.array([[row]])
        expected = nearest(query, stored, count, space, similarity, barred=barred)
        found = ranked.near(row, count)
        assert found.rows.tolist() == expected.rows.tolist()
        np.testing.assert_allclose(found.similarities, expected.similarities, rtol=1e-9, atol=1e-12)


def test_lengths_beyond_single_precision_are_compared_the_slow_way() -> None:
    points = np.random.default_rng(0).normal(size=(30, 3)) * 1e30
    ranked = build_index(points, Euclidean(), COSINE)
    assert ranked.how is None
    expected = nearest(points[[2]], points, 4, Euclidean(), COSINE, barred=np.array([[2]]))
    assert ranked.near(2, 4).rows.tolist() == expected.rows.tolist()


def test_too_many_neighbours_and_broken_points_are_refused() -> None:
    ranked = build_index(np.eye(3), Euclidean(), COSINE)
    with pytest.raises(UndefinedError, match="fewer than 3"):
        ranked.near(0, 3)
    with pytest.raises(SettingError, match="One neighbour"):
        ranked.near(0, 0)
    with pytest.raises(GeometryError, match="row 1"):
        build_index(np.array([[1.0, 0.0], [np.nan, 0.0]]), Euclidean(), COSINE)

"""Nearest neighbours and their certified ranking."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import GeometryError, SettingError, UndefinedError
from fairvec.geometry import (
    COSINE,
    NEGATIVE_DISTANCE,
    SIMILARITIES,
    Euclidean,
    FloatArray,
    Geometry,
    Poincare,
    ProductOfBalls,
    Similarity,
)
from fairvec.geometry import nearest as module
from fairvec.geometry.linear_scores import linear_score, score_points
from fairvec.geometry.nearest import IntArray, build_index, nearest
from tests.loops import loop_over

# --- nearest ---


SPACES: list[Geometry] = [Euclidean(), Poincare(), Poincare(2.5), ProductOfBalls(2, 0.5)]
every_space = pytest.mark.parametrize("space", SPACES, ids=lambda space: f"{space!r}")
every_similarity = pytest.mark.parametrize("similarity", SIMILARITIES, ids=lambda s: s.name)


def points_in(space: Geometry, rows: int, seed: int = 0, reach: float = 0.95) -> FloatArray:
    generator = np.random.default_rng(seed)
    points = generator.normal(size=(rows, 6))
    radius = 1 / np.sqrt(space.curvature) if space.curvature else 3
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return np.asarray(points / lengths * radius * reach * generator.uniform(size=(rows, 1)))


def brute_force(
    queries: FloatArray, points: FloatArray, space: Geometry, similarity: Similarity
) -> IntArray:
    return np.argsort(-similarity.between(queries, points, space), axis=1, kind="stable")


@every_space
@every_similarity
@loop_over("blocks", [(2048, 2048, 256, 2**22), (3, 7, 2, 2**22), (11, 7, 2, 150)])
def test_the_nearest_are_those_of_brute_force(
    space: Geometry,
    similarity: Similarity,
    blocks: tuple[int, int, int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = ("QUERIES_AT_A_TIME", "POINTS_AT_A_TIME", "FIRST_POINTS", "KEPT_NUMBERS")
    for name, size in zip(names, blocks, strict=True):
        monkeypatch.setattr(module, name, size)
    monkeypatch.setattr(module, "COMPARED_NUMBERS", blocks[-1])
    points, queries = points_in(space, 400), points_in(space, 11, seed=1)
    found = nearest(queries, points, 5, space, similarity)
    np.testing.assert_array_equal(
        found.rows, brute_force(queries, points, space, similarity)[:, :5]
    )
    expected = np.take_along_axis(similarity.between(queries, points, space), found.rows, 1)
    np.testing.assert_allclose(found.similarities, expected, rtol=1e-12)


@every_space
@every_similarity
def test_the_scalar_product_ranks_like_the_similarity(
    space: Geometry, similarity: Similarity
) -> None:
    how = linear_score(space, similarity)
    if how is None:
        assert isinstance(space, ProductOfBalls)
        return
    points, queries = points_in(space, 60), points_in(space, 4, seed=1)
    v, p = score_points(how, points, 0)
    scores = (how.scales(queries)[:, None] * queries) @ v.T + p
    similarities = similarity.between(queries, points, space)
    for query, row, alike in zip(queries, scores, similarities, strict=True):
        np.testing.assert_allclose(
            row, how.scores(alike, np.broadcast_to(query, points.shape)), rtol=1e-9, atol=1e-9
        )


@every_similarity
@pytest.mark.parametrize("space", SPACES[:3], ids=lambda space: f"{space!r}")
def test_what_is_swept_is_rounded_upwards_by_all_that_single_precision_can_lose(
    space: Geometry, similarity: Similarity
) -> None:
    """By (dimensions + 16) 2^-24 (scale |q| |v| + |p|), of which rounding takes little."""
    points, query = points_in(space, 60), points_in(space, 1, seed=1)
    how = linear_score(space, similarity)
    assert how is not None
    swept = module._CertifiedSearch(how, query, points, np.empty((1, 0), np.int64), 5)
    swept._sweep()
    v, p = score_points(how, points[swept.rows[0]], 0)
    scale = how.scales(query)[0]
    exact = scale * v @ query[0] + p
    parts = scale * np.linalg.norm(query) * np.linalg.norm(v, axis=1) + np.abs(p)
    np.testing.assert_allclose((swept.scores[0] - exact) / parts * 2**24, 6 + 16, atol=4)


def test_near_the_border_the_order_is_that_of_fifty_digits() -> None:
    """Single precision cannot tell these points from one another, nor from the border."""
    generator = np.random.default_rng(0)
    directions = np.array([1.0, 0, 0]) + 1e-5 * generator.normal(size=(80, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    points = directions * (1 - 10.0 ** -generator.uniform(5, 9, size=(80, 1)))
    queries = points[:6]
    found = nearest(queries, points, 4, Poincare(), NEGATIVE_DISTANCE)
    with mpmath.workdps(50):
        for query, rows, alike in zip(queries, found.rows, found.similarities, strict=True):
            exact = [_distance(query, point) for point in points]
            order = sorted(range(len(points)), key=exact.__getitem__)
            assert list(rows) == order[:4]
            for row, number in zip(rows, alike, strict=True):
                assert float(abs(number + exact[row])) <= 1e-6 * (1 + float(exact[row]))


def _distance(x: FloatArray, y: FloatArray) -> mpmath.mpf:
    x, y = ([mpmath.mpf(float(number)) for number in each] for each in (x, y))  # type: ignore[assignment]
    apart = sum((a - b) ** 2 for a, b in zip(x, y, strict=True))
    gaps = [1 - sum(number**2 for number in each) for each in (x, y)]
    return mpmath.acosh(1 + 2 * apart / (gaps[0] * gaps[1]))


@given(seed=st.integers(0, 10**6), count=st.integers(1, 30))
def test_equal_points_come_in_the_order_of_their_rows(seed: int, count: int) -> None:
    """More of them are equal than are kept, so that single precision has nothing to go by."""
    generator = np.random.default_rng(seed)
    few = points_in(Poincare(), 3, seed)
    points = few[generator.integers(0, 3, size=90)]
    found = nearest(few, points, count, Poincare(), COSINE)
    cosines = COSINE.between(few, points, Poincare()).round(12)
    np.testing.assert_array_equal(
        found.rows, np.argsort(-cosines, axis=1, kind="stable")[:, :count]
    )


def test_barred_rows_are_no_answers() -> None:
    points = points_in(Euclidean(), 50)
    excluded = np.array([[0, 7, -1], [1, 49, 49]])
    found = nearest(points[:2], points, 47, Euclidean(), NEGATIVE_DISTANCE, excluded=excluded)
    for rows, out in zip(found.rows, ({0, 7}, {1, 49}), strict=True):
        assert len({*rows}) == 47
        assert not out & {*rows.tolist()}


def test_a_point_of_length_zero_has_no_cosine_but_a_distance() -> None:
    points = np.array([[0.0, 0], [0.1, 0.4], [-0.3, 0.1]])
    assert 0 not in nearest(points[1:], points, 2, Poincare(), COSINE).rows
    near = nearest(points[:1], points, 1, Poincare(), NEGATIVE_DISTANCE)
    assert (near.rows[0, 0], near.similarities[0, 0]) == (0, 0)
    with pytest.raises(GeometryError, match="length zero"):
        nearest(points[:1], points, 1, Poincare(), COSINE)


def test_points_may_be_stored_in_half_precision() -> None:
    points = points_in(Euclidean(), 300).astype(np.float16)
    queries = points[:9].astype(np.float64)
    found = nearest(queries, points, 3, Euclidean(), COSINE)
    np.testing.assert_array_equal(
        found.rows, brute_force(queries, points.astype(np.float64), Euclidean(), COSINE)[:, :3]
    )


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1.0])
def test_a_row_that_is_no_point_is_named(bad: float) -> None:
    points = points_in(Poincare(), 10)
    points[7] = [bad, 0, 0, 0, 0, 0]
    with pytest.raises(GeometryError, match="row 7 is no point"):
        nearest(points[:1], points, 1, Poincare(), NEGATIVE_DISTANCE)


@every_similarity
def test_more_than_there_is_cannot_be_had(similarity: Similarity) -> None:
    points = points_in(Euclidean(), 4)
    own = np.arange(4)[:, None]
    assert nearest(points, points, 3, Euclidean(), similarity, excluded=own).rows.shape == (4, 3)
    with pytest.raises(UndefinedError, match="fewer than 4 points"):
        nearest(points, points, 4, Euclidean(), similarity, excluded=own)
    with pytest.raises(SettingError, match="not 0"):
        nearest(points, points, 0, Euclidean(), similarity)


@every_similarity
@pytest.mark.parametrize("power", [-480, -80, 80, 480])
def test_the_nearest_are_the_same_in_every_unit(similarity: Similarity, power: int) -> None:
    points = points_in(Euclidean(), 60)
    wanted = nearest(points[:9], points, 5, Euclidean(), similarity).rows
    other = np.ldexp(points, power)
    with np.errstate(all="raise", under="ignore"):
        found = nearest(other[:9], other, 5, Euclidean(), similarity).rows
    np.testing.assert_array_equal(found, wanted)


@every_similarity
@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_points_whose_lengths_cannot_be_squared_are_refused(
    similarity: Similarity, size: float
) -> None:
    points = points_in(Euclidean(), 60)
    odd = points * size
    with pytest.raises(UndefinedError, match="square cannot be computed; multiply all of them"):
        nearest(odd[:9], odd, 5, Euclidean(), similarity)
    if size > 1:
        with pytest.raises(GeometryError, match="row 0 is no point of its space"):
            nearest(points[:9], odd, 5, Euclidean(), COSINE)


# --- ranking ---


SPACES_RANKING: list[tuple[Geometry, Similarity]] = [
    (Euclidean(), COSINE),
    (Euclidean(), NEGATIVE_DISTANCE),
    (Poincare(), NEGATIVE_DISTANCE),
    (Poincare(2.0), COSINE),
    (ProductOfBalls(2), NEGATIVE_DISTANCE),
]


@pytest.mark.parametrize(("space", "similarity"), SPACES_RANKING, ids=lambda one: one.name)
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
        query, excluded = np.asarray(stored[[row]], np.float64), np.array([[row]])
        expected = nearest(query, stored, count, space, similarity, excluded=excluded)
        found = ranked.near(row, count)
        assert found.rows.tolist() == expected.rows.tolist()
        np.testing.assert_allclose(found.similarities, expected.similarities, rtol=1e-9, atol=1e-12)


def test_lengths_beyond_single_precision_are_compared_the_slow_way() -> None:
    points = np.random.default_rng(0).normal(size=(30, 3)) * 1e30
    ranked = build_index(points, Euclidean(), COSINE)
    assert ranked.how is None
    expected = nearest(points[[2]], points, 4, Euclidean(), COSINE, excluded=np.array([[2]]))
    assert ranked.near(2, 4).rows.tolist() == expected.rows.tolist()


def test_too_many_neighbours_and_broken_points_are_refused() -> None:
    ranked = build_index(np.eye(3), Euclidean(), COSINE)
    with pytest.raises(UndefinedError, match="fewer than 3"):
        ranked.near(0, 3)
    with pytest.raises(SettingError, match="One neighbour"):
        ranked.near(0, 0)
    with pytest.raises(GeometryError, match="row 1"):
        build_index(np.array([[1.0, 0.0], [np.nan, 0.0]]), Euclidean(), COSINE)

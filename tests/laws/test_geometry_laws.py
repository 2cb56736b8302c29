"""Laws of every registered geometry, and of the gyro operations at several curvatures."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fairvec.geometry import (
    SIMILARITIES,
    Euclidean,
    FloatArray,
    Geometry,
    Poincare,
    ProductOfBalls,
    geometry,
    midpoint_between,
)
from fairvec.geometry.ball_formulas import conformal_factor, gyration
from fairvec.testing import planted
from fairvec.testing.method_laws import METHOD_SPACES
from tests.geometry import test_nearest
from tests.laws.helpers import examples
from tests.metrics.utility import test_analogy
from tests.mitigation import test_concept_direction

SPACES: list[Geometry] = [
    Euclidean(),
    *(Poincare(c) for c in (0.1, 1.0, 7.5)),
    *(ProductOfBalls(balls, c) for balls, c in ((1, 1.0), (3, 0.4), (6, 2.0))),
]
DIMENSIONS = 6
every_space = pytest.mark.parametrize("space", SPACES, ids=repr)
few_examples = examples(30)
every_ball = pytest.mark.parametrize("c", [0.1, 1.0, 7.5])


def matrices(rows: int | None = None) -> st.SearchStrategy[FloatArray]:
    """Rows of any lengths, most of them outside the ball."""
    return arrays(
        np.float64,
        st.tuples(st.integers(1, 5) if rows is None else st.just(rows), st.just(DIMENSIONS)),
        elements=st.floats(-3, 3, allow_subnormal=False),
    )


def placed(space: Geometry, rows: FloatArray) -> FloatArray:
    """Rows as points up to about 6 from the origin."""
    return space.exp0(rows / (np.sqrt(space.curvature) or 1) * 0.4)


def distance_from(space: Geometry, x: FloatArray, y: FloatArray) -> float:
    return float(np.max(space.distance(x, y)) * (np.sqrt(space.curvature) or 1))


def length(space: Geometry, x: FloatArray, v: FloatArray) -> FloatArray:
    """The Riemannian length of tangent vectors: how far they lead."""
    return space.distance(x, space.exp(x, v))


UNDER_LAW: dict[str, Sequence[Geometry]] = {
    "geometry": SPACES,
    "nearest": test_nearest.SPACES,
    "ranking": [space for space, _ in test_nearest.SPACES_RANKING],
    "metrics": planted.SPACES,
    "analogies": test_analogy.SPACES,
    "methods": METHOD_SPACES,
    "directions": test_concept_direction.SPACES,
}


@pytest.mark.parametrize("laws", UNDER_LAW)
def test_every_geometry_is_under_all_laws(laws: str) -> None:
    assert {type(space) for space in UNDER_LAW[laws]} == {type(space) for space in SPACES}


def test_every_geometry_is_found_by_its_name() -> None:
    for space in SPACES:
        assert geometry(space.name, space.curvature) == space
        assert isinstance(space, Geometry)


@every_space
@given(points=matrices())
def test_projected_points_are_inside_and_stay(space: Geometry, points: FloatArray) -> None:
    inside, moved = space.project(points)
    assert space.contains(inside).all()
    assert moved == (~space.contains(points)).sum()
    again, moved_again = space.project(inside)
    assert moved_again == 0
    np.testing.assert_array_equal(again, inside)


@every_space
@given(rows=matrices(), data=st.data())
def test_a_row_with_what_is_no_number_is_no_point_and_the_others_are(
    space: Geometry, rows: FloatArray, data: st.DataObject
) -> None:
    points = placed(space, rows)
    row, column = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, 5))
    points[row, column] = data.draw(st.sampled_from([np.nan, np.inf, -np.inf]))
    assert space.contains(points).tolist() == [each != row for each in range(len(rows))]


@every_space
@given(rows=matrices())
def test_distance_is_a_metric(space: Geometry, rows: FloatArray) -> None:
    points = placed(space, rows)
    d = space.distances(points, points)
    assert (np.diag(d) == 0).all()
    assert (d >= 0).all()
    np.testing.assert_allclose(d, d.T, rtol=1e-12)
    through = (d[:, :, None] + d[None, :, :]).min(axis=1)
    assert (d <= through * (1 + 1e-9) + 1e-12).all()


@pytest.mark.parametrize("space", SPACES[:5], ids=repr)
@given(rows=matrices(), angle=st.floats(0, 6.28))
def test_rotations_keep_distances(space: Geometry, rows: FloatArray, angle: float) -> None:
    points = placed(space, rows)
    turn = np.eye(DIMENSIONS)
    turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    turned = points @ turn.T
    np.testing.assert_allclose(
        space.distances(turned, turned), space.distances(points, points), rtol=1e-6, atol=1e-7
    )


@every_space
@pytest.mark.parametrize("similarity", SIMILARITIES, ids=lambda s: s.name)
@few_examples
@given(rows=matrices())
def test_no_point_is_more_similar_to_another_than_to_itself(
    space: Geometry, similarity: object, rows: FloatArray
) -> None:
    points = placed(space, rows + 0.01)
    points = points[np.linalg.norm(points, axis=1) > 1e-6]
    own_similarity = similarity.between(points, points, space)  # type: ignore[attr-defined]
    assert (own_similarity <= np.diag(own_similarity)[:, None] + 1e-12).all()


@every_space
@few_examples
@given(rows=matrices(3))
def test_left_cancellation_and_left_translation(space: Geometry, rows: FloatArray) -> None:
    step, x, y = placed(space, rows)
    there, and_there = space.add(step, x), space.add(step, y)
    assert distance_from(space, space.gyrovector(step, there), x) < 1e-9
    assert distance_from(space, space.add(step, space.gyrovector(step, x)), x) < 1e-9
    np.testing.assert_allclose(
        space.distance(there, and_there), space.distance(x, y), rtol=1e-8, atol=1e-8
    )


@every_ball
@few_examples
@given(rows=matrices(4))
def test_gyrations_turn_and_mend_associativity(c: float, rows: FloatArray) -> None:
    space = Poincare(c)
    u, v, w, other = placed(space, rows)
    turned, other_turned = (gyration(u, v, each, c=c) for each in (w, other))
    np.testing.assert_allclose(turned @ other_turned, w @ other, rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(turned @ turned, w @ w, rtol=1e-12)
    left, right = space.add(u, space.add(v, w)), space.add(space.add(u, v), turned)
    assert distance_from(space, left, right) < 1e-6
    again = space.add(v, u)
    assert distance_from(space, space.add(u, v), gyration(u, v, again, c=c)) < 1e-6


@every_space
@few_examples
@given(rows=matrices(3))
def test_exponential_and_logarithm_undo_each_other(space: Geometry, rows: FloatArray) -> None:
    x, y = placed(space, rows[:2])
    assert distance_from(space, space.exp(x, space.log(x, y)), y) < 1e-8
    np.testing.assert_allclose(
        length(space, x, space.log(x, y)), space.distance(x, y), rtol=1e-9, atol=1e-12
    )
    v = space.transport(np.zeros(DIMENSIONS), x, space.log0(placed(space, rows[2])))
    np.testing.assert_allclose(space.log(x, space.exp(x, v)), v, rtol=1e-6, atol=1e-8)


@every_space
@few_examples
@given(rows=matrices(2))
def test_at_the_origin_the_general_maps_are_the_special_ones(
    space: Geometry, rows: FloatArray
) -> None:
    origin, x = np.zeros(DIMENSIONS), placed(space, rows)
    np.testing.assert_allclose(space.exp(origin, rows * 0.3), space.exp0(rows * 0.3), rtol=1e-12)
    np.testing.assert_allclose(space.log(origin, x), space.log0(x), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(space.scale(1.0, x), x, rtol=1e-12)


@every_ball
@few_examples
@given(rows=matrices(3))
def test_transport_keeps_lengths_and_the_tangents_of_geodesics(c: float, rows: FloatArray) -> None:
    space = Poincare(c)
    x, y = placed(space, rows[:2])
    v = rows[2]
    there = space.transport(x, y, v)
    before, after = (
        float(conformal_factor(at, c=c) * np.linalg.norm(w)) for at, w in ((x, v), (y, there))
    )
    assert after == pytest.approx(before, rel=1e-9)
    np.testing.assert_allclose(space.transport(y, x, there), v, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(
        space.transport(x, y, space.log(x, y)), -space.log(y, x), rtol=1e-7, atol=1e-9
    )


@every_space
@few_examples
@given(rows=matrices(5))
def test_means_move_with_their_points(space: Geometry, rows: FloatArray) -> None:
    step, *points = placed(space, rows * 0.7)
    mean = space.mean(np.array(points))
    assert mean.gradient_norm < 1e-10
    # Flat space has a formula for it, the balls search.
    assert space.curvature or mean.steps == 0
    there = space.add(step, np.array(points))
    assert distance_from(space, space.mean(there).point, space.add(step, mean.point)) < 1e-7
    middle = space.midpoint(np.array(points))
    assert distance_from(space, space.midpoint(there), space.add(step, middle)) < 1e-7
    spread = (space.distance(mean.point, np.array(points)) ** 2).mean()
    assert spread <= (space.distance(middle, np.array(points)) ** 2).mean() + 1e-12


@few_examples
@given(rows=matrices(2), r=st.floats(-2, 2))
def test_as_c_vanishes_the_ball_becomes_flat(rows: FloatArray, r: float) -> None:
    ball, flat, (x, y) = Poincare(1e-10), Euclidean(), rows

    def same(curved: FloatArray, straight: FloatArray) -> None:
        np.testing.assert_allclose(curved, straight, rtol=1e-6, atol=1e-7)

    same(ball.distance(x, y), 2 * flat.distance(x, y))
    same(ball.midpoint(rows), flat.midpoint(rows))
    same(ball.mean(rows).point, flat.mean(rows).point)
    same(ball.scale(r, x), flat.scale(r, x))
    same(ball.transport(x, y, x), x)
    for name in ("add", "gyrovector", "exp", "log"):
        same(getattr(ball, name)(x, y), getattr(flat, name)(x, y))


@every_ball
@few_examples
@given(rows=matrices(3), r=st.floats(-2, 2))
def test_a_product_of_one_ball_is_the_ball(c: float, rows: FloatArray, r: float) -> None:
    product, ball = ProductOfBalls(1, c), Poincare(c)
    points = placed(ball, rows)
    x, y, v = points
    for name in ("add", "gyrovector", "exp", "log", "distance"):
        np.testing.assert_array_equal(getattr(product, name)(x, y), getattr(ball, name)(x, y))
    for name in ("exp0", "log0", "contains", "midpoint"):
        np.testing.assert_array_equal(getattr(product, name)(points), getattr(ball, name)(points))
    np.testing.assert_array_equal(product.scale(r, points), ball.scale(r, points))
    np.testing.assert_array_equal(product.transport(x, y, v), ball.transport(x, y, v))
    np.testing.assert_array_equal(product.mean(points).point, ball.mean(points).point)
    np.testing.assert_allclose(
        product.distances(points, points), ball.distances(points, points), rtol=1e-15
    )


@every_space
@few_examples
@given(matrices(2), matrices(2))
def test_halfway_is_as_far_from_one_as_from_the_other(
    space: Geometry, one: FloatArray, other: FloatArray
) -> None:
    x, y = placed(space, one), placed(space, other)
    middle = midpoint_between(space, x, y)
    total = space.distance(x, y)
    for end in (x, y):
        np.testing.assert_allclose(space.distance(middle, end), total / 2, rtol=1e-6, atol=1e-7)
    assert distance_from(space, middle, midpoint_between(space, y, x)) < 1e-6

"""The Poincaré ball and products of balls."""

import warnings
from collections.abc import Iterator
from decimal import Decimal, localcontext
from functools import partial
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import GeometryError, SettingError, UnknownNameError
from fairvec.geometry import (
    NEGATIVE_DISTANCE,
    Geometry,
    Poincare,
    ProductOfBalls,
    default_similarity,
    geometry,
)
from fairvec.geometry.ball_formulas import (
    boundary_gap,
    conformal_factor,
    distance,
    distances,
    exp0,
    log0,
)
from fairvec.geometry.ball_means import frechet_mean
from fairvec.geometry.base import FloatArray
from fairvec.geometry.nearest import nearest
from tests.geometry import balls

# --- poincare ---


def distance_to_50_digits(x: list[float], y: list[float], c: float) -> float:
    """The textbook formula (2/sqrt c) artanh(sqrt c |-x (+) y|), in arbitrary precision."""
    with mpmath.workdps(50):
        u, v = [-mpmath.mpf(n) for n in x], [mpmath.mpf(n) for n in y]
        c = mpmath.mpf(c)
        uv = sum(a * b for a, b in zip(u, v, strict=True))
        uu, vv = sum(a * a for a in u), sum(b * b for b in v)
        below = 1 + 2 * c * uv + c**2 * uu * vv
        sum_ = [
            ((1 + 2 * c * uv + c * vv) * a + (1 - c * uu) * b) / below
            for a, b in zip(u, v, strict=True)
        ]
        length = mpmath.sqrt(sum(s * s for s in sum_))
        return float(2 / mpmath.sqrt(c) * mpmath.atanh(mpmath.sqrt(c) * length))


@pytest.mark.parametrize("c", [0.25, 1.0, 3.0])
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([0.1, -0.2], [0.3, 0.05]),
        ([0.0, 0.0], [0.4, 0.1]),
        ([0.5, 0.0], [0.5, 1e-12]),
        ([0.57, 0.0], [-0.56, 0.01]),
    ],
)
def test_distance_equals_the_textbook_formula(x: list[float], y: list[float], c: float) -> None:
    ours = distances(np.array([x]), np.array([y]), c=c)[0, 0]
    assert ours == pytest.approx(distance_to_50_digits(x, y, c), rel=1e-12)


def test_distance_keeps_its_digits_near_the_border() -> None:
    x, y = [1 - 1e-9, 0.0], [0.0, 1 - 1e-9]
    ours = distances(np.array([x]), np.array([y]), c=1.0)[0, 0]
    assert ours == pytest.approx(distance_to_50_digits(x, y, 1.0), rel=1e-8)
    assert ours > 40


@pytest.mark.parametrize("c", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("inside", [1e-3, 1e-6, 1e-9, 1e-12])
def test_the_gap_to_the_border_has_all_its_digits(c: float, inside: float) -> None:
    noise = np.random.default_rng(3)
    x, y = noise.normal(size=(2, 7, 5))
    for rows in (x, y):
        rows *= (1 - inside) / np.linalg.norm(rows, axis=1, keepdims=True) / np.sqrt(c)
    with mpmath.workdps(50):
        gaps = [float(1 - mpmath.mpf(c) * sum(mpmath.mpf(v) ** 2 for v in row)) for row in x]
    np.testing.assert_allclose(boundary_gap(x, c=c), gaps, rtol=4e-14)
    assert boundary_gap(x[0], c=c) == boundary_gap(x, c=c)[0]
    far = [distance_to_50_digits(*rows, c) for rows in zip(x.tolist(), y.tolist(), strict=True)]
    np.testing.assert_allclose(distance(x, y, c=c), far, rtol=2e-14)
    with mpmath.workdps(50):
        norms = [mpmath.sqrt(sum(mpmath.mpf(v) ** 2 for v in row)) for row in x]
        lengths = [float(mpmath.atanh(mpmath.sqrt(c) * r) / mpmath.sqrt(c)) for r in norms]
    np.testing.assert_allclose(np.linalg.norm(log0(x, c=c), axis=1), lengths, rtol=2e-14)


def test_points_that_round_to_the_border_are_not_let_in() -> None:
    rows = np.random.default_rng(0).normal(size=(500, 6))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    with mpmath.workdps(50):
        inside = [sum(mpmath.mpf(v) ** 2 for v in row) < 1 for row in rows.tolist()]
    found = Poincare().contains(rows)
    assert not found[~np.array(inside)].any()
    assert found.any()


def test_small_curvature_gives_twice_the_flat_distance() -> None:
    x, y = np.array([[0.3, 0.4]]), np.array([[-0.1, 0.2]])
    flat = np.linalg.norm(x - y)
    assert distances(x, y, c=1e-12)[0, 0] == pytest.approx(2 * flat, rel=1e-10)


def test_the_border_is_outside() -> None:
    ball = Poincare(4.0)
    points = np.array([[0.49, 0.0], [0.5, 0.0], [0.0, 0.7], [np.nan, 0.0]])
    assert ball.contains(points).tolist() == [True, False, False, False]


def test_projecting_moves_only_what_is_outside_and_counts_it() -> None:
    ball = Poincare()
    points = np.array([[0.3, 0.4], [3.0, 4.0], [0.0, 1.0]])
    inside, moved = ball.project(points)
    assert moved == 2
    assert ball.contains(inside).all()
    np.testing.assert_array_equal(inside[0], points[0])
    np.testing.assert_allclose(inside[1], [0.6, 0.8], rtol=1e-9)


@pytest.mark.parametrize("c", [0.0, -1.0, float("nan"), float("inf")])
def test_a_ball_needs_positive_curvature(c: float) -> None:
    with pytest.raises(SettingError, match="c > 0" if np.isfinite(c) else f"curvature is {c};"):
        geometry("poincare", c)


def radial_to_50_digits(v: list[float], c: float, map_: str) -> list[float]:
    """tanh(sqrt c |v|) v / (sqrt c |v|), or artanh for the logarithm, in arbitrary precision."""
    with mpmath.workdps(50):
        row = [mpmath.mpf(n) for n in v]
        reach = mpmath.sqrt(mpmath.mpf(c) * sum(n * n for n in row))
        factor = getattr(mpmath, map_)(reach) / reach
        return [float(factor * n) for n in row]


@pytest.mark.parametrize("c", [0.25, 1.0, 3.0])
@pytest.mark.parametrize("v", [[0.1, -0.2], [1e-9, 2e-9], [0.0, 0.5], [-3e-100, 0.0], [0.4, 0.4]])
def test_exponential_and_logarithm_at_the_origin(v: list[float], c: float) -> None:
    np.testing.assert_allclose(
        exp0(np.array([v]), c=c)[0], radial_to_50_digits(v, c, "tanh"), rtol=1e-14
    )
    np.testing.assert_allclose(
        log0(np.array([v]), c=c)[0], radial_to_50_digits(v, c, "atanh"), rtol=1e-13
    )


@pytest.mark.parametrize("c", [0.25, 1.0, 3.0])
def test_they_undo_each_other_and_lengths_are_half_distances(c: float) -> None:
    v = np.random.default_rng(0).normal(size=(20, 4))
    v[0] = 0
    points = exp0(v, c=c)
    assert Poincare(c).contains(points).all()
    np.testing.assert_allclose(log0(points, c=c), v, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(
        distances(points, np.zeros((1, 4)), c=c)[:, 0], 2 * np.linalg.norm(v, axis=1), rtol=1e-8
    )
    np.testing.assert_array_equal(points[0], 0)


# --- The ball at every curvature whose radius can be squared, held against sixty digits ---


EXTREME = [1e280, 1e30, 1e-30, 1e-280]
extreme = pytest.mark.parametrize("c", EXTREME)


@pytest.fixture
def no_warning() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def points(c: float, count: int = 6, far: float = 0.9) -> FloatArray:
    """Return points of a ball of curvature c, as far as a share of its radius."""
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(count, 3))
    rows *= rng.uniform(0.1, far, (count, 1)) / np.linalg.norm(rows, axis=1, keepdims=True)
    return rows * Poincare(c).radius


def exact_distance(x: FloatArray, y: FloatArray, c: float) -> float:
    """2/sqrt(c) asinh(z), asinh(z) = log(z + sqrt(1 + z^2)), in sixty digits."""
    with localcontext() as context:
        context.prec = 60
        curved = Decimal(c)

        def square(rows: list[Decimal]) -> Decimal:
            return sum((each * each for each in rows), Decimal(0))

        a, b = ([Decimal(float(each)) for each in row] for row in (x, y))
        apart = square([p - q for p, q in zip(a, b, strict=True)])
        gaps = (1 - curved * square(a)) * (1 - curved * square(b))
        z = (curved * apart / gaps).sqrt()
        return float(2 / curved.sqrt() * (z + (1 + z * z).sqrt()).ln())


@pytest.mark.usefixtures("no_warning")
@extreme
def test_distances_are_those_of_sixty_digits(c: float) -> None:
    some = points(c)
    found = Poincare(c).distances(some, some)
    exact = np.array([[exact_distance(x, y, c) for y in some] for x in some])
    np.testing.assert_allclose(found, exact, rtol=1e-13)
    np.testing.assert_allclose(Poincare(c).distance(some[:-1], some[1:]), exact.diagonal(1))


@pytest.mark.usefixtures("no_warning")
@settings(max_examples=20)
@given(k=st.integers(-480, 480), seed=st.integers(0, 99))
def test_a_ball_of_another_radius_is_the_same_ball(k: int, seed: int) -> None:
    """Multiplying points by 2^k and dividing c by 4^k rounds nothing and changes nothing."""
    one, other = Poincare(1.5), Poincare(float(np.ldexp(1.5, -2 * k)))
    rng = np.random.default_rng(seed)
    x, y, v = rng.uniform(-0.4, 0.4, size=(3, 4, 3))
    far = [np.ldexp(each, k) for each in (x, y, v)]

    def results(ball: Geometry, x: FloatArray, y: FloatArray, v: FloatArray) -> list[FloatArray]:
        return [
            ball.add(x, y),
            ball.gyrovector(x, y),
            ball.scale(0.7, x),
            ball.exp(x, v),
            ball.log(x, y),
            ball.exp0(v),
            ball.log0(x),
            ball.transport(x, y, v),
            ball.distances(x, y),
            ball.mean(x).point,
            ball.midpoint(x),
        ]

    for near, scaled in zip(results(one, x, y, v), results(other, *far), strict=True):
        np.testing.assert_allclose(np.ldexp(scaled, -k), near, rtol=1e-9, atol=1e-12)


@pytest.mark.usefixtures("no_warning")
@extreme
@pytest.mark.parametrize("balls", [1, 3])
def test_the_way_there_is_the_way_back(c: float, balls: int) -> None:
    space: Geometry = Poincare(c) if balls == 1 else ProductOfBalls(balls, c)
    some = points(c, far=0.5)
    np.testing.assert_allclose(space.exp0(space.log0(some)), some, rtol=1e-12)
    back = space.exp(some[:1], space.log(some[:1], some[1:]))
    np.testing.assert_allclose(back, some[1:], rtol=1e-9)
    middle = space.mean(some)
    assert np.isfinite(middle.point).all()
    assert space.contains(middle.point[None]).all()
    near = nearest(some, some, 2, space, NEGATIVE_DISTANCE)
    np.testing.assert_array_equal(near.rows[:, 0], np.arange(len(some)))


@pytest.mark.usefixtures("no_warning")
@extreme
def test_points_on_the_border_come_inside_and_stay_apart(c: float) -> None:
    ball = Poincare(c)
    edge = np.array([[1.0, 0], [0, 1], [3e5, 0], [0.5, 0]]) * ball.radius
    found = ball.project(edge)
    assert found.moved >= 2
    assert ball.contains(found.points).all()
    assert np.isfinite(ball.distances(found.points, found.points)).all()


@pytest.mark.usefixtures("no_warning")
@pytest.mark.parametrize("point", [1e-100, 1e-140])
def test_points_beside_the_origin_are_twice_as_far_as_in_flat_space(point: float) -> None:
    x, y = np.array([[point, 0.0]]), np.array([[0.0, 2 * point]])
    flat = Decimal(point) * Decimal(5).sqrt()
    found = float(Poincare().distances(x, y)[0, 0])
    assert found == pytest.approx(float(2 * flat), rel=1e-12)
    np.testing.assert_allclose(Poincare().log(x, y), y - x, rtol=1e-9)


@pytest.mark.usefixtures("no_warning")
@pytest.mark.parametrize("c", [0.0, -1.0, np.inf, -np.inf, np.nan])
def test_what_is_no_curvature_is_refused(c: float) -> None:
    for made in (lambda: Poincare(c), lambda: ProductOfBalls(2, c)):
        finite = (
            "curvature c > 0, not" if np.isfinite(c) else f"curvature is {c}; it must be a finite"
        )
        with pytest.raises(SettingError, match=finite):
            made()


@pytest.mark.usefixtures("no_warning")
@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_what_is_no_number_is_never_projected(number: float) -> None:
    with pytest.raises(GeometryError, match="NaN or infinite"):
        Poincare().project(np.array([[0.1, 0.2], [number, 0.0]]))


# --- product ---


C = 0.5
SPACE = ProductOfBalls(5, C)
X = balls.points(7 * 5, 2, c=C).reshape(7, 10)
Y = balls.points(7 * 5, 2, c=C, seed=1).reshape(7, 10)


def test_the_squared_distance_is_the_sum_over_balls() -> None:
    ball = Poincare(C)
    by_hand = sum(
        ball.distances(X[:, start : start + 2], Y[:, start : start + 2]) ** 2
        for start in range(0, 10, 2)
    )
    np.testing.assert_allclose(SPACE.distances(X, Y) ** 2, by_hand, rtol=1e-12)
    np.testing.assert_allclose(SPACE.distance(X, Y), np.diag(SPACE.distances(X, Y)), rtol=1e-12)
    assert default_similarity(SPACE) is NEGATIVE_DISTANCE


@pytest.mark.parametrize("name", ["add", "gyrovector", "log", "exp"])
def test_operations_are_done_ball_by_ball(name: str) -> None:
    whole = getattr(SPACE, name)(X, Y)
    for start in range(0, 10, 2):
        run = slice(start, start + 2)
        np.testing.assert_allclose(
            whole[:, run], getattr(Poincare(C), name)(X[:, run], Y[:, run]), rtol=1e-13
        )


def test_means_are_found_ball_by_ball_and_certified_together() -> None:
    mean = SPACE.mean(X, weights=np.arange(7.0))
    slope = (np.arange(7.0) / 21) @ SPACE.log(mean.point, X)
    assert np.abs(slope).max() < 1e-12
    assert mean.gradient_norm < 1e-11
    parts = [Poincare(C).mean(X[:, start : start + 2]).point for start in range(0, 10, 2)]
    np.testing.assert_allclose(SPACE.mean(X).point, np.concatenate(parts), rtol=1e-12)
    parts = [Poincare(C).midpoint(X[:, start : start + 2]) for start in range(0, 10, 2)]
    np.testing.assert_allclose(SPACE.midpoint(X), np.concatenate(parts), rtol=1e-12)


@pytest.mark.parametrize("c", [1e-300, 1e-40, 0.5, 1.0, 1e40])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_rough_mean_tells_the_length_of_the_gradient_that_is_left(
    monkeypatch: pytest.MonkeyPatch, count: int, c: float
) -> None:
    """Of a mean without a single step: |sum of w log x| over all balls, which bounds its error."""
    space = ProductOfBalls(count, c)
    points = balls.points(7 * count, 10 // count, c=1).reshape(7, 10) / np.sqrt(c)
    exact = space.mean(points).point
    monkeypatch.setattr(
        "fairvec.geometry.poincare.frechet_mean", partial(frechet_mean, tolerance=np.inf)
    )
    rough = space.mean(points)
    slope = space.log(rough.point, points).mean(axis=0).reshape(count, -1)
    factors = conformal_factor(rough.point.reshape(count, -1), c=c)
    length = np.linalg.norm(np.ravel(factors)[:, None] * slope)
    assert rough.gradient_norm == pytest.approx(length, rel=1e-9)
    assert rough.steps == 0
    assert length > 0
    assert float(space.distance(rough.point[None], exact[None])[0]) <= rough.gradient_norm


def test_the_steps_to_a_mean_of_balls_are_those_of_the_slowest() -> None:
    steps = [Poincare(C).mean(X[:, start : start + 2]).steps for start in range(0, 10, 2)]
    assert min(steps) < SPACE.mean(X).steps == max(steps)


def test_one_ball_outside_puts_the_point_outside() -> None:
    strays = X.copy()
    strays[2, :4] = 1.0, 1.0, 9.0, 9.0
    strays[5, 8:] = np.sqrt(2), 0
    assert SPACE.contains(strays).tolist() == [True, True, False, True, True, False, True]
    inside, moved = SPACE.project(strays)
    assert moved == 2
    assert SPACE.contains(inside).all()
    np.testing.assert_array_equal(inside[2, 4:], X[2, 4:])
    # Longer than the radius of any ball, and yet inside.
    assert np.linalg.norm(X, axis=1).max() > Poincare(C).radius


def test_a_name_says_the_whole_space() -> None:
    assert SPACE.name == "poincare-x5"
    assert geometry(SPACE.name, SPACE.curvature) == SPACE
    assert geometry("poincare-x50") == ProductOfBalls(50, 1.0)
    for name in ("poincare-x0", "poincare-x", "poincare-x-2", "poincare-x1000000000"):
        with pytest.raises(UnknownNameError):
            geometry(name)


@pytest.mark.parametrize("c", ["1", True, None, [1.0], 1j, np.ones(1)])
def test_what_is_no_number_is_no_curvature(c: Any) -> None:
    for made in (lambda: Poincare(c), lambda: ProductOfBalls(2, c)):
        with pytest.raises(SettingError, match=r"curvature is .*; it must be a finite number"):
            made()
    with pytest.raises(SettingError, match=r"balls is .*; it must be a whole number"):
        ProductOfBalls(2.0)  # type: ignore[arg-type]
    assert type(Poincare(np.float32(0.5)).curvature) is float  # type: ignore[arg-type]


def test_bad_settings() -> None:
    with pytest.raises(SettingError, match="one ball at the least"):
        ProductOfBalls(0)
    with pytest.raises(SettingError, match="c > 0"):
        ProductOfBalls(2, -1.0)
    with pytest.raises(GeometryError, match="10 dimensions cannot be shared equally among 3 balls"):
        ProductOfBalls(3).contains(X)

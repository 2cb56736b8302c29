"""Gyro operations beside their textbook formulas at 50 digits."""

from collections.abc import Callable

import mpmath
import numpy as np
import pytest

from fairvec.core.errors import GeometryError, SettingError, UndefinedError
from fairvec.geometry import FloatArray
from fairvec.geometry import ball_formulas as mobius
from fairvec.geometry.ball_formulas import (
    conformal_factor,
    distance,
    distances,
    exp,
    geodesic,
    gyration,
    gyrocosine,
    gyrovector,
    log,
    mobius_add,
    mobius_scalar,
    transport,
)
from tests.geometry import balls
from tests.loops import loop_over

RIM = balls.points(6, 3, near=12, far=16)
PLACES = {
    "about the middle": (balls.points(6, 3), balls.points(6, 3, seed=1)),
    "near the origin": (1e-9 * balls.points(6, 3), 1e-12 * balls.points(6, 3, seed=1)),
    "near one another": (balls.points(6, 3), balls.points(6, 3) + 1e-11),
    "nearly opposite": (balls.points(6, 3), -balls.points(6, 3) + 1e-11),
    "near the border": (RIM, balls.points(6, 3, near=12, far=16, seed=1)),
    "near it and one another": (RIM, RIM * (1 - 1e-9)),
}
everywhere = pytest.mark.parametrize("place", PLACES)
every_c = pytest.mark.parametrize("c", [0.25, 1.0, 3.0])
W = np.array([0.3, -1.0, 0.2])


def to_50_digits(formula: Callable[..., balls.Exact], *rows: FloatArray, c: float) -> FloatArray:
    with mpmath.workdps(50):
        whole = zip(*rows, strict=True)
        answers = [formula(*map(balls.exact, row), mpmath.mpf(c)) for row in whole]
        return np.array([[float(number) for number in answer] for answer in answers])


@everywhere
@every_c
def test_operations_equal_the_textbook(place: str, c: float) -> None:
    x, y = (rows / np.sqrt(c) for rows in PLACES[place])
    w = np.broadcast_to(W, x.shape)
    # At gap g from the border a rounded coordinate is already eps / g away.
    rounding = 4e-16 * (1 + conformal_factor(np.concatenate([x, y]), c=c).max())
    for ours, exact in [
        (mobius_add(x, y, c=c), to_50_digits(balls.added, x, y, c=c)),
        (gyrovector(x, y, c=c), to_50_digits(balls.added, -x, y, c=c)),
        (gyration(x, y, w, c=c), to_50_digits(balls.gyrated, x, y, w, c=c)),
        (log(x, y, c=c), to_50_digits(balls.logarithm, x, y, c=c)),
        (transport(x, y, w, c=c), to_50_digits(balls.transported, x, y, w, c=c)),
    ]:
        lengths = np.linalg.norm(exact, axis=1)
        assert (np.linalg.norm(ours - exact, axis=1) <= 5 * rounding * lengths).all()


@everywhere
@every_c
@loop_over("far", [1e-9, 0.1, 5.0])
def test_exponentials_equal_the_textbook(place: str, c: float, far: float) -> None:
    x = PLACES[place][0] / np.sqrt(c)
    v = far * W / conformal_factor(x, c=c)[:, None]
    exact = to_50_digits(balls.exponential, x, v, c=c)
    ours = exp(x, v, c=c)
    assert (np.linalg.norm(ours - exact, axis=1) <= 1e-14 * np.linalg.norm(exact, axis=1)).all()


def test_a_worked_example() -> None:
    x, y = np.array([0.5, 0.0]), np.array([0.5, 0.0])
    np.testing.assert_allclose(mobius_add(x, y, c=1), [0.8, 0])  # (a + b) / (1 + ab)
    np.testing.assert_allclose(mobius_scalar(2, x, c=1), [0.8, 0])
    np.testing.assert_allclose(gyrovector(x, np.array([0.8, 0]), c=1), [0.5, 0])
    assert distance(np.zeros(2), x, c=1) == pytest.approx(np.log(3))


@every_c
def test_multiples_are_repeated_sums_and_undo_one_another(c: float) -> None:
    x = balls.points(9, 4, c=c)
    np.testing.assert_allclose(
        mobius_scalar(3, x, c=c), mobius_add(x, mobius_add(x, x, c=c), c=c), rtol=1e-12
    )
    r = np.linspace(-2, 2, 9) + 0.1
    np.testing.assert_allclose(mobius_scalar(1 / r, mobius_scalar(r, x, c=c), c=c), x, rtol=1e-9)


@every_c
def test_a_geodesic_is_walked_evenly(c: float) -> None:
    x, y = balls.points(9, 3, c=c), balls.points(9, 3, c=c, seed=1)
    t = np.linspace(0, 1, 9)
    on_the_way = geodesic(x, y, t, c=c)
    whole = distance(x, y, c=c)
    np.testing.assert_allclose(distance(x, on_the_way, c=c), t * whole, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(distance(on_the_way, y, c=c), (1 - t) * whole, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(geodesic(x, y, 1.0, c=c), y, rtol=1e-12)


def test_axes_in_front_are_broadcast() -> None:
    x, y, w = balls.points(5, 3), balls.points(4, 3, seed=1), balls.points(4, 3, seed=2)
    for operation in (mobius_add, gyrovector, log, exp):
        table = operation(x[:, None], y, c=2.0 / 3)
        assert table.shape == (5, 4, 3)
        np.testing.assert_allclose(table[2, 1], operation(x[2], y[1], c=2.0 / 3), rtol=1e-13)
    for three in (gyration, transport):
        table = three(x[:, None], y, w, c=0.7)
        np.testing.assert_allclose(table[2, 1], three(x[2], y[1], w[1], c=0.7), rtol=1e-12)
    np.testing.assert_allclose(distance(x[:, None], y, c=0.7), distances(x, y, c=0.7), rtol=1e-12)


def test_equal_points_have_no_way_between_them() -> None:
    x = balls.points(5, 3)
    np.testing.assert_array_equal(gyrovector(x, x, c=1), 0)
    np.testing.assert_array_equal(log(x, x, c=1), 0)
    np.testing.assert_allclose(exp(x, np.zeros_like(x), c=1), x, rtol=1e-15)
    np.testing.assert_array_equal(gyration(np.zeros(3), x, x, c=1), x)


def test_gyrocosine_is_the_angle_at_the_root() -> None:
    assert gyrocosine(np.array([0.3, 0.0]), np.array([0.1, 0.1])) == pytest.approx(np.sqrt(0.5))
    # A hyperbolic triangle: cosh a = cosh b cosh c - sinh b sinh c cos(angle).
    p, x, y = balls.points(3, 4)
    a, b, c = (float(distance(u, v, c=1)) for u, v in ((x, y), (p, x), (p, y)))
    angle = (np.cosh(b) * np.cosh(c) - np.cosh(a)) / (np.sinh(b) * np.sinh(c))
    seen = gyrocosine(gyrovector(p, x, c=1), gyrovector(p, y, c=1))
    assert seen == pytest.approx(angle, rel=1e-12)
    with pytest.raises(UndefinedError, match="length zero"):
        gyrocosine(gyrovector(p, p, c=1), x)


@pytest.mark.parametrize("c", [0.0, -1.0, float("nan")])
@pytest.mark.parametrize("name", ["mobius_add", "gyrovector", "log", "exp"])
def test_no_curvature_but_a_positive_one(name: str, c: float) -> None:
    x = balls.points(3, 2)
    with pytest.raises(SettingError, match="c > 0"):
        getattr(mobius, name)(x, x, c=c)


@pytest.mark.parametrize("bad", [[1.0, 0.0], [0.9, 0.9], [np.nan, 0.0]])
@pytest.mark.parametrize("name", ["mobius_add", "gyrovector", "log"])
def test_points_outside_are_counted_and_refused(name: str, bad: list[float]) -> None:
    x = balls.points(3, 2)
    y = x.copy()
    y[1] = bad
    for pair in ((x, y), (y, x)):
        with pytest.raises(GeometryError, match=r"^1 point\(s\) lie on or outside the border"):
            getattr(mobius, name)(*pair, c=1.0)

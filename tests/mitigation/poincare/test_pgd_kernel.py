"""The path of Riemannian Adam in two dimensions, against the same path in all of them."""

import numpy as np
import pytest

from fairvec.geometry import FloatArray
from fairvec.geometry.ball_means import riemannian_adam
from fairvec.mitigation.kernels import balance_rows, descend
from fairvec.mitigation.methods.pgd import PgdWeights, minimum, out_of_plane, plane


@pytest.mark.parametrize("c", [1.0, 2.5])
@pytest.mark.parametrize("epochs", [1, 2, 350])
@pytest.mark.parametrize("stay", [0.5, 0.9])
def test_the_path_never_leaves_the_plane(c: float, epochs: int, stay: float) -> None:
    noise = np.random.default_rng(7)
    start = noise.normal(size=(60, 5))
    start *= (noise.uniform(0.05, 0.97, 60) / np.linalg.norm(start, axis=1) / np.sqrt(c))[:, None]
    axis = noise.normal(size=5)
    axis *= 1.98 / np.linalg.norm(axis)
    home = start / np.linalg.norm(start, axis=1, keepdims=True)

    def gradient(points: FloatArray) -> FloatArray:
        lengths = np.linalg.norm(points, axis=1, keepdims=True)
        u = points / lengths
        pull = -stay / 2 * home + (1 - stay) / 2 * np.sign(u @ axis)[:, None] * axis
        across: FloatArray = (pull - (pull * u).sum(axis=1, keepdims=True) * u) / lengths
        return across

    everywhere = riemannian_adam(start, gradient, c=c, lr=3e-4, steps=epochs)
    spread = plane(start, axis)
    flat = spread.points
    descend(flat, 1.98, PgdWeights(stay, 1 - stay), c=c, rate=3e-4, epochs=epochs)
    np.testing.assert_allclose(out_of_plane(flat, axis, spread.axes), everywhere, atol=1e-11)
    assert np.abs(everywhere - start).max() > 1e-5


def test_a_point_that_runs_into_the_border_stays_inside() -> None:
    points = np.array([[0.3, 0.95], [0.99, 0.1]])
    descend(points, 2.0, PgdWeights(0.0, 1.0), c=1.0, rate=1.0, epochs=50)
    assert (np.linalg.norm(points, axis=1) <= 1 - 1e-5 + 1e-12).all()


@pytest.mark.parametrize("c", [0.0, 1.0, 2.5])
@pytest.mark.parametrize("strength", [0.3, 1.0])
@pytest.mark.parametrize("stay", [0.5, 0.9])
@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_the_loop_gives_what_the_formulas_give(
    c: float, strength: float, stay: float, kind: str
) -> None:
    noise = np.random.default_rng(3)
    rows = noise.normal(size=(3000, 7))
    rows *= (noise.uniform(0.01, 0.999, 3000) / np.linalg.norm(rows, axis=1))[:, None]
    rows = (rows / np.sqrt(c or 1)).astype(kind)
    axis = noise.normal(size=7)
    axis *= 1.97 / np.linalg.norm(axis)
    rows[5], rows[6] = 0, 0.3 * axis / np.linalg.norm(axis)
    weights = PgdWeights(stay, 1 - stay)
    wide = rows.astype(np.float64)
    turned = wide + strength * (minimum(wide, axis, weights) - wide)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    now = np.linalg.norm(turned, axis=1, keepdims=True)
    expected = turned * np.divide(lengths, now, where=now > 0, out=np.ones_like(now))
    expected[[2, 9]] = wide[[2, 9]]
    for out in (np.empty_like(rows), rows):  # the second: in place
        left = balance_rows(
            rows, out, axis, weights, strength=strength, fixed=np.array([2, 9]), c=c
        )
        assert left == []
        np.testing.assert_allclose(out, expected, atol=1e-14 if kind == "float64" else 3e-7)


def test_a_point_outside_is_left_to_who_can_refuse_it() -> None:
    rows = np.full((1500, 2), 0.1)
    rows[1100] = 1.0, 0.2
    out = np.zeros_like(rows)
    left = balance_rows(
        rows, out, np.array([2.0, 0.0]), PgdWeights(0.5, 0.5), strength=1.0,
        fixed=np.empty(0, np.intp), c=1.0,
    )  # fmt: skip
    assert left == [slice(1100, 1500)]
    np.testing.assert_allclose(out[:1100], [[0, np.hypot(0.1, 0.1)]] * 1100, atol=1e-15)
    assert not out[1100:].any()


def test_a_point_on_the_rim_stays_inside_in_single_floats() -> None:
    rows = np.random.default_rng(0).normal(size=(2000, 3))
    rows *= (1 - 3e-8) / np.linalg.norm(rows, axis=1, keepdims=True)
    narrow = rows.astype(np.float32)
    inside = (narrow.astype(np.float64) ** 2).sum(axis=1) < 1
    narrow = narrow[inside]
    out = np.empty_like(narrow)
    left = balance_rows(
        narrow, out, np.array([0.0, 1.98, 0.0]), PgdWeights(0.5, 0.5), strength=1.0,
        fixed=np.empty(0, np.intp), c=1.0,
    )  # fmt: skip
    assert left == []
    assert ((out.astype(np.float64) ** 2).sum(axis=1) < 1).all()

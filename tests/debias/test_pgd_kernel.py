"""The path of Riemannian Adam in two dimensions, against the same path in all of them."""

import numpy as np
import pytest

from fairvec.debias.pgd_kernel import descend
from fairvec.debias.pgd_math import Weights, out_of_plane, plane
from fairvec.geometry import FloatArray
from fairvec.geometry.riemannian_adam import riemannian_adam


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
    descend(flat, 1.98, Weights(stay, 1 - stay), c=c, rate=3e-4, epochs=epochs)
    np.testing.assert_allclose(out_of_plane(flat, axis, spread.axes), everywhere, atol=1e-11)
    assert np.abs(everywhere - start).max() > 1e-5


def test_a_point_that_runs_into_the_border_stays_inside() -> None:
    points = np.array([[0.3, 0.95], [0.99, 0.1]])
    descend(points, 2.0, Weights(0.0, 1.0), c=1.0, rate=1.0, epochs=50)
    assert (np.linalg.norm(points, axis=1) <= 1 - 1e-5 + 1e-12).all()

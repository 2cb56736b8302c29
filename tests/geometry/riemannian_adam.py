"""Riemannian Adam by its formulas, and the published mean that it finds: the kernels' reference."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.geometry.ball_formulas import checked_boundary_gap, conformal_factor, log, transport
from fairvec.geometry.base import FloatArray, FrechetMean
from fairvec.geometry.norms import norm
from fairvec.mitigation.kernels import MARGIN

Numbers = NDArray[Any]
"""Rows of floats; or points of the plane as complex numbers, with an axis of length one behind."""


def riemannian_adam(
    points: FloatArray,
    gradient: Callable[[FloatArray], FloatArray],
    *,
    c: float,
    lr: float,
    steps: int,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
) -> FloatArray:
    """Return where points end after some steps down the (Euclidean) gradient of a function.

    g <- gradient / l_x^2,  m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) l_x^2 |g|^2,
    x' = x - lr (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps),  m <- m carried from x to x',

    l_x = 2 / (1 - c|x|^2). The second moment v is one number a point, so that a path stays in the
    span of its start and its gradients. Rows are independent of one another.
    """
    checked_boundary_gap(points, c=c)
    in_plane = points.shape[-1] == 2
    carry = _transport_in_plane if in_plane else transport

    def numbers(rows: FloatArray) -> Numbers:
        return np.ascontiguousarray(rows).view(np.complex128) if in_plane else rows

    at = numbers(np.array(points, np.float64))
    first, second = np.zeros_like(at), np.zeros((*points.shape[:-1], 1))
    for step in range(1, steps + 1):
        shrink = ((1 - c * _square(at)) / 2) ** 2
        slope = numbers(gradient(at.view(np.float64))) * shrink
        first = betas[0] * first + (1 - betas[0]) * slope
        second = betas[1] * second + (1 - betas[1]) * _square(slope) / shrink
        pace = lr / (1 - betas[0] ** step) / (np.sqrt(second / (1 - betas[1] ** step)) + eps)
        moved = at - pace * first
        moved *= (1 - MARGIN) / np.maximum(np.sqrt(c * _square(moved)), 1 - MARGIN)
        at, first = moved, carry(at, moved, first, c=c)
    ends: FloatArray = at.view(np.float64)
    return ends


def _square(rows: Numbers) -> Numbers:
    if rows.dtype == np.complex128:
        return np.asarray(rows.real**2 + rows.imag**2)
    return np.asarray(np.einsum("...i,...i->...", rows, rows))[..., None]


def _transport_in_plane(x: Numbers, y: Numbers, v: Numbers, *, c: float) -> Numbers:
    """Parallel transport of complex numbers: v l_x/l_y z/conj(z), where z = 1 - c y conj(x)."""
    z = 1 - c * y * x.conj()
    ratio = (1 - c * _square(y)) / (1 - c * _square(x)) / _square(z)
    return np.asarray(v * (ratio * z * z))


def riemannian_adam_mean(
    points: FloatArray, *, c: float, lr: float = 3e-4, steps: int = 350
) -> FrechetMean:
    """Return where Riemannian Adam arrives on the mean squared distance, from the arithmetic mean.

    It is the published optimiser of the gender means and, unlike `frechet_mean`, it may end before
    the mean: it moves about `lr` a step. The gradient norm says how far it still is.

    Kumar et al. (2020), arXiv:2109.13767, appendix 1.1, which states lr and not the steps.
    """

    def gradient(at: FloatArray) -> FloatArray:
        downhill = 2 * log(at, points, c=c).mean(axis=0)
        uphill: FloatArray = -(conformal_factor(at, c=c)[..., None] ** 2) * downhill
        return uphill

    point = riemannian_adam(points.mean(axis=0), gradient, c=c, lr=lr, steps=steps)
    left = log(point, points, c=c).mean(axis=0) * conformal_factor(point, c=c)
    return FrechetMean(point, norm(left), steps)

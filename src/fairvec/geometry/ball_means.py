"""Means in the Poincaré ball: gyromidpoint, certified Fréchet mean, and Riemannian Adam."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairvec.geometry.ball_formulas import (
    checked_boundary_gap,
    conformal_factor,
    exp,
    gyrovector,
    log,
    mobius_add,
    transport,
)
from fairvec.geometry.base import FloatArray, FrechetMean, normalized_weights
from fairvec.geometry.norms import SHORTEST, norm, norms

LOOKS = 3
"""Rounding left by a look from afar is gone after a second one from near; a third is for safety."""


def gyromidpoint(points: FloatArray, *, c: float, weights: FloatArray | None = None) -> FloatArray:
    """Return the weighted middle of rows: where their sum on the hyperboloid meets it.

    m = sum_i w_i l_i x_i / ( sum_i w_i (l_i - 1) + r ),   l_i = 2 / (1 - c |x_i|^2),
    r^2 = sum_ij w_i w_j cosh(sqrt(c) d(x_i, x_j))

    As a mean in flat space, to which it tends as c -> 0, it does not depend on where the origin
    lies. The formula is therefore used as seen from near the answer, where the length r of the
    sum keeps the digits that it loses near the border.

    Ungar (2008), A Gyrovector Space Approach to Hyperbolic Geometry.
    """
    share = normalized_weights(points, weights)
    middle: FloatArray = share @ points
    for _ in range(LOOKS):
        middle = mobius_add(middle, _midpoint_seen_from(middle, points, share, c), c=c)
    return middle


def _midpoint_seen_from(
    point: FloatArray, points: FloatArray, share: FloatArray, c: float
) -> FloatArray:
    """Return the gyromidpoint in the frame in which `point` is the origin."""
    towards = gyrovector(point, points, c=c)
    far = norms(towards)
    squares = c * ((points - point) ** 2).sum(axis=-1)
    squares = squares / (
        checked_boundary_gap(point, c=c) * checked_boundary_gap(points, c=c)
    )  # sinh^2(sqrt(c) d / 2)
    sinh = 2 * np.sqrt(squares * (1 + squares) / c)
    along = (share * np.divide(sinh, far, where=far > 0, out=np.zeros_like(sinh))) @ towards
    height = float(share @ (1 + 2 * squares))
    middle: FloatArray = along / (height + np.sqrt(max(height**2 - c * (along @ along), 0.0)))
    return middle


Numbers = NDArray[Any]
"""Rows of floats; or points of the plane as complex numbers, with an axis of length one behind."""

MARGIN = 1e-5


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


TOLERANCE = 1e-12
MOST_STEPS = 100
MOST_HALVINGS = 20


def frechet_mean(
    points: FloatArray,
    *,
    c: float,
    weights: FloatArray | None = None,
    tolerance: float = TOLERANCE,
) -> FrechetMean:
    """Return the point m with the smallest sum of w_i d(m, x_i)^2, certified by its gradient.

    Newton's method from the gyromidpoint. Seen from m, with x_i at the distance d_i in the unit
    direction u_i and k_i = sqrt(c) d_i coth(sqrt(c) d_i),

        gradient = -sum_i w_i d_i u_i,   Hessian = sum_i w_i (k_i I + (1 - k_i) u_i u_i^T).

    A step is halved until the gradient shrinks, which it must while rounding allows: unit steps of
    the plain Karcher flow do not converge on spread sets. It ends below `tolerance` or where
    rounding ends it; the gradient norm that is returned bounds the distance to the exact mean.

    Karcher (1977), Riemannian center of mass and mollifier smoothing.
    """
    share = normalized_weights(points, weights)
    best = _seen_from(gyromidpoint(points, c=c, weights=weights), points, share, c)
    for steps in range(MOST_STEPS):
        if best.slope <= tolerance:
            return FrechetMean(best.point, best.slope, steps)
        step = np.linalg.solve(best.hessian(share, c), best.descent)
        step /= conformal_factor(best.point, c=c)
        for part in 0.5 ** np.arange(MOST_HALVINGS):
            tried = _seen_from(exp(best.point, part * step, c=c), points, share, c)
            if tried.slope <= (1 - part / 4) * best.slope:
                best = tried
                break
        else:
            return FrechetMean(best.point, best.slope, steps)
    return FrechetMean(best.point, best.slope, MOST_STEPS)


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
    return FrechetMean(
        point, _seen_from(point, points, normalized_weights(points, None), c).slope, steps
    )


class _View(NamedTuple):
    """Points seen from a point, in an orthonormal frame of its tangent space."""

    point: FloatArray
    vectors: FloatArray
    descent: FloatArray
    slope: float

    def hessian(self, share: FloatArray, c: float) -> FloatArray:
        far = norms(self.vectors)
        reach = np.sqrt(c) * far
        bend = np.divide(reach, np.tanh(reach), where=reach > 0, out=np.ones_like(reach))
        radial = np.divide(1 - bend, far**2, where=far > SHORTEST, out=np.zeros_like(reach))
        matrix: FloatArray = (self.vectors.T * (share * radial)) @ self.vectors
        matrix[np.diag_indices_from(matrix)] += share @ bend
        return matrix


def _seen_from(point: FloatArray, points: FloatArray, share: FloatArray, c: float) -> _View:
    vectors = log(point, points, c=c) * conformal_factor(point, c=c)
    descent = share @ vectors
    return _View(point, vectors, descent, norm(descent))

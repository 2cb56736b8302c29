"""Means in the Poincaré ball: gyromidpoint and certified Fréchet mean."""

from typing import NamedTuple

import numpy as np

from fairvec.core.numeric import SQUARED
from fairvec.geometry.ball_formulas import (
    checked_boundary_gap,
    conformal_factor,
    exp,
    gyrovector,
    log,
    mobius_add,
)
from fairvec.geometry.base import FloatArray, FrechetMean, normalized_weights
from fairvec.geometry.norms import norm, norms

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
        radial = np.divide(1 - bend, far**2, where=far > SQUARED.smallest, out=np.zeros_like(reach))
        matrix: FloatArray = (self.vectors.T * (share * radial)) @ self.vectors
        matrix[np.diag_indices_from(matrix)] += share @ bend
        return matrix


def _seen_from(point: FloatArray, points: FloatArray, share: FloatArray, c: float) -> _View:
    vectors = log(point, points, c=c) * conformal_factor(point, c=c)
    descent = share @ vectors
    return _View(point, vectors, descent, norm(descent))

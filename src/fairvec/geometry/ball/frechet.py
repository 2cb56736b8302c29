"""The Fréchet mean in the ball: by Newton's method, and as the hyperbolic paper found it."""

from typing import NamedTuple

import numpy as np

from fairvec.geometry.ball.midpoint import gyromidpoint
from fairvec.geometry.ball.mobius import exp, log
from fairvec.geometry.ball.poincare_math import conformal_factor
from fairvec.geometry.ball.riemannian_adam import riemannian_adam
from fairvec.geometry.base import FloatArray, FrechetMean
from fairvec.geometry.sizes import SHORTEST, length, lengths
from fairvec.geometry.weights import shares

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
    share = shares(points, weights)
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
    return FrechetMean(point, _seen_from(point, points, shares(points, None), c).slope, steps)


class _View(NamedTuple):
    """Points seen from a point, in an orthonormal frame of its tangent space."""

    point: FloatArray
    vectors: FloatArray
    descent: FloatArray
    slope: float

    def hessian(self, share: FloatArray, c: float) -> FloatArray:
        far = lengths(self.vectors)
        reach = np.sqrt(c) * far
        bend = np.divide(reach, np.tanh(reach), where=reach > 0, out=np.ones_like(reach))
        radial = np.divide(1 - bend, far**2, where=far > SHORTEST, out=np.zeros_like(reach))
        matrix: FloatArray = (self.vectors.T * (share * radial)) @ self.vectors
        matrix[np.diag_indices_from(matrix)] += share @ bend
        return matrix


def _seen_from(point: FloatArray, points: FloatArray, share: FloatArray, c: float) -> _View:
    vectors = log(point, points, c=c) * conformal_factor(point, c=c)
    descent = share @ vectors
    return _View(point, vectors, descent, length(descent))

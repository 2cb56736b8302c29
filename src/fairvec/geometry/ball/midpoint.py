"""The gyromidpoint: the middle of points of the ball that has a formula."""

import numpy as np

from fairvec.geometry.ball.mobius import gyrovector, mobius_add
from fairvec.geometry.ball.poincare_math import gap_inside
from fairvec.geometry.base import FloatArray
from fairvec.geometry.sizes import lengths
from fairvec.geometry.weights import shares

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
    share = shares(points, weights)
    middle: FloatArray = share @ points
    for _ in range(LOOKS):
        middle = mobius_add(middle, _seen_from(middle, points, share, c), c=c)
    return middle


def _seen_from(point: FloatArray, points: FloatArray, share: FloatArray, c: float) -> FloatArray:
    """Return the gyromidpoint in the frame in which `point` is the origin."""
    towards = gyrovector(point, points, c=c)
    far = lengths(towards)
    squares = c * ((points - point) ** 2).sum(axis=-1)
    squares = squares / (gap_inside(point, c=c) * gap_inside(points, c=c))  # sinh^2(sqrt(c) d / 2)
    sinh = 2 * np.sqrt(squares * (1 + squares) / c)
    along = (share * np.divide(sinh, far, where=far > 0, out=np.zeros_like(sinh))) @ towards
    height = float(share @ (1 + 2 * squares))
    middle: FloatArray = along / (height + np.sqrt(max(height**2 - c * (along @ along), 0.0)))
    return middle

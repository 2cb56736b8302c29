"""The formulas of the Poincaré ball, as pure functions of points and curvature.

The ball of curvature c > 0 is { x : c |x|^2 < 1 }. All arithmetic is float64: in float32 a point
farther than about 6 from the origin can no longer be told from the border.
"""

import numpy as np

from fairvec.geometry.base import FloatArray
from fairvec.geometry.sizes import flat_distances, lengths
from fairvec.ground.errors import GeometryError, SettingError

NEAR = 1e-2
"""Closer to the border than this, 1 - c|x|^2 is computed in twice the digits."""
ROWS_AT_A_TIME = 256
SPLITTER = 2.0**27 + 1
"""Cuts a double in two halves of 26 digits, whose products are exact."""


def distances(points: FloatArray, others: FloatArray, *, c: float) -> FloatArray:
    """Return the hyperbolic distance of every row of `points` to every row of `others`.

    d(x, y) = 2/sqrt(c) asinh( sqrt(c) |x - y| / sqrt((1 - c|x|^2)(1 - c|y|^2)) ),
    which equals the textbook arcosh and artanh forms but loses no digits for near points or near
    the border. As c -> 0 it tends to TWICE the Euclidean distance.
    """
    stretch = np.sqrt(np.outer(gap_inside(points, c=c), gap_inside(others, c=c)))
    apart = flat_distances(points, others)
    far: FloatArray = 2 / np.sqrt(c) * np.arcsinh(np.sqrt(c) * apart / stretch)
    return far


def distance(x: FloatArray, y: FloatArray, *, c: float) -> FloatArray:
    """Return the same distance of each row of x to the row of y beside it."""
    stretch = np.sqrt(gap_inside(x, c=c) * gap_inside(y, c=c))
    far: FloatArray = 2 / np.sqrt(c) * np.arcsinh(np.sqrt(c) * lengths(x - y) / stretch)
    return far


def conformal_factor(points: FloatArray, *, c: float) -> FloatArray:
    """Return l_x = 2 / (1 - c|x|^2), by which the ball stretches lengths at x: 2 at the origin."""
    factors: FloatArray = 2 / gap_inside(points, c=c)
    return factors


def border_gap(points: FloatArray, *, c: float) -> FloatArray:
    """Return 1 - c|x|^2 for each row, to the last digit also near the border."""
    reach = np.sqrt(c) * lengths(points)
    gap: FloatArray = np.asarray((1 - reach) * (1 + reach))
    near = (gap > 0) & (gap < NEAR)
    if near.any():
        rows = points[near]
        parts = [rows[at : at + ROWS_AT_A_TIME] for at in range(0, len(rows), ROWS_AT_A_TIME)]
        gap[near] = np.concatenate([_gap_in_full(part, c) for part in parts])
    return gap[()]


def gap_inside(points: FloatArray, *, c: float) -> FloatArray:
    """Return 1 - c|x|^2 for each row, and refuse points that do not lie in the ball."""
    if not c > 0:
        raise SettingError(
            f"The Poincaré ball needs a curvature c > 0, not {c}; for flat space use the euclidean "
            "geometry."
        )
    gap = border_gap(points, c=c)
    if not (inside := gap > 0).all():
        raise GeometryError(
            f"{int((~inside).sum())} point(s) lie on or outside the border of the Poincaré ball of "
            f"curvature {c:g}; project them into it first, or correct the curvature."
        )
    return gap


def exp0(vectors: FloatArray, *, c: float) -> FloatArray:
    """Return the points that one reaches from the origin along tangent vectors.

    exp_0(v) = tanh(sqrt(c) |v|) v / (sqrt(c) |v|): the direction stays, a tangent vector of length
    r leads to the distance 2r. Past sqrt(c) |v| of about 19 the answer rounds to the border.
    """
    reach = np.sqrt(c) * lengths(vectors, keepdims=True)
    points: FloatArray = vectors * np.divide(
        np.tanh(reach), reach, where=reach > 0, out=np.ones_like(reach)
    )
    return points


def log0(points: FloatArray, *, c: float) -> FloatArray:
    """Return the tangent vectors at the origin that lead to points; the inverse of exp0.

    log_0(x) = artanh(sqrt(c) |x|) x / (sqrt(c) |x|).
    """
    gap = gap_inside(points, c=c)[..., None]
    reach = np.sqrt(c) * lengths(points, keepdims=True)
    # Near the border artanh would look at 1 - reach, of which rounding has left little.
    far = np.where(gap < NEAR, np.log1p(reach) - np.log(gap) / 2, np.arctanh(reach))
    vectors: FloatArray = points * np.divide(far, reach, where=reach > 0, out=np.ones_like(reach))
    return vectors


def _gap_in_full(points: FloatArray, c: float) -> FloatArray:
    """Return 1 - c|x|^2 with what every product and every sum rounds away added up beside it.

    Dekker (1971), A floating-point technique for extending the available precision.
    """
    squares, lost = _product(points, points)
    parts, more = _product(np.full_like(squares, c), squares)
    left = (c * lost + more).sum(axis=-1)
    while parts.shape[-1] > 1:
        parts = np.concatenate([parts, np.zeros_like(parts[..., : parts.shape[-1] % 2])], axis=-1)
        a, b = parts[..., ::2], parts[..., 1::2]
        parts = a + b
        of_b = parts - a
        left += ((a - (parts - of_b)) + (b - of_b)).sum(axis=-1)
    gap: FloatArray = (1 - parts[..., 0]) - left
    return gap


def _product(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return x y as it is rounded, and what rounding took."""
    rounded = x * y
    (x1, x2), (y1, y2) = (_halves(each) for each in (x, y))
    return rounded, ((x1 * y1 - rounded) + x1 * y2 + x2 * y1) + x2 * y2


def _halves(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    high = SPLITTER * x - (SPLITTER * x - x)
    return high, x - high

"""The formulas of the Poincaré ball, as pure functions of points and curvature.

The ball of curvature c > 0 is { x : c |x|^2 < 1 }. All arithmetic is float64: in float32 a point
farther than about 6 from the origin can no longer be told from the border.
"""

import numpy as np

from fairvec.core.errors import GeometryError, SettingError
from fairvec.geometry.base import FloatArray
from fairvec.geometry.norms import euclidean_distances, normalize_rows, norms

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
    stretch = np.sqrt(
        np.outer(checked_boundary_gap(points, c=c), checked_boundary_gap(others, c=c))
    )
    euclidean = euclidean_distances(points, others)
    hyperbolic: FloatArray = 2 / np.sqrt(c) * np.arcsinh(np.sqrt(c) * euclidean / stretch)
    return hyperbolic


def distance(x: FloatArray, y: FloatArray, *, c: float) -> FloatArray:
    """Return the same distance of each row of x to the same row of y."""
    stretch = np.sqrt(checked_boundary_gap(x, c=c) * checked_boundary_gap(y, c=c))
    hyperbolic: FloatArray = 2 / np.sqrt(c) * np.arcsinh(np.sqrt(c) * norms(x - y) / stretch)
    return hyperbolic


def conformal_factor(points: FloatArray, *, c: float) -> FloatArray:
    """Return l_x = 2 / (1 - c|x|^2), by which the ball stretches lengths at x: 2 at the origin."""
    factors: FloatArray = 2 / checked_boundary_gap(points, c=c)
    return factors


def boundary_gap(points: FloatArray, *, c: float) -> FloatArray:
    """Return 1 - c|x|^2 for each row, to the last digit also near the border."""
    reach = np.sqrt(c) * norms(points)
    gap: FloatArray = np.asarray((1 - reach) * (1 + reach))
    near = (gap > 0) & (gap < NEAR)
    if near.any():
        rows = points[near]
        parts = [rows[at : at + ROWS_AT_A_TIME] for at in range(0, len(rows), ROWS_AT_A_TIME)]
        gap[near] = np.concatenate([_precise_gap(part, c) for part in parts])
    return gap[()]


def checked_boundary_gap(points: FloatArray, *, c: float) -> FloatArray:
    """Return 1 - c|x|^2 for each row, and refuse points that do not lie in the ball."""
    if not c > 0:
        raise SettingError(
            f"The Poincaré ball needs a curvature c > 0, not {c}; for flat space use the euclidean "
            "geometry."
        )
    gap = boundary_gap(points, c=c)
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
    reach = np.sqrt(c) * norms(vectors, keepdims=True)
    points: FloatArray = vectors * np.divide(
        np.tanh(reach), reach, where=reach > 0, out=np.ones_like(reach)
    )
    return points


def log0(points: FloatArray, *, c: float) -> FloatArray:
    """Return the tangent vectors at the origin that lead to points; the inverse of exp0.

    log_0(x) = artanh(sqrt(c) |x|) x / (sqrt(c) |x|).
    """
    gap = checked_boundary_gap(points, c=c)[..., None]
    reach = np.sqrt(c) * norms(points, keepdims=True)
    # Near the border artanh would look at 1 - reach, of which rounding has left little.
    far = np.where(gap < NEAR, np.log1p(reach) - np.log(gap) / 2, np.arctanh(reach))
    vectors: FloatArray = points * np.divide(far, reach, where=reach > 0, out=np.ones_like(reach))
    return vectors


def _precise_gap(points: FloatArray, c: float) -> FloatArray:
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


def mobius_add(x: FloatArray, y: FloatArray, *, c: float) -> FloatArray:
    """Return x (+) y: the point that y becomes when the origin is carried to x.

    x (+) y = ((1 + 2c x.y + c|y|^2) x + (1 - c|x|^2) y) / (1 + 2c x.y + c^2 |x|^2 |y|^2).

    Neither commutative nor associative; as c -> 0 it tends to x + y.
    """
    return _add_with_gaps(x, y, _gap(x, c), _gap(y, c), c)


def gyrovector(a: FloatArray, b: FloatArray, *, c: float) -> FloatArray:
    """Return -a (+) b: the gyrovector from a to b, moved so that it is rooted at the origin.

    Zero where a equals b; its length is tanh(sqrt(c) d(a, b) / 2) / sqrt(c).
    """
    return mobius_add(-a, b, c=c)


def mobius_scalar(r: FloatArray | float, x: FloatArray, *, c: float) -> FloatArray:
    """Return r (x) x: the point r times as far from the origin as x, in the same direction.

    r (x) x = tanh(r artanh(sqrt(c)|x|)) x / (sqrt(c)|x|); one number, or one for each row.
    """
    return exp0(np.asarray(r)[..., None] * log0(x, c=c), c=c)


def gyration(u: FloatArray, v: FloatArray, w: FloatArray, *, c: float) -> FloatArray:
    """Return gyr[u, v] w = -(u (+) v) (+) (u (+) (v (+) w)), which mends associativity.

    It is the rotation in the plane of u and v by twice the angle of p + iq, p = 1 + c u.v and
    q = c |u ^ v|: linear in w, keeps lengths, and is no rotation at all for parallel u and v.
    """
    s = u + v
    square = _dot(u, u)
    aside = s - u * (_dot(s, u) / np.where(square > 0, square, 1))
    p = (_gap(u, c) + _gap(v, c) + c * _dot(s, s)) / 2
    q_square = c**2 * square * _dot(aside, aside)

    def quarter(turned: FloatArray) -> FloatArray:
        crossed: FloatArray = c * (u * _dot(aside, turned) - aside * _dot(u, turned))
        return crossed

    once = quarter(w)
    rotated: FloatArray = w + 2 * (p * once + quarter(once)) / (p**2 + q_square)
    return rotated


def gyrocosine(u: FloatArray, v: FloatArray) -> FloatArray:
    """Return the cosine of the angle between gyrovectors rooted at the origin, row by row.

    cos(u, v) = u.v / (|u| |v|), because the ball is conformal: it is the plain cosine. Seen from a
    point p the angle between x and y is that of gyrovector(p, x) and gyrovector(p, y).
    """
    cosines: FloatArray = (normalize_rows(u) * normalize_rows(v)).sum(axis=-1)
    return np.clip(cosines, -1, 1)


def exp(x: FloatArray, v: FloatArray, *, c: float) -> FloatArray:
    """Return the points reached from x along tangent vectors v, at the distance l_x |v|.

    exp_x(v) = x (+) tanh(sqrt(c) l_x |v| / 2) v / (sqrt(c)|v|), l_x = 2 / (1 - c|x|^2).
    """
    gap = _gap(x, c)
    reach = np.sqrt(c) * norms(v, keepdims=True) / gap
    step = v / gap * np.divide(np.tanh(reach), reach, where=reach > 0, out=np.ones_like(reach))
    # 1 - tanh^2 = 1/cosh^2, written so that it neither cancels nor overflows.
    left = np.exp(-2 * reach)
    return _add_with_gaps(x, step, gap, 4 * left / (1 + left) ** 2, c)


def log(x: FloatArray, y: FloatArray, *, c: float) -> FloatArray:
    """Return the tangent vectors at x that lead to y; the inverse of exp.

    log_x(y) = d(x, y) / l_x times the direction of -x (+) y; zero where x equals y.
    """
    towards = gyrovector(x, y, c=c)
    length = norms(towards, keepdims=True)
    far = distance(x, y, c=c)[..., None] * _gap(x, c) / 2
    vectors: FloatArray = towards * (far / np.where(length > 0, length, 1))
    return vectors


def transport(x: FloatArray, y: FloatArray, v: FloatArray, *, c: float) -> FloatArray:
    """Return tangent vectors v at x carried to y in parallel along the geodesic.

    P(v) = (l_x / l_y) gyr[y, -x] v, which keeps l|v|, the Riemannian length, and angles.
    """
    carried: FloatArray = _gap(y, c) / _gap(x, c) * gyration(y, -x, v, c=c)
    return carried


def geodesic(x: FloatArray, y: FloatArray, t: FloatArray | float, *, c: float) -> FloatArray:
    """Return the point at the share t of the way from x (t = 0) to y (t = 1).

    x (+) t (x) (-x (+) y); one number t, or one for each row.
    """
    return exp(x, np.asarray(t)[..., None] * log(x, y, c=c), c=c)


def _add_with_gaps(
    x: FloatArray, y: FloatArray, gap_x: FloatArray, gap_y: FloatArray, c: float
) -> FloatArray:
    s = x + y
    square = c * _dot(s, s)
    added: FloatArray = (gap_x * s + square * x) / (square + gap_x * gap_y)
    return added


def _gap(x: FloatArray, c: float) -> FloatArray:
    return checked_boundary_gap(x, c=c)[..., None]


def _dot(x: FloatArray, y: FloatArray) -> FloatArray:
    products: FloatArray = np.einsum("...i,...i->...", x, y)[..., None]
    return products

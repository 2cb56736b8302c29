"""The gyro operations of the Poincaré ball, as pure functions of points and curvature.

Points are rows of the last axis; all axes before it are broadcast. Every sum is written through
x + y and the gaps to the border, not through 1 + 2c x.y, so that it loses no digits where two
points nearly cancel or lie near the border. An answer farther than about 37/sqrt(c) from the
origin rounds to the border itself: the Poincare object projects it back.

Ungar (2008), A Gyrovector Space Approach to Hyperbolic Geometry; Ganea et al. (2018), Hyperbolic
Neural Networks, arXiv:1805.09112.
"""

import numpy as np

from fairvec.geometry.ball.poincare_math import distance, exp0, gap_inside, log0
from fairvec.geometry.base import FloatArray
from fairvec.geometry.sizes import lengths, unit


def mobius_add(x: FloatArray, y: FloatArray, *, c: float) -> FloatArray:
    """Return x (+) y: the point that y becomes when the origin is carried to x.

    x (+) y = ((1 + 2c x.y + c|y|^2) x + (1 - c|x|^2) y) / (1 + 2c x.y + c^2 |x|^2 |y|^2).

    Neither commutative nor associative; as c -> 0 it tends to x + y.
    """
    return _sum(x, y, _gap(x, c), _gap(y, c), c)


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
    cosines: FloatArray = (unit(u) * unit(v)).sum(axis=-1)
    return np.clip(cosines, -1, 1)


def exp(x: FloatArray, v: FloatArray, *, c: float) -> FloatArray:
    """Return the points reached from x along tangent vectors v, at the distance l_x |v|.

    exp_x(v) = x (+) tanh(sqrt(c) l_x |v| / 2) v / (sqrt(c)|v|), l_x = 2 / (1 - c|x|^2).
    """
    gap = _gap(x, c)
    reach = np.sqrt(c) * lengths(v, keepdims=True) / gap
    step = v / gap * np.divide(np.tanh(reach), reach, where=reach > 0, out=np.ones_like(reach))
    # 1 - tanh^2 = 1/cosh^2, written so that it neither cancels nor overflows.
    left = np.exp(-2 * reach)
    return _sum(x, step, gap, 4 * left / (1 + left) ** 2, c)


def log(x: FloatArray, y: FloatArray, *, c: float) -> FloatArray:
    """Return the tangent vectors at x that lead to y; the inverse of exp.

    log_x(y) = d(x, y) / l_x times the direction of -x (+) y; zero where x equals y.
    """
    towards = gyrovector(x, y, c=c)
    length = lengths(towards, keepdims=True)
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


def _sum(
    x: FloatArray, y: FloatArray, gap_x: FloatArray, gap_y: FloatArray, c: float
) -> FloatArray:
    s = x + y
    square = c * _dot(s, s)
    added: FloatArray = (gap_x * s + square * x) / (square + gap_x * gap_y)
    return added


def _gap(x: FloatArray, c: float) -> FloatArray:
    return gap_inside(x, c=c)[..., None]


def _dot(x: FloatArray, y: FloatArray) -> FloatArray:
    products: FloatArray = np.einsum("...i,...i->...", x, y)[..., None]
    return products

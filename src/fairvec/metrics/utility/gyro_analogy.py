"""Analogies in curved space: the point to which gyro-translation takes three points."""

from collections.abc import Sequence

import numpy as np

from fairvec.geometry import FloatArray, Geometry, Poincare, ProductOfBalls
from fairvec.geometry.ball_formulas import geodesic


def gyro_translate(
    a: FloatArray, b: FloatArray, c: FloatArray, t: float, geometry: Geometry
) -> FloatArray:
    """Return the point that is to c as b is to a, row by row.

    d1 = c (+) gyr[c, -a](-a (+) b) carries the way from a to b over to c, and
    d2 = b (+) gyr[b, -a](-a (+) c) the way from a to c over to b. In curved space the two differ;
    the answer lies at the share t of the geodesic from d1 (t = 0) to d2 (t = 1). In flat space it
    is b - a + c, whatever t; in a product of balls this is done ball by ball.

    Tifrea, Bécigneul & Ganea (2019), arXiv:1810.06546; Kumar et al. (2020), arXiv:2109.13767,
    appendix 2.3.
    """
    if geometry.curvature == 0:
        return b - a + c
    balls = geometry.balls if isinstance(geometry, ProductOfBalls) else 1
    a_b_c = np.stack([a, b, c])
    d1, d2 = _translations(a_b_c.reshape(*a_b_c.shape[:-1], balls, -1), geometry.curvature)
    point = geodesic(d1, d2, t, c=geometry.curvature).reshape(a.shape)
    return geometry.project(point).points  # rounding may have put it on the border


def gyro_weights(
    a: FloatArray, b: FloatArray, c: FloatArray, ts: Sequence[float], geometry: Geometry
) -> FloatArray:
    """Return the numbers by which a, b and c add up to the translated points: (ts, rows, 3).

    Every gyro operation stays in the span of its points and turns with them, so it is done in
    three dimensions, in coordinates along an orthonormal basis of that span.
    """
    if geometry.curvature == 0:
        return np.broadcast_to([-1.0, 1.0, 1.0], (len(ts), len(a), 3))
    _, triangle = np.linalg.qr(np.stack([a, b, c], axis=-1))
    d1, d2 = _translations(np.moveaxis(triangle, -1, 0), geometry.curvature)
    # Points that depend on one another, as those of two like words do, have many such numbers.
    inverse = np.linalg.pinv(triangle, rcond=1e-9)
    between = np.stack([geodesic(d1, d2, t, c=geometry.curvature) for t in ts])
    between = Poincare(geometry.curvature).project(between).points
    weights: FloatArray = np.einsum("qij,tqj->tqi", inverse, between)
    return weights


def _translations(points: FloatArray, curvature: float) -> tuple[FloatArray, FloatArray]:
    """Return d1 and d2, each as the end of a tangent vector that was carried to c and to b.

    c (+) gyr[c, -a](-a (+) b) is that, and no point on the way rounds to the border.
    """
    ball = Poincare(curvature)

    def carry(start: FloatArray, end: FloatArray, to: FloatArray) -> FloatArray:
        return ball.exp(to, ball.transport(start, to, ball.log(start, end)))

    a, b, c = points
    return carry(a, b, c), carry(a, c, b)

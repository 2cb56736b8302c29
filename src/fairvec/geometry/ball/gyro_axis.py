"""The axis of a concept in the ball: how two groups of points differ, seen from the origin."""

from fairvec.geometry.base import FloatArray, Geometry
from fairvec.geometry.sizes import length, unit_vector
from fairvec.ground.errors import UndefinedError


def gyro_axis(a: FloatArray, b: FloatArray, geometry: Geometry) -> FloatArray:
    """Return h, along which points lean from the centre a of one group to the centre b of another.

    h = g_ab/|g_ab| - g_ba/|g_ba|,   g_ab = -a (+) b,   g_ba = -b (+) a

    Möbius addition does not commute, so there are two gyrovectors between the centres and not
    merely one and its opposite; in flat space they are opposite and |h| = 2. All are taken as
    tangent vectors at the origin, whose directions in a ball are those of the points. The
    gyrocosine bias of a point is gamma(w) = w.h / (2 |w|), w its own tangent vector.

    Kumar et al. (2020), arXiv:2109.13767, section 3.1, with a the male and b the female mean.
    """
    there, back = (geometry.log0(geometry.gyrovector(*ends)) for ends in ((a, b), (b, a)))
    if min(length(there), length(back)) <= 1e-12 * max(length(a), length(b)):
        raise UndefinedError(
            "The centres of the two lists coincide, so nothing leads from one to the other; use "
            "lists with different words."
        )
    axis: FloatArray = unit_vector(there) - unit_vector(back)
    return axis

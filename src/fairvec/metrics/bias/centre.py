"""The middle of a group of points, in flat space and in the ball, and words to hold against it."""

import numpy as np
from scipy.spatial.distance import cdist

from fairvec.geometry import FloatArray, Geometry
from fairvec.geometry.directions import unit
from fairvec.geometry.poincare_math import border_gap
from fairvec.lexicon import Groups


def centre(points: FloatArray, *, c: float) -> FloatArray:
    """Return the mean in flat space (c = 0) and the gyromidpoint in the ball of curvature c.

    m = sum_i l_i x_i / ( sum_i (l_i - 1) + sqrt(sum_ij cosh(sqrt(c) d(x_i, x_j))) ),
    l_i = 2 / (1 - c |x_i|^2)

    As a mean in flat space it does not depend on where the origin lies; with c = 0 the formula is
    that of the arithmetic mean. The root is the length of the summed points on the hyperboloid,
    taken from the points' distances because its textbook form loses every digit near the border.

    Ungar (2008), A Gyrovector Space Approach to Hyperbolic Geometry.
    """
    gap = border_gap(points, c=c)
    cosh = 1 + 2 * c * cdist(points, points, "sqeuclidean") / np.outer(gap, gap)
    weighted = (2 / gap) @ points
    middle: FloatArray = weighted / ((2 / gap - 1).sum() + np.sqrt(cosh.sum()))
    return middle


def words_and_centres(
    words: FloatArray, groups: Groups, geometry: Geometry, *, unit_vectors: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the words to compare with the centres of A and B, and these two, one a row.

    If `unit_vectors`, every word is cut to unit length first and the centres are not; in the ball,
    where length is part of a point, nothing is cut.
    """
    place = unit if unit_vectors and geometry.curvature == 0 else np.asarray
    centres = [centre(place(groups[role].vectors), c=geometry.curvature) for role in ("a", "b")]
    return place(words), np.stack(centres)

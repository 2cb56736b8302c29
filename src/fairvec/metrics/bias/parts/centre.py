"""The middles of two groups of points, and words to hold against them."""

import numpy as np

from fairvec.geometry import FloatArray, Geometry
from fairvec.geometry.directions import unit
from fairvec.lexicon import Groups


def words_and_centres(
    words: FloatArray, groups: Groups, geometry: Geometry, *, unit_vectors: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the words to compare with the centres of A and B, and these two, one a row.

    A centre is the mean in flat space and the gyromidpoint in the ball. If `unit_vectors`, every
    word is cut to unit length first and the centres are not; in the ball, where length is part of
    a point, nothing is cut.
    """
    place = unit if unit_vectors and geometry.curvature == 0 else np.asarray
    centres = [geometry.midpoint(place(groups[role].vectors)) for role in ("a", "b")]
    return place(words), np.stack(centres)

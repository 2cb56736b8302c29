"""The formulas of the Poincaré ball, as pure functions of points and curvature.

The ball of curvature c > 0 is { x : c |x|^2 < 1 }. All arithmetic is float64: in float32 a point
farther than about 6 from the origin can no longer be told from the border.
"""

import numpy as np
from scipy.spatial.distance import cdist

from fairvec.geometry.base import FloatArray


def distances(points: FloatArray, others: FloatArray, *, c: float) -> FloatArray:
    """Return the hyperbolic distance of every row of `points` to every row of `others`.

    d(x, y) = 2/sqrt(c) asinh( sqrt(c) |x - y| / sqrt((1 - c|x|^2)(1 - c|y|^2)) ),
    which equals the textbook arcosh and artanh forms but loses no digits for near points or near
    the border. As c -> 0 it tends to TWICE the Euclidean distance.
    """
    stretch = np.sqrt(np.outer(border_gap(points, c=c), border_gap(others, c=c)))
    lengths: FloatArray = 2 / np.sqrt(c) * np.arcsinh(np.sqrt(c) * cdist(points, others) / stretch)
    return lengths


def border_gap(points: FloatArray, *, c: float) -> FloatArray:
    """Return 1 - c|x|^2 for each row, factored so that it keeps its digits near the border."""
    reach = np.sqrt(c) * np.linalg.norm(points, axis=-1)
    gap: FloatArray = (1 - reach) * (1 + reach)
    return gap

"""The weights of a mean."""

import numpy as np

from fairvec.geometry.base import FloatArray
from fairvec.ground.errors import SettingError, UndefinedError


def shares(points: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Return one weight per row, none negative, that sum to one; equal where none are given."""
    if not len(points):
        raise UndefinedError("A mean of no points does not exist; give one word at the least.")
    if weights is None:
        return np.full(len(points), 1 / len(points))
    given = np.asarray(weights, np.float64)
    if given.shape != (len(points),) or not (given >= 0).all() or not 0 < given.sum() < np.inf:
        raise SettingError(
            f"The weights of a mean must be {len(points)} finite numbers, none negative and not "
            "all zero; give one for each point."
        )
    each: FloatArray = given / given.sum()
    return each

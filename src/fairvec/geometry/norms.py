"""Lengths and unit vectors of rows whose lengths can be squared: an embedding refuses all others.

Single precision can square fewer lengths than it can hold: beyond those it is done in double.
"""

from math import isnan

import numpy as np

from fairvec.core.errors import UndefinedError
from fairvec.core.numeric import SQUARED, NumericRange, size_and_remedy
from fairvec.geometry.base import FloatArray

FLOAT32_BOUND = 2.0**50
"""Up to this length, and down to its inverse, single precision squares without losing a digit."""
AVERAGED = NumericRange(1e-140, 1e140)
"""Numbers whose variance keeps all its digits."""


def norms(rows: FloatArray, *, keepdims: bool = False) -> FloatArray:
    """Return |x| of each row; half precision is widened to single."""
    if rows.dtype.itemsize < 4:
        rows = rows.astype(np.float32)
    with np.errstate(over="ignore", under="ignore"):
        found: FloatArray = np.asarray(np.linalg.norm(rows, axis=-1, keepdims=True))
        if rows.dtype.itemsize == 4:
            odd = ~((found >= 1 / FLOAT32_BOUND) & (found <= FLOAT32_BOUND))[..., 0]
            found[odd] = np.linalg.norm(rows[odd].astype(np.float64), axis=-1, keepdims=True)
    return found if keepdims else found[..., 0]


def euclidean_distances(points: FloatArray, others: FloatArray) -> FloatArray:
    """Return |x - y| of every row of `points` and every row of `others`."""
    from scipy.spatial.distance import cdist  # here: most work needs no distances

    return np.asarray(cdist(points, others))


def normalize_rows(vectors: FloatArray) -> FloatArray:
    """Return each row at length one."""
    found = norms(vectors, keepdims=True)
    _require_direction(float(found.min(initial=1)))
    _require_direction(float(found.max(initial=1)))
    units: FloatArray = vectors / found
    return units


def norm(vector: FloatArray) -> float:
    """Return |x| of one vector; its squares are added as in a scalar product."""
    if vector.dtype.itemsize < 8:
        vector = vector.astype(np.float64)
    with np.errstate(over="ignore", under="ignore"):
        return float(np.linalg.norm(vector))


def normalize(vector: FloatArray) -> FloatArray:
    """Return one vector at length one, which is `norm`."""
    found = norm(vector)
    _require_direction(found)
    unit: FloatArray = vector / found
    return unit


def _require_direction(length: float) -> None:
    if length == 0:
        raise UndefinedError("A vector has length zero and so no direction; leave that word out.")
    if not (SQUARED.smallest <= length <= SQUARED.largest or isnan(length)):
        size, remedy = size_and_remedy(length)
        raise UndefinedError(
            f"A vector is so {size} that its length cannot be squared; multiply all vectors by one "
            f"{remedy} number (in a ball also divide c by its square)."
        )


def unit_or_zero(vectors: FloatArray) -> FloatArray:
    """Return each row at length one, and one of length zero as it is."""
    found = norms(vectors, keepdims=True)
    units: FloatArray = vectors / np.where(found == 0, 1, found)
    return units


def check_spread(numbers: FloatArray, what: str) -> FloatArray:
    """Return numbers; raise if they are too large or too small to be squared and averaged."""
    largest = AVERAGED.outlier_in(numbers)
    if largest is None:
        return numbers
    size, remedy = size_and_remedy(largest)
    raise UndefinedError(
        f"The {what} are so {size} (at most {largest:.1g}) that their spread cannot be computed; "
        f"multiply all vectors by one {remedy} number (in a ball also divide c by its square), or "
        "use a measure that goes by cosine."
    )

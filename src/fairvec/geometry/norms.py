"""Lengths and unit vectors of rows of any size, from the smallest float to the largest.

The square of a length below about 1e-162 is zero, and of one above about 1e154 infinite. Such rows
are first multiplied by a power of two, which is exact; all others are squared as they are.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import UndefinedError
from fairvec.core.numeric import NumericRange, size_and_remedy
from fairvec.geometry.base import FloatArray

SHORTEST, LONGEST = 2.0**-450, 2.0**450
"""Between these a length can be squared, and many squares added, without losing a digit."""
FLOAT32_BOUND = 2.0**50
"""The same bound of single precision, upwards and downwards."""
AVERAGED = NumericRange(1e-140, 1e140)
"""Numbers whose variance keeps all its digits."""


def norms(rows: FloatArray, *, keepdims: bool = False) -> FloatArray:
    """Return |x| of each row; infinite only where no float is as large."""
    _, found, exponents = _scaled_norms(rows)
    if exponents is not None:
        with np.errstate(over="ignore"):
            found = np.ldexp(found, exponents)
    return found if keepdims else found[..., 0]


def euclidean_distances(points: FloatArray, others: FloatArray) -> FloatArray:
    """Return |x - y| of every row of `points` and every row of `others`."""
    from scipy.spatial.distance import cdist  # here: most work needs no distances

    distances: FloatArray = np.asarray(cdist(points, others))
    odd = ~((distances >= SHORTEST) & (distances <= LONGEST))
    # Row by row: in lists of equal points every pair is odd, and all at once would not fit.
    for row in np.flatnonzero(odd.any(axis=1)):
        with np.errstate(over="ignore"):  # the two ends of all floats are infinitely far apart
            distances[row, odd[row]] = norms(points[row] - others[odd[row]])
    return distances


def normalize_rows(vectors: FloatArray) -> FloatArray:
    """Return each row at length one."""
    rows, found, _ = _scaled_norms(vectors)
    if not found.all():
        raise UndefinedError("A vector has length zero and so no direction; leave that word out.")
    units: FloatArray = rows / found
    return units


def norm(vector: FloatArray) -> float:
    """Return |x| of one vector; its squares are added as in a scalar product."""
    vector, (shortest, longest) = _square_bounds(vector)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        found = float(np.linalg.norm(vector))
    return found if shortest <= found <= longest else float(norms(vector))


def normalize(vector: FloatArray) -> FloatArray:
    """Return one vector at length one, which is `norm`."""
    (vector,), _ = rescale(vector)
    found = norm(vector)
    if not found:
        raise UndefinedError("A vector has length zero and so no direction; leave that word out.")
    unit: FloatArray = vector / found
    return unit


def unit_or_zero(vectors: FloatArray) -> FloatArray:
    """Return each row at length one, and one of length zero as it is."""
    rows, found, _ = _scaled_norms(vectors)
    units: FloatArray = rows / np.where(found == 0, 1, found)
    return units


def rescaled_rows_and_norms(rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return rows in the same directions and their lengths, which can be multiplied and divided."""
    scaled, found, _ = _scaled_norms(rows)
    return scaled, found[..., 0]


def rescale(*arrays: FloatArray) -> tuple[tuple[FloatArray, ...], int]:
    """Return arrays whose squares can be summed, and the power of two that takes them back.

    All are multiplied by the same one, and by none if their largest number is of a usual size.
    """
    arrays, bounds = zip(*map(_square_bounds, arrays), strict=True)
    squared = NumericRange(max(low for low, _ in bounds), min(high for _, high in bounds))
    return squared.in_range(*arrays)


def check_spread(numbers: FloatArray, what: str) -> FloatArray:
    """Return numbers; raise if they are too large or too small to be squared and averaged."""
    largest = AVERAGED.broken_by(numbers)
    if largest is None:
        return numbers
    size, remedy = size_and_remedy(largest)
    raise UndefinedError(
        f"The {what} are so {size} (at most {largest:.1g}) that their spread cannot be computed; "
        f"multiply all vectors by one {remedy} number (in a ball also divide c by its square), or "
        "use a measure that goes by cosine."
    )


def _scaled_norms(rows: FloatArray) -> tuple[FloatArray, FloatArray, NDArray[Any] | None]:
    """Return rows, their lengths (with an axis behind), and the exponents that both still need."""
    rows, (shortest, longest) = _square_bounds(rows)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        found: FloatArray = np.linalg.norm(rows, axis=-1, keepdims=True)
        odd = ~((found >= shortest) & (found <= longest))[..., 0]
    if not odd.any():
        return rows, found, None
    scaled, exponents = np.array(rows, np.float64), np.zeros(found.shape, np.intc)
    largest = np.abs(scaled[odd]).max(axis=-1, keepdims=True, initial=0)
    exponents[odd] = np.frexp(largest)[1]
    scaled[odd] = np.ldexp(scaled[odd], -exponents[odd])
    found[odd] = np.linalg.norm(scaled[odd], axis=-1, keepdims=True)
    return scaled, found, exponents


def _square_bounds(rows: FloatArray) -> tuple[FloatArray, tuple[float, float]]:
    """Return rows, and the lengths between which their kind of float can square them.

    Half precision is too narrow for squares at all and is widened; single precision stays.
    """
    kind = rows.dtype.itemsize
    if kind >= 8:
        return rows, (SHORTEST, LONGEST)
    return (rows if kind == 4 else rows.astype(np.float32)), (1 / FLOAT32_BOUND, FLOAT32_BOUND)

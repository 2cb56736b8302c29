"""Product quantisation: a vector is a row of small codes, each the number of a short vector.

Reference: Jégou, Douze, Schmid 2011, "Product Quantization for Nearest Neighbor Search".
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.errors import FileFormatError
from fairvec.ground.machine.budget import refuse_beyond

MOST_CENTROIDS = 256
"""A code is one byte."""
ROWS_AT_ONCE = 4096
"""Rows decoded together, so that the codes' positions stay in the cache."""


@dataclass(frozen=True)
class Quantised:
    """Keys, their codes (n x m) and the short vectors the codes stand for (m x k x d/m)."""

    keys: list[str]
    codes: NDArray[np.uint8]
    codebooks: NDArray[np.float32]

    def only(self, rows: list[int]) -> "Quantised":
        """Return the same for some of the rows."""
        return Quantised([self.keys[row] for row in rows], self.codes[rows], self.codebooks)

    def vectors(self) -> NDArray[np.float32]:
        """Return the vectors that the codes stand for."""
        return decode(self.codes, self.codebooks)


def decode(codes: NDArray[np.uint8], codebooks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the n x d matrix whose row i joins codebooks[j, codes[i, j]] over all parts j."""
    parts, centroids, width = codebooks.shape
    short_vectors = codebooks.reshape(parts * centroids, width)
    first_of_part = np.arange(parts) * centroids
    vectors = np.empty((len(codes), parts, width), dtype=np.float32)
    for start in range(0, len(codes), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        # Codes are checked on reading, so that no clipping ever happens; it is the fast mode.
        np.take(short_vectors, codes[rows] + first_of_part, 0, out=vectors[rows], mode="clip")
    return vectors.reshape(len(codes), parts * width)


def decoded(path: Path, quantised: Quantised) -> NDArray[np.float32]:
    """Return the vectors of a file, unless they are more than codes can honestly stand for."""
    parts, _, width = quantised.codebooks.shape
    asked = len(quantised.codes) * parts * width * quantised.codebooks.itemsize
    refuse_beyond(path.name, "its decoded vectors", asked, path.stat().st_size)
    return quantised.vectors()


def refuse_unreadable(path: Path, quantised: Quantised) -> None:
    """Raise unless keys, codes and codebooks fit together and every number is finite."""
    keys, codes, codebooks = quantised.keys, quantised.codes, quantised.codebooks
    if not (
        (codes.ndim, codes.dtype.str) == (2, "|u1")
        and (codebooks.ndim, codebooks.dtype.str) == (3, "<f4")
        and len(codes) == len(keys) > 0
        and codes.shape[1] == len(codebooks) > 0
        and 1 <= codebooks.shape[1] <= MOST_CENTROIDS
        and codebooks.shape[2] > 0
    ):
        raise FileFormatError(
            f"{path.name} holds {len(keys)} keys, codes of shape {codes.shape} ({codes.dtype}) and "
            f"codebooks of shape {codebooks.shape} ({codebooks.dtype}), which do not fit together; "
            "write or download it again."
        )
    if int(codes.max()) >= codebooks.shape[1]:
        raise FileFormatError(
            f"{path.name} holds the code {codes.max()}, but its codebooks end at "
            f"{codebooks.shape[1] - 1}; write or download it again."
        )
    if not np.isfinite(codebooks).all():
        raise FileFormatError(
            f"{path.name} holds NaN or infinity in its codebooks; write or download it again."
        )

"""A matrix that fills from the top while the number of its rows is still a guess."""

import numpy as np
from numpy.typing import NDArray

GROWTH = 1.1


class GrowingMatrix:
    """Rows of float32; grown and cut to size in place, so that no second copy is held."""

    def __init__(self, expected_rows: int, columns: int) -> None:
        self._matrix = np.empty((expected_rows, columns), dtype=np.float32)
        self._filled = 0

    def next_rows(self, count: int) -> NDArray[np.float32]:
        """Return the next `count` rows to write into; the ones given before must be done with."""
        needed = self._filled + count
        if needed > len(self._matrix):
            self._resize(max(needed, int(len(self._matrix) * GROWTH)))
        self._filled = needed
        return self._matrix[needed - count : needed]

    def finished(self) -> NDArray[np.float32]:
        """Return the filled rows."""
        if self._filled < len(self._matrix):
            self._resize(self._filled)
        return self._matrix

    def _resize(self, rows: int) -> None:
        # refcheck would count views that are done with; the system's realloc moves no bytes.
        self._matrix.resize((rows, self._matrix.shape[1]), refcheck=False)

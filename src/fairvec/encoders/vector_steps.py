"""What may follow a pooled vector."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from fairvec.geometry import FloatArray

SHORTEST = 1e-12
"""What a vector is divided by at the least, as in torch."""


class VectorStep(Protocol):
    """A change of vectors, one by one."""

    @property
    def width(self) -> int | None:
        """How many columns it gives; nothing if as many as it gets."""
        ...

    def applied(self, rows: FloatArray) -> FloatArray:
        """Return the changed rows."""
        ...


@dataclass(frozen=True)
class UnitLength:
    """Divides each vector by its length: v / max(|v|, 1e-12)."""

    @property
    def width(self) -> int | None:
        """As many columns as it gets."""
        return None

    def applied(self, rows: FloatArray) -> FloatArray:
        """Return rows of length 1."""
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        divided: FloatArray = rows / np.maximum(lengths, SHORTEST)
        return divided

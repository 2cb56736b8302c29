"""What fitting a debiasing method gives: a frozen change of embeddings of one space."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.debias.moves import Move
from fairvec.debias.tangent import at_lengths, from_tangent, to_tangent
from fairvec.embedding import Embedding, Step
from fairvec.errors import FileFormatError, GeometryError, SettingError
from fairvec.geometry import FloatArray, Geometry

BLOCK = 1024
"""How many rows are worked on at a time."""

Vectors = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class Transform:
    """A fitted method: how every word moves, which words do not, and which have a set place.

    `guarantees` are the properties that hold after transforming (see debias.base), for the words
    that move. `fitted_on` are the keys whose vectors decided where words move. `unmoved` keys stay
    (at unit length, if `lengths` says so), `placed` keys go where fitting put them, in whatever
    embedding of the space. `remarks` say what fitting left out.
    """

    method: str
    settings: Mapping[str, Any]
    concept: str
    fitted_on: tuple[str, ...]
    guarantees: frozenset[str]
    geometry: Geometry
    move: Move
    lengths: str = "free"
    unmoved: frozenset[str] = frozenset()
    placed: Mapping[str, FloatArray] = field(default_factory=dict)
    remarks: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The method and what it takes out."""
        return f"{self.method} {self.concept}"

    @cached_property
    def step(self) -> Step:
        """What the history of a transformed embedding says."""
        details = {
            "method": self.method,
            "concept": self.concept,
            **self.settings,
            "fitted_on": list(self.fitted_on),
            **{name: list(words) for name, words in self.remarks.items()},
        }
        return Step("debias", details)

    def transform(self, embedding: Embedding) -> Embedding:
        """Return a new embedding, in float32 at least: half floats would blur what was removed."""
        kind = np.result_type(embedding.vectors.dtype, np.float32)
        return self.into(embedding, np.empty(embedding.vectors.shape, kind))

    def into(self, embedding: Embedding, out: Vectors) -> Embedding:
        """Write the new vectors into an array of the caller's, and return an embedding over it.

        `out` may be the array over which `embedding` lies: rows are read before they are written.
        """
        self.check(embedding)
        if out.shape != embedding.vectors.shape or out.dtype.kind != "f":
            raise SettingError(
                f"The array to write into has shape {out.shape} and type {out.dtype}; it must "
                f"hold floats in the shape {embedding.vectors.shape}."
            )
        for start in range(0, len(embedding), BLOCK):
            block = slice(start, start + BLOCK)
            out[block] = self.apply(embedding.vectors[block], embedding.keys[block])
            _pull_inside(out[block], self.geometry)
        return embedding.moved_to(out, self.step)

    def apply(self, rows: Vectors, keys: Sequence[str]) -> FloatArray:
        """Return where the rows of some keys move to, in float64; rows do not know one another."""
        before = np.asarray(rows, np.float64)
        self._check_rows(before, keys)
        start = to_tangent(before, self.geometry)
        moved = self.move.rows(start)
        still = [row for row, key in enumerate(keys) if key in self.unmoved]
        moved[still] = start[still]
        if self.lengths != "free":
            lengths = np.linalg.norm(start, axis=1)
            wanted = lengths if self.lengths == "kept" else np.ones_like(lengths)
            moved = at_lengths(moved, wanted, before=start)
        placed = [row for row, key in enumerate(keys) if key in self.placed]
        if placed:
            moved[placed] = [self.placed[keys[row]] for row in placed]
        after = from_tangent(moved, self.geometry)
        if self.lengths != "unit":
            after[still] = before[still]
        return after

    def check(self, embedding: Embedding) -> None:
        """Raise unless an embedding lies in the space for which the transform was fitted."""
        if (embedding.dimensions, embedding.geometry) != (self.move.dimensions, self.geometry):
            raise GeometryError(
                f"{self.name} was fitted in {_space(self.move.dimensions, self.geometry)} and "
                f"{embedding.name} has {_space(embedding.dimensions, embedding.geometry)}; fit "
                "the method on an embedding of that space."
            )

    def _check_rows(self, rows: FloatArray, keys: Sequence[str]) -> None:
        if rows.shape != (len(keys), self.move.dimensions):
            raise SettingError(
                f"{len(keys)} keys and rows of shape {rows.shape} do not match; give one row of "
                f"{self.move.dimensions} numbers per key."
            )
        inside = self.geometry.contains(rows)
        if not inside.all():
            raise FileFormatError(
                f"The vector of {keys[int(inside.argmin())]!r} is no point of the "
                f"{self.geometry.name} space (NaN, infinity or past the border); mend the model."
            )


def _pull_inside(rows: Vectors, geometry: Geometry) -> None:
    """Undo what rounding to narrower floats may do to points at the border of the ball."""
    if geometry.curvature:
        while (outside := ~geometry.contains(rows.astype(np.float64))).any():
            rows[outside] *= 1 - 2 * np.finfo(rows.dtype).eps


def _space(dimensions: int, geometry: Geometry) -> str:
    curved = f" with c = {geometry.curvature:g}" if geometry.curvature else ""
    return f"{dimensions} dimensions ({geometry.name}{curved})"

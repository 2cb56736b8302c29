"""A fitted debiasing method (`Transform`): it moves embeddings, arrays of rows, and encoders."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError, GeometryError, SettingError, UndefinedError
from fairvec.core.io.cache import digest_of
from fairvec.core.text import short_repr
from fairvec.embedding import Embedding, Step
from fairvec.embedding.embedding import check_lengths
from fairvec.encoders import Encoder, Representation, TextModel, WordPieces
from fairvec.geometry import FloatArray, Geometry
from fairvec.geometry.norms import norms
from fairvec.languages.sentences import Sentence
from fairvec.mitigation.moves import Loop, Move, at_lengths

BLOCK = Move.rows_at_a_time
WORTH_COMPILING = 1 << 26
"""From how many numbers on a compiled loop is faster although it has to be loaded first."""
COMPILED = (np.dtype(np.float32), np.dtype(np.float64))

Vectors = NDArray[np.floating[Any]]


class _Keys(NamedTuple):
    """The keys of some rows: those of a longer list from `start` on."""

    keys: Sequence[str]
    start: int

    def of(self, block: slice) -> Sequence[str]:
        """Return the keys of a block of the rows."""
        return self.keys[self.start + block.start : self.start + block.stop]


class RowMarks(NamedTuple):
    """The rows that do not simply move, in order: those that stay, and those with a set place."""

    fixed: NDArray[np.intp]
    placed: NDArray[np.intp]
    places: FloatArray

    def within(self, block: slice) -> "RowMarks":
        """Return the marked rows of a block, counted from its first row."""
        fixed, placed = (
            slice(*np.searchsorted(rows, (block.start, block.stop)))
            for rows in (self.fixed, self.placed)
        )
        return RowMarks(
            self.fixed[fixed] - block.start, self.placed[placed] - block.start, self.places[placed]
        )


@dataclass(frozen=True, eq=False)
class Transform:
    """A fitted method: how every word moves, which words do not, and which have a set place.

    `guarantees` are the properties that hold after transforming (see `mitigation.base`), for the
    words that move. `fitted_on` are the keys whose vectors decided where words move. `unmoved` keys
    stay (at unit length, if `lengths` says so), `placed` keys go where fitting put them, in
    whatever embedding of the space. `remarks` say what fitting left out, and how steady its
    directions are.
    """

    method: str
    settings: Mapping[str, Any]
    concept: str
    fitted_on: tuple[str, ...]
    geometry: Geometry
    move: Move
    guarantees: frozenset[str] = frozenset()
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
        return self.into(embedding, np.empty(embedding.vectors.shape, floats_after(embedding)))

    def on(self, encoder: Encoder) -> Encoder:
        """Return the encoder whose sentence vectors are moved."""
        return debias_encoder(self, encoder)

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
        self.write(embedding, 0, out)
        return embedding.with_vectors(out, self.step)

    def write(self, embedding: Embedding, start: int, out: Vectors) -> None:
        """Write the new vectors of as many rows as `out` has, from row `start` on."""
        stop = start + len(out)
        marks = self._row_marks(self._find_marked(embedding, start, stop))
        rows, loop = embedding.vectors[start:stop], self._compiled_loop(embedding.vectors, out)
        self._write(rows, _Keys(embedding.keys, start), marks, loop, out)

    def write_rows(self, embedding: Embedding, rows: NDArray[np.int64], out: Vectors) -> None:
        """Write the new vectors of the rows of these numbers, in their order."""
        keys = [embedding.keys[row] for row in rows.tolist()]
        marks = self._row_marks(self._marked_among(keys))
        loop = self._compiled_loop(embedding.vectors, out)
        self._write(embedding.vectors[rows], _Keys(keys, 0), marks, loop, out)

    def _write(
        self, rows: Vectors, row_keys: "_Keys", marks: RowMarks, loop: Loop | None, out: Vectors
    ) -> None:
        remaining = [slice(0, len(out))]
        if loop:
            remaining = loop(rows, out, marks.fixed)
            out[marks.placed] = marks.places
        for block in chain.from_iterable(
            _blocks(rest, self.move.rows_at_a_time) for rest in remaining
        ):
            before = _as_double(rows[block])
            keys = row_keys.of(block)
            self._check_rows(before, keys)
            try:
                # The cast too: what a double can be may be too large for a narrower float.
                with np.errstate(over="raise", invalid="raise", divide="raise"):
                    out[block] = self._move_rows(before, marks.within(block))
            except FloatingPointError:
                raise self._overflow_error(before, keys) from None
            pull_inside(out[block], self.geometry)

    def apply(self, rows: Vectors, keys: Sequence[str]) -> FloatArray:
        """Return where the rows of some keys move to, in float64; rows do not know one another."""
        before = _as_double(rows)
        self._check_rows(before, keys)
        return self._move_rows(before, self._row_marks(self._marked_among(keys)))

    def _overflow_error(self, rows: FloatArray, keys: Sequence[str]) -> UndefinedError:
        longest = keys[int(np.abs(rows).max(axis=1).argmax())]
        return UndefinedError(
            f"{self.name} takes words past the largest float, of which {short_repr(longest)} has "
            "the longest vector; multiply all vectors by one small number (in a ball also divide "
            "c by its square), and fit the method again."
        )

    def check(self, embedding: Representation) -> None:
        """Raise unless a model lies in the space for which the transform was fitted."""
        if (embedding.dimensions, embedding.geometry) != (self.move.dimensions, self.geometry):
            raise GeometryError(
                f"{self.name} was fitted in {_space(self.move.dimensions, self.geometry)} and "
                f"{embedding.name} has {_space(embedding.dimensions, embedding.geometry)}; fit "
                "the method on an embedding of that space."
            )

    def _move_rows(self, before: FloatArray, marks: RowMarks) -> FloatArray:
        fixed = marks.fixed
        start = self.geometry.log0(before)
        moved = self.move.rows(start)
        moved[fixed] = start[fixed]
        if self.lengths != "free":
            lengths = norms(start)
            target_lengths = lengths if self.lengths == "kept" else np.ones_like(lengths)
            moved = at_lengths(moved, target_lengths, before=start)
        moved[marks.placed] = marks.places
        after = self.geometry.exp0(moved)
        if self.lengths != "unit":
            after[fixed] = before[fixed]
        return after

    @cached_property
    def _marked_keys(self) -> frozenset[str]:
        return self.unmoved | self.placed.keys()

    def _find_marked(
        self, embedding: Embedding, start: int, stop: int
    ) -> Iterator[tuple[int, str]]:
        """Give the marked keys of some rows, and where, by the fewer of rows and marked keys."""
        if stop - start < len(self._marked_keys):
            yield from self._marked_among(embedding.keys[start:stop])
            return
        for key in self._marked_keys:
            if start <= (row := embedding.positions.get(key, -1)) < stop:
                yield row - start, key

    def _marked_among(self, keys: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Give those of some keys that are marked, and where they stand."""
        return ((row, key) for row, key in enumerate(keys) if key in self._marked_keys)

    def _row_marks(self, found: Iterable[tuple[int, str]]) -> RowMarks:
        rows = sorted(found)
        fixed = [row for row, key in rows if key not in self.placed]
        placed = [(row, self.placed[key]) for row, key in rows if key in self.placed]
        places = np.empty((len(placed), self.move.dimensions))
        places[:] = [place for _, place in placed] or 0
        return RowMarks(
            np.array(fixed, np.intp), np.array([row for row, _ in placed], np.intp), places
        )

    def _compiled_loop(self, vectors: Vectors, out: Vectors) -> Loop | None:
        """Return the compiled loop of the move, where there is one and it pays to load it."""
        pays = (
            vectors.size >= WORTH_COMPILING // self.move.work
            and vectors.dtype == out.dtype
            and vectors.dtype in COMPILED
            and vectors.flags.c_contiguous
            and out.flags.c_contiguous
        )
        return self.move.loop(self.geometry, self.lengths) if pays else None

    def _check_rows(self, rows: FloatArray, keys: Sequence[str]) -> None:
        if rows.shape != (len(keys), self.move.dimensions):
            raise SettingError(
                f"{len(keys)} keys and rows of shape {rows.shape} do not match; give one row of "
                f"{self.move.dimensions} numbers per key."
            )
        inside = self.geometry.contains(rows)
        if not inside.all():
            raise FileFormatError(
                f"The vector of {short_repr(keys[int(inside.argmin())])} is no point of the "
                f"{self.geometry.name} space (NaN, infinity or past the border); mend the model."
            )
        check_lengths(rows, keys, self.name)


def _as_double(rows: Vectors) -> FloatArray:
    with np.errstate(over="ignore"):  # wider floats may be larger than any double: refused as such
        return np.asarray(rows, np.float64)


def floats_after(embedding: Embedding) -> np.dtype[Any]:
    """Return the float type that a transformed embedding gets unless its caller gives an array."""
    return np.result_type(embedding.vectors.dtype, np.float32)


def _blocks(rows: slice, size: int) -> Iterator[slice]:
    for start in range(rows.start, rows.stop, size):
        yield slice(start, min(start + size, rows.stop))


def pull_inside(rows: Vectors, geometry: Geometry) -> None:
    """Undo what rounding to narrower floats may do to points at the border of the ball."""
    if not geometry.curvature:
        return
    shrink = 2 * float(np.finfo(rows.dtype).eps)
    while (outside := ~geometry.contains(rows.astype(np.float64))).any():
        if not np.isfinite(rows[outside]).all():
            raise GeometryError(
                f"A word would move to NaN or infinity, which is no point of the {geometry.name} "
                "space; fit the method again, or read its file anew."
            )
        rows[outside] *= 1 - shrink
        # Twice as far each time: points come to the origin at the latest, whatever they are.
        shrink = min(2 * shrink, 1.0)


def _space(dimensions: int, geometry: Geometry) -> str:
    curved = f" with c = {geometry.curvature:g}" if geometry.curvature else ""
    return f"{dimensions} dimensions ({geometry.name}{curved})"


@dataclass(frozen=True, eq=False)
class DebiasedTextModel(TextModel):
    """A text model whose vectors a transform moves."""

    encoder: Encoder
    transform: "Transform"

    @property
    def dimensions(self) -> int:
        """The number of columns."""
        return self.encoder.dimensions

    @property
    def precision(self) -> float:
        """The relative rounding of its numbers."""
        return self.encoder.precision

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the encoder, and what was taken out."""
        return {**self.encoder.model.settings, "debiased": self.transform.name}

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over the encoder and the transform."""
        step = self.transform.step
        digest = sha256(self.encoder.content_hash.encode())
        digest.update(digest_of([step.action, step.details]).encode())
        for name, tensor in sorted(self.transform.move.tensors().items()):
            digest.update(name.encode())
            digest.update(np.ascontiguousarray(tensor).tobytes())
        return digest.hexdigest()

    @property
    def is_remote(self) -> bool:
        """Whether the encoder sends sentences elsewhere."""
        return self.encoder.model.is_remote

    @property
    def probes(self) -> Mapping[str, Any] | None:
        """What the server of the encoder showed of itself."""
        return self.encoder.model.probes

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence."""
        rows = self.encoder.encode(sentences)
        return self.transform.apply(rows, [sentence.text for sentence in sentences])

    def pieces(self, words: Sequence[str]) -> Sequence[WordPieces]:
        """Return the pieces that the encoder makes of words."""
        return self.encoder.pieces(words)


def debias_encoder(transform: "Transform", encoder: Encoder) -> Encoder:
    """Return the encoder whose vectors a transform moves."""
    require_uniform_move(transform)
    transform.check(encoder)
    return Encoder(
        DebiasedTextModel(encoder, transform),
        encoder.name,
        (*encoder.history, transform.step),
        encoder.languages,
    )


def require_uniform_move(transform: "Transform") -> None:
    """Raise where a transform moves some words in a way of their own."""
    if transform.unmoved or transform.placed:
        raise SettingError(
            f"{transform.name} gives single words places of their own, which sentences do not "
            "have; choose linear-projection (with moves=all), inlp, leace or conceptor."
        )

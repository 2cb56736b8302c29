"""What every reader promises: distinct keys, finite vectors, only the words wanted."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding.formats.key_bytes import whole_keys
from fairvec.embedding.formats.reading import Counts, Raw, ReadOptions, Vectors
from fairvec.ground.errors import FileFormatError
from fairvec.ground.machine.mapped_files import let_go
from fairvec.ground.numbers import counted
from fairvec.ground.text.shown_values import shown

ROWS_AT_ONCE = 16384
"""Rows examined together, so that a check never doubles the memory of a matrix."""


def kept(
    path: Path,
    keys: Sequence[str],
    vectors: Vectors,
    options: ReadOptions,
    notes: dict[str, Any] | None = None,
    counts: Counts | None = None,
) -> Raw:
    """Return the first vector of each wanted key, after checking shape and finiteness."""
    if vectors.ndim != 2 or len(vectors) != len(keys):
        raise FileFormatError(
            f"{path.name} holds {counted(len(keys), 'key')} but vectors of shape {vectors.shape}; "
            "it needs one row per key: write the file again."
        )
    if counts is not None and (counts.shape != (len(keys),) or counts.dtype.kind not in "iu"):
        raise FileFormatError(
            f"{path.name} holds {len(keys)} keys but counts of shape {counts.shape} and type "
            f"{counts.dtype}; it needs one whole number per key: write the file again."
        )
    refuse_empty(path, len(keys), vectors.shape[1])
    refuse_non_finite(path, keys, vectors)
    keys, said = whole_keys(path, keys, options)
    notes = dict(notes or {}) | said
    rows = first_rows(keys)
    if len(rows) < len(keys):
        notes["duplicates"] = len(keys) - len(rows)
    if options.words is not None:
        rows = {key: row for key, row in rows.items() if key in options.words}
    if len(rows) == len(keys):
        return Raw(list(keys), vectors, len(keys), notes, counts=counts)
    places = list(rows.values())
    some = None if counts is None else counts[places]
    return Raw(list(rows), vectors[places], len(keys), notes, counts=some)


def first_rows(keys: Sequence[str]) -> dict[str, int]:
    """Return the first row of each key, in the order of the file."""
    rows: dict[str, int] = {}
    for row, key in enumerate(keys):
        rows.setdefault(key, row)
    return rows


def refuse_empty(path: Path, rows: int, columns: int) -> None:
    """Raise unless there is at least one vector with at least one number."""
    if rows == 0 or columns == 0:
        raise FileFormatError(
            f"{path.name} holds no vectors ({rows} x {columns}); check that it was written whole."
        )


def refuse_non_finite(path: Path, keys: Sequence[str], vectors: Vectors) -> None:
    """Raise at the first row that holds NaN or infinity."""
    for start in range(0, len(vectors), ROWS_AT_ONCE):
        finite = _finite(vectors, start)
        if not finite.all():
            row = start + int(finite.argmin())
            raise FileFormatError(
                f"{path.name}, row {row + 1} ({shown(keys[row], 40)}): the vector holds NaN or "
                "infinity; remove that row from the file."
            )


def _finite(vectors: Vectors, start: int) -> NDArray[np.bool_]:
    """Say which rows of a block are finite; apart, so that no block outlives its check."""
    rows = vectors[start : start + ROWS_AT_ONCE]
    finite = np.asarray(np.isfinite(rows).all(axis=1))
    if len(vectors) > ROWS_AT_ONCE:
        let_go(rows)  # whoever has a matrix checked whole goes through it in blocks later
    return finite

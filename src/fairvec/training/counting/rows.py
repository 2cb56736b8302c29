"""Rows of counts: in memory some at a time, in files as a whole."""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairvec.training.counting.cooccurrences import Cooccurrences
from fairvec.training.spilling import Number, mapped, spilling


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of some words that follow one another; `ends` says where each of them ends."""

    first: int
    ends: NDArray[np.int64]
    columns: NDArray[np.int32]
    counts: NDArray[np.int64]


@dataclass(frozen=True)
class RowFiles:
    """The rows of all words, in a folder of three files."""

    folder: Path
    vocabulary: int

    def opened(self, unit: int) -> Cooccurrences:
        """Return the rows, mapped and not read."""
        return Cooccurrences(
            mapped(self.folder / "starts.i64", np.int64),
            mapped(self.folder / "columns.i32", np.int32),
            mapped(self.folder / "counts.i64", np.int64),
            unit,
        )

    def starts(self, first: int, last: int) -> NDArray[np.int64]:
        """Read where the rows from `first` to `last` begin, and where the last of them ends."""
        return self._read("starts.i64", np.int64, first, last + 1)

    def columns(self, start: int, stop: int) -> NDArray[np.int32]:
        """Read some of the columns; a mapped file would stay in memory."""
        return self._read("columns.i32", np.int32, start, stop)

    def counts(self, start: int, stop: int) -> NDArray[np.int64]:
        """Read some of the counts."""
        return self._read("counts.i64", np.int64, start, stop)

    def _read(self, name: str, kind: type[Number], start: int, stop: int) -> NDArray[Number]:
        offset = int(start) * np.dtype(kind).itemsize
        return np.fromfile(self.folder / name, kind, int(stop - start), offset=offset)

    def moved_to(self, folder: Path) -> "RowFiles":
        """Put the files elsewhere on the same disk, in place of what is there."""
        shutil.rmtree(folder, ignore_errors=True)
        return RowFiles(self.folder.rename(folder), self.vocabulary)

    def remove(self) -> None:
        """Remove the files."""
        shutil.rmtree(self.folder)


def written(rows: Iterable[Rows], vocabulary: int, folder: Path) -> RowFiles:
    """Write rows that come in their order; the last file is there when all are whole."""
    starts = np.zeros(vocabulary + 1, np.int64)
    with (
        spilling(folder / "columns.i32") as columns,
        spilling(folder / "counts.i64") as counts,
    ):
        for some in rows:
            last = some.first + len(some.ends)
            starts[some.first + 1 : last + 1] = columns.written + some.ends
            columns.write(some.columns)
            counts.write(some.counts)
    with spilling(folder / "starts.i64") as file:
        file.write(starts)
    return RowFiles(folder, vocabulary)

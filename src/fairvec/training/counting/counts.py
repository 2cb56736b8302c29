"""Co-occurrence counts: the matrix on disk, weights by distance, and plans of memory."""

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import SettingError
from fairvec.core.io.mapped_arrays import Number, mapped, write_array
from fairvec.core.memory import format_size

LARGEST_UNIT = 2**32

ByDistance = Literal["harmonic", "linear", "equal"]
"""What a neighbour counts: 1/distance, or less with each step to nothing, or always 1."""


@dataclass(frozen=True)
class Weighting:
    """What a neighbour at distance k of a window L counts.

    1/k if harmonic, as in GloVe; (L + 1 - k)/L if linear, which is what word2vec's windows of a
    random width come to; 1 if equal. In whole numbers, so that sums do not depend on their order:
    `unit` is what a neighbour at distance 1 counts. Harmonic weights have the least common multiple
    of all distances, and every one is exact, up to a window of 22; beyond it is 2^32 and weights
    are rounded to a part in four billion.
    """

    window: int
    by_distance: ByDistance = "harmonic"

    @property
    def unit(self) -> int:
        """The whole number that stands for 1."""
        match self.by_distance:
            case "harmonic":
                return min(lcm(*range(1, self.window + 1)), LARGEST_UNIT)
            case "linear":
                return self.window
            case "equal":
                return 1

    @property
    def weights(self) -> NDArray[np.int64]:
        """What a neighbour at distance 1, 2, ... counts."""
        distances = np.arange(1, self.window + 1)
        match self.by_distance:
            case "harmonic":
                shares = (Fraction(self.unit, int(distance)) for distance in distances)
                return np.array([round(share) for share in shares], np.int64)
            case "linear":
                return self.window + 1 - distances
            case "equal":
                return np.ones(self.window, np.int64)


@dataclass(frozen=True, eq=False)
class Cooccurrences:
    """X, row by row: the entries of word i lie from starts[i] to starts[i + 1], by rising column.

    X[i, columns[k]] = counts[k] / unit. Symmetric until negative pairs are added; files are mapped.
    """

    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    counts: NDArray[np.int64]
    unit: int

    def __len__(self) -> int:
        """How many words there are."""
        return len(self.starts) - 1

    @property
    def pairs(self) -> int:
        """How many pairs of words stand near one another."""
        return len(self.columns)


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

    def open(self, unit: int) -> Cooccurrences:
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

    def move_to(self, folder: Path) -> "RowFiles":
        """Put the files elsewhere on the same disk, in place of what is there."""
        shutil.rmtree(folder, ignore_errors=True)
        return RowFiles(self.folder.rename(folder), self.vocabulary)

    def remove(self) -> None:
        """Remove the files."""
        shutil.rmtree(self.folder)


def write_rows(rows: Iterable[Rows], vocabulary: int, folder: Path) -> RowFiles:
    """Write rows that come in order; the last file is written when all rows are complete."""
    starts = np.zeros(vocabulary + 1, np.int64)
    with (
        write_array(folder / "columns.i32") as columns,
        write_array(folder / "counts.i64") as counts,
    ):
        for part in rows:
            last = part.first + len(part.ends)
            starts[part.first + 1 : last + 1] = columns.written + part.ends
            columns.write(part.columns)
            counts.write(part.counts)
    with write_array(folder / "starts.i64") as file:
        file.write(starts)
    return RowFiles(folder, vocabulary)


LARGEST_BLOCK = 2**31 - 1
"""Places of a block, and of the words beside it, are numbered by 32 bits."""

BYTES_A_TOKEN = 8
"""A number of the text, and a place of it."""

BYTES_A_PAIR = 24
"""A column and a count, where they are added up and where they wait to be written."""

BYTES_A_WORD = 80
"""Where the places and the rows of a word begin and end, and how long its row may become."""

BYTES_A_WORD_AND_THREAD = 36
"""What stands around a word is added up in a row as long as the vocabulary."""

MOST_RUNS = 64
"""So many runs are merged at once at the most, as each is read in its own places of the disk."""


@dataclass(frozen=True)
class MemoryPlan:
    """What fits into memory: places of a block, bytes of a span of rows, runs merged, threads."""

    block: int
    span: int
    runs: int
    threads: int

    @property
    def with_cluster_connection(self) -> "MemoryPlan":
        """The plan when a connection to a cluster takes half of the memory."""
        return replace(self, span=self.span // 2, runs=max(2, self.runs // 2))


def plan_memory(memory: int, vocabulary: int, window: int, threads: int) -> MemoryPlan:
    """Share a limit of memory out: what the vocabulary takes, then half for text, half for rows.

    A large vocabulary leaves room for fewer threads; one that takes more than half is refused.
    """
    room = memory // 2 // max(1, vocabulary) - BYTES_A_WORD
    threads = min(threads, room // BYTES_A_WORD_AND_THREAD)
    if threads < 1:
        least = 2 * vocabulary * (BYTES_A_WORD + BYTES_A_WORD_AND_THREAD)
        raise SettingError(
            f"Counting {vocabulary:,} words takes {format_size(least)} of memory at least, and "
            f"{format_size(memory)} are allowed; raise the limit, or keep fewer words."
        )
    # What was given back is not at once free for others: an eighth stays unused for that.
    usable = memory - memory // 8
    left = usable - vocabulary * (BYTES_A_WORD + threads * BYTES_A_WORD_AND_THREAD)
    span = left // 2 // (threads + 1)
    return MemoryPlan(
        block=max(1, min(LARGEST_BLOCK, left // 2 // BYTES_A_TOKEN) - 2 * window),
        span=span,
        runs=max(2, min(MOST_RUNS, 2 * span // (BYTES_A_PAIR * vocabulary))),
        threads=threads,
    )


def row_spans(sizes: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Cut rows into spans of at most `most` entries, or of one row that is longer."""
    ends = np.cumsum(sizes)
    first = 0
    while first < len(sizes):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + most, side="right")))
        yield first, last
        first = last

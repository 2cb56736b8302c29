"""One set of rows of several: counts of the same pair are added up."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from fairvec.training.counting.block_rows import in_order
from fairvec.training.counting.rows import RowFiles, Rows, written
from fairvec.training.counting.shares import BYTES_A_PAIR, Shares
from fairvec.training.counting.spans import spans

BYTES_A_START = 8


def merged_files(files: Sequence[RowFiles], place: Path, shares: Shares) -> RowFiles:
    """Merge the rows of several runs into one, some runs at a time, and remove them."""
    waiting = [*files]
    for number in range(len(files)):
        some, waiting = waiting[: shares.runs], waiting[shares.runs :]
        here = place.with_name(f"{place.name}-{number}") if waiting else place
        whole = written(merged(some, shares), some[0].vocabulary, here)
        for file in some:
            file.remove()
        if not waiting:
            break
        waiting.append(whole)
    return whole


def merged(files: Sequence[RowFiles], shares: Shares) -> Iterator[Rows]:
    """Give the rows of all runs as one, some rows at a time within the limit of memory."""
    from fairvec.training.counting.kernel import add_rows

    vocabulary = files[0].vocabulary
    sizes = np.zeros(vocabulary, np.int64)
    for file in files:
        sizes += np.diff(file.starts(0, vocabulary))
    most = np.minimum(sizes, vocabulary)

    def added(first: int, last: int) -> Rows:
        starts = np.empty((len(files), last - first + 1), np.int64)
        for number, file in enumerate(files):
            starts[number] = file.starts(first, last)
        offsets = np.cumsum([0, *(starts[:, -1] - starts[:, 0])])
        run_columns, run_counts = np.empty(offsets[-1], np.int32), np.empty(offsets[-1], np.int64)
        for file, run, offset, end in zip(files, starts, offsets, offsets[1:], strict=False):
            run_columns[offset:end] = file.columns(run[0], run[-1])
            run_counts[offset:end] = file.counts(run[0], run[-1])
        starts -= starts[:, :1]
        room = int(most[first:last].sum())
        columns, counts = np.empty(room, np.int32), np.empty(room, np.int64)
        ends = np.empty(last - first, np.int64)
        used = add_rows(vocabulary, starts, offsets, run_columns, run_counts, columns, counts, ends)
        return Rows(first, ends, columns[:used], counts[:used])

    bytes_of_rows = BYTES_A_PAIR * sizes + BYTES_A_START * (len(files) + 1)
    yield from in_order(added, spans(bytes_of_rows, shares.span), shares.threads)

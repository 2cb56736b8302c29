"""Counting co-occurrences in blocks, merging their rows, and adding negative pairs."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from os import cpu_count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import scratch_folder
from fairvec.core.io.mapped_arrays import release_pages
from fairvec.training.cluster import count_on_cluster
from fairvec.training.counting.blocks import count_rows, map_ordered, text_blocks
from fairvec.training.counting.counts import (
    BYTES_A_PAIR,
    Cooccurrences,
    MemoryPlan,
    RowFiles,
    Rows,
    Weighting,
    plan_memory,
    row_spans,
    write_rows,
)

LARGEST_COUNT = 2**62

CountProgress = Callable[[int, int], None]
"""Called with how many tokens are counted, and how many there are."""


def count_cooccurrences(
    tokens: NDArray[np.int32],
    vocabulary: int,
    weighting: Weighting,
    folder: Path,
    *,
    max_memory: int = 2**31,
    threads: int | None = None,
    progress: CountProgress | None = None,
    scheduler: str | None = None,
) -> Cooccurrences:
    """Count which words of a text stand near one another, and write the rows to `folder`.

    X[i, j] = sum over their places of 1/distance, in both directions. A text that does not fit into
    the limit is counted in blocks, whose sorted rows are merged; whole numbers make that exact. The
    limit is what counting itself takes, beside the interpreter and its libraries.

    `scheduler` is the address of a Dask cluster whose workers count the blocks instead of the
    threads of this machine; the counts are the same to the last digit.
    """
    if 2 * len(tokens) * weighting.unit > LARGEST_COUNT:
        raise SettingError(
            f"{len(tokens):,} words with a window of {weighting.window} outgrow the largest whole "
            "number; take a window of 10."
        )
    threads = threads or cpu_count() or 1
    plan = plan_memory(max_memory, vocabulary, weighting.window, threads)
    if scheduler is None:
        blocks = count_blocks(tokens, vocabulary, weighting, plan, progress)
    else:
        from_cluster = count_on_cluster(scheduler, tokens, vocabulary, weighting, max_memory)
        blocks = blocks_from_cluster(from_cluster, len(tokens), progress)
        plan = plan.with_cluster_connection
    with closing(blocks):
        return write_runs(blocks, vocabulary, folder, plan).open(weighting.unit)


def count_blocks(
    tokens: NDArray[np.int32],
    vocabulary: int,
    weighting: Weighting,
    plan: MemoryPlan,
    progress: CountProgress | None = None,
) -> Generator[Iterable[Rows]]:
    """Yield the rows of each block of a text, which must be read before those of the next."""
    done = 0
    for block in text_blocks(tokens, plan.block, weighting.window):
        yield count_rows(block, vocabulary, weighting, plan)
        release_pages(block.text)
        done += len(block)
        if progress:
            progress(done, len(tokens))


def blocks_from_cluster(
    counted: Generator[tuple[int, Rows]], length: int, progress: CountProgress | None
) -> Generator[Iterable[Rows]]:
    """Yield the rows of blocks that workers count, in the order in which they come."""
    done = 0
    with closing(counted):
        for places, rows in counted:
            yield [rows]
            done += places
            if progress:
                progress(done, length)


def write_runs(
    blocks: Iterable[Iterable[Rows]], vocabulary: int, folder: Path, plan: MemoryPlan
) -> RowFiles:
    """Write the rows of each block as a run, and merge the runs; an error leaves no file."""
    folder.mkdir(parents=True, exist_ok=True)
    with scratch_folder(folder) as scratch:
        runs = [
            write_rows(rows, vocabulary, scratch / f"block-{number}")
            for number, rows in enumerate(blocks)
        ]
        result = runs[0] if len(runs) == 1 else merge_runs(runs, scratch / "merged", plan)
        return result.move_to(folder / "run")


BYTES_A_START = 8


def merge_runs(files: Sequence[RowFiles], place: Path, plan: MemoryPlan) -> RowFiles:
    """Merge the rows of several runs into one, some runs at a time, and remove them."""
    pending = [*files]
    for number in range(len(files)):
        batch, pending = pending[: plan.runs], pending[plan.runs :]
        target = place.with_name(f"{place.name}-{number}") if pending else place
        result = write_rows(merge_rows(batch, plan), batch[0].vocabulary, target)
        for file in batch:
            file.remove()
        if not pending:
            break
        pending.append(result)
    return result


def merge_rows(files: Sequence[RowFiles], plan: MemoryPlan) -> Iterator[Rows]:
    """Yield the sums of the rows of all runs, in spans within the limit of memory."""
    from fairvec.training.counting.kernels import add_rows

    vocabulary = files[0].vocabulary
    sizes = np.zeros(vocabulary, np.int64)
    for file in files:
        sizes += np.diff(file.starts(0, vocabulary))
    most = np.minimum(sizes, vocabulary)

    def add(first: int, last: int) -> Rows:
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
    yield from map_ordered(add, row_spans(bytes_of_rows, plan.span), plan.threads)


ENTRIES_AT_A_TIME = 2**20
POWER = 0.75
"""Of a word's count: how often it is drawn, as word2vec draws its negative examples."""


def add_negative_pairs(
    counted: Cooccurrences,
    frequencies: NDArray[np.int64],
    times: float,
    least: int,
    folder: Path,
    *,
    seed: int,
    threads: int,
) -> Cooccurrences:
    """Return the counts with pairs that do not occur, as if each had been seen `least`.

    For each pair that occurs `times` others are drawn, both words in proportion to their count to
    the power 3/4; those that occur, and those drawn before, are passed over. GloVe learns nothing
    from pairs with X = 0, and in a short text frequent words that never meet are what it lacks
    against skip-gram, whose negative examples these resemble (Mikolov et al., 2013; Shazeer et al.,
    2016, give such pairs a loss of their own). Each row has a generator of its own: threads and
    blocks of rows change nothing. Rows are written to `folder`.
    """
    from fairvec.training.counting.kernels import rows_with_unseen

    shares = frequencies.astype(np.float64) ** POWER
    cumulative = np.cumsum(shares / shares.sum())
    drawn = np.random.default_rng([seed, 3]).poisson(
        times * counted.pairs * np.diff(cumulative, prepend=0.0)
    )
    most = np.diff(counted.starts) + drawn

    def extend(first: int, last: int) -> Rows:
        room = int(most[first:last].sum())
        columns, counts = np.empty(room, np.int32), np.empty(room, np.int64)
        ends = np.empty(last - first, np.int64)
        used = rows_with_unseen(
            first,
            last,
            counted.starts,
            counted.columns,
            counted.counts,
            cumulative,
            drawn,
            seed,
            least,
            columns,
            counts,
            ends,
        )
        return Rows(first, ends, columns[:used].copy(), counts[:used].copy())

    rows = map_ordered(extend, row_spans(most, ENTRIES_AT_A_TIME), threads)
    return write_rows(rows, len(counted), folder).open(counted.unit)

"""Counting co-occurrences in blocks, merging their rows, and adding negative pairs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import scratch_folder
from fairvec.training.counting.blocks import map_ordered
from fairvec.training.counting.counts import (
    BYTES_A_PAIR,
    Cooccurrences,
    MemoryPlan,
    RowFiles,
    Rows,
    Weighting,
    row_spans,
    write_rows,
)
from fairvec.training.engines import Engine
from fairvec.training.progress import Progress, StageProgress

LARGEST_COUNT = 2**62


def count_cooccurrences(
    tokens: NDArray[np.int32],
    vocabulary: int,
    weighting: Weighting,
    folder: Path,
    *,
    engine: Engine,
    max_memory: int = 2**31,
    progress: Progress | None = None,
) -> Cooccurrences:
    """Count which words of a text stand near one another, and write the rows to `folder`.

    X[i, j] = sum over their places of 1/distance, in both directions. A text that does not fit into
    the limit is counted in blocks, whose sorted rows are merged; whole numbers make that exact, on
    any engine. The limit is what counting itself takes, beside the interpreter and its libraries.
    """
    if 2 * len(tokens) * weighting.unit > LARGEST_COUNT:
        raise SettingError(
            f"{len(tokens):,} words with a window of {weighting.window} outgrow the largest whole "
            "number; take a window of 10."
        )
    plan = engine.plan(max_memory, vocabulary, weighting.window)

    def on_block(done: int) -> None:
        if progress:
            progress(StageProgress("counting", done, len(tokens)))

    with closing(engine.count(tokens, vocabulary, weighting, max_memory)) as blocks:
        return write_runs(blocks, vocabulary, folder, plan, on_block).open(weighting.unit)


def write_runs(
    blocks: Iterable[tuple[int, Iterable[Rows]]],
    vocabulary: int,
    folder: Path,
    plan: MemoryPlan,
    on_block: Callable[[int], None] | None = None,
) -> RowFiles:
    """Write the rows of each block as a run, and merge the runs; an error leaves no file.

    `on_block` is called after each block with the number of places that are counted.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with scratch_folder(folder) as scratch:
        runs: list[RowFiles] = []
        done = 0
        for places, rows in blocks:
            runs.append(write_rows(rows, vocabulary, scratch / f"block-{len(runs)}"))
            done += places
            if on_block:
                on_block(done)
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
    from fairvec.training.counting.kernels import rows_with_negative_pairs

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
        used = rows_with_negative_pairs(
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

"""Counting a text: block by block within a limit of memory, on all cores, the same every way."""

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from os import cpu_count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.disk.drafts import scratch
from fairvec.ground.errors import SettingError
from fairvec.ground.machine.mapped_files import let_go
from fairvec.training.counting.block_rows import rows_of
from fairvec.training.counting.blocks import blocks_of
from fairvec.training.counting.cluster import counted_on_cluster
from fairvec.training.counting.cooccurrences import Cooccurrences, Weighting
from fairvec.training.counting.merging import merged_files
from fairvec.training.counting.rows import RowFiles, Rows, written
from fairvec.training.counting.shares import Shares, shares_of

LARGEST_COUNT = 2**62

Told = Callable[[int, int], None]
"""Called with how many tokens are counted, and how many there are."""


def cooccurrences(
    tokens: NDArray[np.int32],
    vocabulary: int,
    weighting: Weighting,
    folder: Path,
    *,
    max_memory: int = 2**31,
    threads: int | None = None,
    told: Told | None = None,
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
    shares = shares_of(max_memory, vocabulary, weighting.window, threads)
    if scheduler is None:
        blocks = counted_blocks(tokens, vocabulary, weighting, shares, told)
    else:
        come = counted_on_cluster(scheduler, tokens, vocabulary, weighting, max_memory)
        blocks = as_they_come(come, len(tokens), told)
        shares = shares.beside_a_connection
    with closing(blocks):
        return written_runs(blocks, vocabulary, folder, shares).opened(weighting.unit)


def counted_blocks(
    tokens: NDArray[np.int32],
    vocabulary: int,
    weighting: Weighting,
    shares: Shares,
    told: Told | None = None,
) -> Generator[Iterable[Rows]]:
    """Give the rows of each block of a text, which are to be read before the next ones."""
    done = 0
    for block in blocks_of(tokens, shares.block, weighting.window):
        yield rows_of(block, vocabulary, weighting, shares)
        let_go(block.text)
        done += len(block)
        if told:
            told(done, len(tokens))


def as_they_come(
    counted: Generator[tuple[int, Rows]], length: int, told: Told | None
) -> Generator[Iterable[Rows]]:
    """Give the rows of blocks that others count, in whatever order they come."""
    done = 0
    with closing(counted):
        for places, rows in counted:
            yield [rows]
            done += places
            if told:
                told(done, length)


def written_runs(
    blocks: Iterable[Iterable[Rows]], vocabulary: int, folder: Path, shares: Shares
) -> RowFiles:
    """Write the rows of each block as a run, and merge them; of an error nothing remains."""
    folder.mkdir(parents=True, exist_ok=True)
    with scratch(folder) as place:
        runs = [
            written(rows, vocabulary, place / f"block-{number}")
            for number, rows in enumerate(blocks)
        ]
        whole = runs[0] if len(runs) == 1 else merged_files(runs, place / "merged", shares)
        return whole.moved_to(folder / "run")

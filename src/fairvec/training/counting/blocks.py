"""A text in blocks, and the co-occurrence rows of one block on several cores."""

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fairvec.core.io.mapped_arrays import release_pages
from fairvec.training.counting.counts import BYTES_A_PAIR, MemoryPlan, Rows, Weighting, row_spans


@dataclass(frozen=True, eq=False)
class TextBlock:
    """A part of a text: places from `first` to `last` are counted, the others are their contexts.

    A window reaches over the ends of what is counted, so a line may be cut anywhere and the counts
    of all blocks add up to those of the text.
    """

    text: NDArray[np.int32]
    first: int
    last: int

    def __len__(self) -> int:
        """How many places are counted."""
        return self.last - self.first


def text_blocks(tokens: NDArray[np.int32], most: int, window: int) -> Iterator[TextBlock]:
    """Cut a text into blocks of `most` places, the last of what is left; nothing is copied."""
    for start in range(0, max(1, len(tokens)), most):
        stop = min(start + most, len(tokens))
        before = min(start, window)
        text = tokens[start - before : stop + window]
        yield TextBlock(text, before, before + stop - start)


def count_blocks(
    tokens: NDArray[np.int32], vocabulary: int, weighting: Weighting, plan: MemoryPlan
) -> Generator[tuple[int, Iterable[Rows]]]:
    """Yield the number of places and the rows of each block, to be read before the next one's."""
    for block in text_blocks(tokens, plan.block, weighting.window):
        yield len(block), count_rows(block, vocabulary, weighting, plan)
        release_pages(block.text)


SPAN_BYTES = 2**26
"""Bytes of the rows that are made at once on a worker, which returns all of them."""


def count_rows(
    block: TextBlock, vocabulary: int, weighting: Weighting, plan: MemoryPlan
) -> Iterator[Rows]:
    """Yield the rows of all words in their order, in spans that fit into memory."""
    from fairvec.training.counting.kernels import count_words, places_by_word, rows_of_words

    text = np.ascontiguousarray(block.text)
    starts = np.zeros(vocabulary + 1, np.int64)
    count_words(text, block.first, block.last, starts[1:])
    most = np.minimum(vocabulary, 2 * weighting.window * starts[1:])
    np.cumsum(starts, out=starts)
    places = np.empty(starts[-1], np.int32)
    places_by_word(text, block.first, block.last, starts, places)
    weights = weighting.weights

    def count(first: int, last: int) -> Rows:
        room = int(most[first:last].sum())
        columns, sums = np.empty(room, np.int32), np.empty(room, np.int64)
        ends = np.empty(last - first, np.int64)
        used = rows_of_words(text, starts, places, first, last, weights, columns, sums, ends)
        return Rows(first, ends, columns[:used].copy(), sums[:used].copy())

    yield from map_ordered(count, row_spans(most, plan.span // BYTES_A_PAIR), plan.threads)


def map_ordered(
    work: Callable[[int, int], Rows], spans: Iterator[tuple[int, int]], threads: int
) -> Iterator[Rows]:
    """Yield the results in order; at most one more than there are threads is pending."""
    pending = []
    with ThreadPoolExecutor(threads) as pool:
        for span in spans:
            pending.append(pool.submit(partial(work, *span)))
            if len(pending) > threads:
                yield pending.pop(0).result()
        while pending:
            yield pending.pop(0).result()


def block_rows(block: TextBlock, vocabulary: int, weighting: Weighting) -> Rows:
    """Return the rows of all words at once: the task of one core of a cluster."""
    parts = [
        *count_rows(block, vocabulary, weighting, MemoryPlan(len(block), SPAN_BYTES, 1, threads=1))
    ]
    sizes = [np.diff(rows.ends, prepend=0) for rows in parts]
    return Rows(
        0,
        np.cumsum(np.concatenate(sizes)),
        np.concatenate([rows.columns for rows in parts]),
        np.concatenate([rows.counts for rows in parts]),
    )

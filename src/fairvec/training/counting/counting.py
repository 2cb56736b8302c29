"""Counting a text: block by block within a limit of memory, on all cores, the same every way."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from os import cpu_count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.errors import SettingError
from fairvec.training.corpus.encoded import END
from fairvec.training.counting.cooccurrences import Cooccurrences, Weighting
from fairvec.training.counting.merging import merged
from fairvec.training.counting.rows import RowFiles, Rows, written
from fairvec.training.counting.spans import spans

BYTES_A_TOKEN = 8
"""A number of the text, and a place of it."""

BYTES_A_PAIR = 12
"""A column and a count."""

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
) -> Cooccurrences:
    """Count which words of a text stand near one another, and write the rows to `folder`.

    X[i, j] = sum over their places of 1/distance, in both directions. A text that does not fit into
    the limit is counted in blocks, whose sorted rows are merged; whole numbers make that exact.
    """
    if 2 * len(tokens) * weighting.unit > LARGEST_COUNT:
        raise SettingError(
            f"{len(tokens):,} words with a window of {weighting.window} outgrow the largest whole "
            "number; take a window of 10."
        )
    threads = threads or cpu_count() or 1
    blocks = [*blocks_of(tokens, max_memory // 2 // BYTES_A_TOKEN)]
    files = []
    for number, block in enumerate(blocks):
        if told:
            told(block.start, len(tokens))
        rows = rows_of(tokens[block], vocabulary, weighting, max_memory // 4, threads)
        files.append(written(rows, vocabulary, folder / f"run-{number}"))
    found = files[0] if len(files) == 1 else merged_files(files, folder / "run", max_memory // 2)
    return found.opened(weighting.unit)


def merged_files(files: Sequence[RowFiles], place: Path, memory: int) -> RowFiles:
    """Merge the rows of several runs into one, and remove them."""
    whole = written(merged(files, memory), files[0].vocabulary, place)
    for file in files:
        file.remove()
    return whole


def blocks_of(tokens: NDArray[np.int32], most: int) -> Iterator[slice]:
    """Cut a text between lines into blocks of at most so many tokens; no line is cut."""
    start = 0
    while len(tokens) - start > most:
        ends = np.flatnonzero(tokens[start : start + most] == END)
        if not len(ends):
            raise SettingError(
                f"A line of the corpus has more than {most:,} words, which the limit of memory "
                "does not hold; raise it, or put one sentence or document on a line."
            )
        stop = start + int(ends[-1]) + 1
        yield slice(start, stop)
        start = stop
    yield slice(start, len(tokens))


def rows_of(
    tokens: NDArray[np.int32], vocabulary: int, weighting: Weighting, memory: int, threads: int
) -> Iterator[Rows]:
    """Give the rows of all words in their order, some at a time, so that they fit into memory."""
    from fairvec.training.counting.kernel import places_by_word, rows_of_words

    text = np.ascontiguousarray(tokens)
    counts = np.bincount(text[text >= 0], minlength=vocabulary)
    starts = np.concatenate([[0], np.cumsum(counts)])
    places = np.empty(starts[-1], np.int32 if len(text) < 2**31 else np.int64)
    places_by_word(text, starts, places)
    most = np.minimum(vocabulary, 2 * weighting.window * counts)

    def counted(first: int, last: int) -> Rows:
        room = int(most[first:last].sum())
        columns, sums = np.empty(room, np.int32), np.empty(room, np.int64)
        ends = np.empty(last - first, np.int64)
        used = rows_of_words(
            text, starts, places, first, last, weighting.weights, columns, sums, ends
        )
        return Rows(first, ends, columns[:used].copy(), sums[:used].copy())

    share = max(vocabulary, memory // BYTES_A_PAIR // (2 * threads))
    with ThreadPoolExecutor(threads) as pool:
        yield from in_order(pool, counted, spans(most, share), threads)


def in_order(
    pool: ThreadPoolExecutor,
    work: Callable[[int, int], Rows],
    asked: Iterator[tuple[int, int]],
    ahead: int,
) -> Iterator[Rows]:
    """Give the answers in their order, while no more than `ahead` are being made or wait."""
    waiting = []
    for span in asked:
        waiting.append(pool.submit(partial(work, *span)))
        if len(waiting) > ahead:
            yield waiting.pop(0).result()
    for one in waiting:
        yield one.result()

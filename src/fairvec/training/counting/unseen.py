"""Pairs of words that never stand near one another tell something too."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairvec.training.counting.block_rows import in_order
from fairvec.training.counting.cooccurrences import Cooccurrences
from fairvec.training.counting.rows import Rows, written
from fairvec.training.counting.spans import spans

ENTRIES_AT_A_TIME = 2**20
POWER = 0.75
"""Of a word's count: how often it is drawn, as word2vec draws its negative examples."""


def with_unseen(
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
    from fairvec.training.counting.unseen_kernel import rows_with_unseen

    shares = frequencies.astype(np.float64) ** POWER
    cumulative = np.cumsum(shares / shares.sum())
    drawn = np.random.default_rng([seed, 3]).poisson(
        times * counted.pairs * np.diff(cumulative, prepend=0.0)
    )
    most = np.diff(counted.starts) + drawn

    def extended(first: int, last: int) -> Rows:
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

    rows = in_order(extended, spans(most, ENTRIES_AT_A_TIME), threads)
    return written(rows, len(counted), folder).opened(counted.unit)

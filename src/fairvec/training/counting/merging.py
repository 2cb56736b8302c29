"""One set of rows of several: counts of the same pair are added up."""

from collections.abc import Iterator, Sequence

import numpy as np

from fairvec.training.counting.rows import RowFiles, Rows
from fairvec.training.counting.spans import spans

BYTES_AN_ENTRY = 32
"""Of a row that is read, and of the merged one."""


def merged(files: Sequence[RowFiles], memory: int) -> Iterator[Rows]:
    """Give the rows of all runs as one, some rows at a time within the limit of memory."""
    from fairvec.training.counting.kernel import add_rows

    runs = [file.opened(1) for file in files]
    vocabulary = files[0].vocabulary
    sizes = np.sum([np.diff(run.starts) for run in runs], axis=0)
    for first, last in spans(sizes, max(vocabulary, memory // BYTES_AN_ENTRY)):
        room = int(sizes[first:last].sum())
        columns, counts = np.empty(room, np.int32), np.empty(room, np.int64)
        ends = np.empty(last - first, np.int64)
        parts = [slice(int(run.starts[first]), int(run.starts[last])) for run in runs]
        used = add_rows(
            vocabulary,
            np.stack([run.starts[first : last + 1] - run.starts[first] for run in runs]),
            np.cumsum([0, *(part.stop - part.start for part in parts)]),
            np.concatenate([run.columns[part] for run, part in zip(runs, parts, strict=True)]),
            np.concatenate([run.counts[part] for run, part in zip(runs, parts, strict=True)]),
            columns,
            counts,
            ends,
        )
        yield Rows(first, ends, columns[:used], counts[:used])

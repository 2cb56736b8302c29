"""The word of a row that is no point: geometry knows its number only."""

from collections.abc import Iterator
from contextlib import contextmanager

from fairvec.embedding.embedding import Embedding
from fairvec.ground.errors import GeometryError

ROWS_AT_A_TIME = 4096


@contextmanager
def named_rows(embedding: Embedding) -> Iterator[None]:
    """Say of which word a vector is NaN or infinite, where points are compared by their rows."""
    try:
        yield
    except GeometryError:
        for start in range(0, len(embedding), ROWS_AT_A_TIME):
            embedding.block(start, start + ROWS_AT_A_TIME)  # refuses it by its key
        raise

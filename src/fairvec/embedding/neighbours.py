"""The nearest neighbours of an embedding's keys."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from fairvec.core.errors import GeometryError, SettingError, UndefinedError
from fairvec.core.text import short_repr
from fairvec.embedding.embedding import Embedding
from fairvec.geometry import COSINE, Similarity, default_similarity
from fairvec.geometry.nearest import Nearest, nearest


def neighbours_of(
    embedding: Embedding, keys: Sequence[str], count: int, similarity: Similarity | None = None
) -> Nearest:
    """Return the rows of the `count` keys most similar to each of `keys`, itself left out.

    Without a similarity: the cosine in flat space (1 is the same direction, 0 a right angle), in
    the ball the negative distance (0 is the same point, and far is far below it).
    """
    if isinstance(count, bool) or not isinstance(count, int | np.integer):
        raise SettingError(f"count must be a whole number, not {short_repr(count)}; say 10.")
    measure = similarity or default_similarity(embedding.geometry)
    points = embedding.rows(keys)
    if measure == COSINE and not (nonzero := points.any(axis=1)).all():
        raise UndefinedError(
            f"The vector of {keys[int(nonzero.argmin())]} in {embedding.name} is zero and has no "
            "cosine; use another word."
        )
    own_rows = np.array([[embedding.positions[key]] for key in keys], np.int64).reshape(
        len(keys), 1
    )
    with named_rows(embedding):
        return nearest(
            points, embedding.vectors, int(count), embedding.geometry, measure, excluded=own_rows
        )


ROWS_AT_A_TIME = 4096


@contextmanager
def named_rows(embedding: Embedding) -> Iterator[None]:
    """Name the key of a vector that is NaN or infinite: geometry knows only rows."""
    try:
        yield
    except GeometryError:
        for start in range(0, len(embedding), ROWS_AT_A_TIME):
            embedding.block(start, start + ROWS_AT_A_TIME)  # raises with the key
        raise

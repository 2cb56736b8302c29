"""The keys of an embedding that are nearest to others."""

from collections.abc import Sequence

import numpy as np

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.named_rows import named_rows
from fairvec.geometry import COSINE, Similarity, natural_similarity
from fairvec.geometry.nearest import Nearest, nearest
from fairvec.ground.errors import SettingError, UndefinedError
from fairvec.ground.text.shown_values import shown


def neighbours_of(
    embedding: Embedding, keys: Sequence[str], count: int, similarity: Similarity | None = None
) -> Nearest:
    """Return the rows of the `count` keys most similar to each of `keys`, itself left out.

    Without a similarity: the cosine in flat space (1 is the same direction, 0 a right angle), in
    the ball the negative distance (0 is the same point, and far is far below it).
    """
    if isinstance(count, bool) or not isinstance(count, int | np.integer):
        raise SettingError(f"count must be a whole number, not {shown(count)}; say 10.")
    chosen = similarity or natural_similarity(embedding.geometry)
    points = embedding.rows(keys)
    if chosen == COSINE and not (there := points.any(axis=1)).all():
        raise UndefinedError(
            f"The vector of {keys[int(there.argmin())]} in {embedding.name} is zero and has no "
            "cosine; use another word."
        )
    own = np.array([[embedding.positions[key]] for key in keys], np.int64).reshape(len(keys), 1)
    with named_rows(embedding):
        return nearest(
            points, embedding.vectors, int(count), embedding.geometry, chosen, barred=own
        )

"""The nearest words of a whole vocabulary by cosine."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.embedding import Embedding
from fairvec.embedding.named_rows import named_rows
from fairvec.geometry import COSINE, FloatArray
from fairvec.geometry.nearest import IntArray
from fairvec.geometry.nearest import nearest as nearest_points
from fairvec.ground.errors import UndefinedError
from fairvec.metrics.bias.parts.vocabulary import check_whole


@dataclass(frozen=True, eq=False)
class Neighbours:
    """For each of some points, rows of an embedding, nearest first, and their cosines."""

    rows: IntArray
    cosines: FloatArray


def nearest(
    points: FloatArray,
    keys: Sequence[str],
    embedding: Embedding,
    count: int,
    *,
    without: Collection[str] = (),
) -> Neighbours:
    """Return the `count` words of the embedding with the largest cosine to each point.

    Point i belongs to `keys[i]`, which is not its own neighbour; the words of `without` are no
    one's, nor are vectors of length zero. In the ball cosines are seen from the origin.
    """
    check_whole(embedding)
    others = [embedding.positions[key] for key in without if key in embedding]
    own = [embedding.positions.get(key, -1) for key in keys]
    try:
        with named_rows(embedding):
            found = nearest_points(
                points,
                embedding.vectors,
                count,
                embedding.geometry,
                COSINE,
                barred=np.array([[row, *others] for row in own], np.int64),
            )
    except UndefinedError as error:
        raise UndefinedError(
            f"{embedding.name} has fewer than {count} other words to be a word's neighbours; use "
            "an embedding with its whole vocabulary or ask for fewer neighbours."
        ) from error
    return Neighbours(found.rows, found.similarities)

"""The nearest words in a whole vocabulary, without ever holding all cosines."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.embedding import Embedding
from fairvec.errors import UndefinedError
from fairvec.geometry import FloatArray
from fairvec.geometry.directions import unit
from fairvec.metrics.bias.vocabulary import NUMBERS_AT_A_TIME, IntArray, unit_blocks


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
    sought = unit(points)
    own = np.array([embedding.positions.get(key, -1) for key in keys])
    barred = [embedding.positions[key] for key in without if key in embedding]
    best = Neighbours(np.empty((len(points), 0), dtype=np.int64), np.empty((len(points), 0)))
    for start, block in unit_blocks(embedding, NUMBERS_AT_A_TIME // len(points)):
        here = np.arange(start, start + len(block))
        cosines = sought @ block.T
        cosines[:, ~block.any(axis=1) | np.isin(here, barred)] = -np.inf
        cosines[own[:, None] == here] = -np.inf
        best = _best(
            np.concatenate([best.rows, np.broadcast_to(here, cosines.shape)], axis=1),
            np.concatenate([best.cosines, cosines], axis=1),
            count,
        )
    if (np.isfinite(best.cosines).sum(axis=1) < count).any():
        raise UndefinedError(
            f"{embedding.name} has fewer than {count} other words to be a word's neighbours; use "
            "an embedding with its whole vocabulary or ask for fewer neighbours."
        )
    return best


def _best(rows: IntArray, cosines: FloatArray, count: int) -> Neighbours:
    if count < cosines.shape[1]:
        some = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
        rows, cosines = np.take_along_axis(rows, some, 1), np.take_along_axis(cosines, some, 1)
    order = np.argsort(-cosines, axis=1, kind="stable")
    return Neighbours(np.take_along_axis(rows, order, 1), np.take_along_axis(cosines, order, 1))

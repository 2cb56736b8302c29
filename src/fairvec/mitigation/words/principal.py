"""The mean and the principal components of a whole vocabulary, block by block."""

from dataclasses import dataclass

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.mitigation.moves.tangent import tangent_blocks
from fairvec.mitigation.words.directions import check_reach


@dataclass(frozen=True, eq=False)
class Principal:
    """The mean of tangent vectors, and the directions in which they vary most about it.

    The rows of `axes` are orthonormal, the one with the largest variance first; a sign means
    nothing.
    """

    mean: FloatArray
    axes: FloatArray


def principal(embedding: Embedding, count: int) -> Principal:
    """Return the mean and the first `count` components, or as many as there are columns."""
    with np.errstate(over="ignore"):  # what is too large is refused below
        mean = sum(rows.sum(axis=0) for _, rows in tangent_blocks(embedding)) / len(embedding)
    spread = np.zeros((embedding.dimensions, embedding.dimensions))
    for _, rows in tangent_blocks(embedding):
        check_reach(rows, embedding.name)
        spread += (rows - mean).T @ (rows - mean)
    return Principal(np.asarray(mean), np.linalg.eigh(spread)[1].T[::-1][:count])


def without(rows: FloatArray, mean: FloatArray, axis: FloatArray) -> FloatArray:
    """Return rows less the mean, and then less their component along an axis."""
    centred = rows - mean
    left: FloatArray = centred - np.outer(centred @ axis, axis)
    return left

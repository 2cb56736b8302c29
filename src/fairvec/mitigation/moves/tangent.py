"""Flat methods in any space: words are vectors of the tangent space at the origin (log0, exp0).

Flat space is its own tangent space. In the ball both maps are radial: a word keeps the direction
in which it is seen from the origin, so what a flat method says about directions and angles there
holds for the points too. In a product of balls that is so in each ball, not in the whole.
"""

from collections.abc import Iterator

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.sizes import lengths as lengths_of
from fairvec.geometry.sizes import sized

ROWS_AT_A_TIME = 16_384


def at_lengths(vectors: FloatArray, lengths: FloatArray, *, before: FloatArray) -> FloatArray:
    """Return vectors scaled to some lengths; one of which only rounding is left becomes zero.

    `before` holds the vectors from which something was taken out.
    """
    rows, now = sized(vectors)
    usable = lengths_of(vectors) > 1e-12 * lengths_of(before)
    factors = np.divide(lengths, now, where=usable, out=np.zeros_like(now))
    scaled: FloatArray = rows * factors[:, None]
    return scaled


def tangent_blocks(embedding: Embedding) -> Iterator[tuple[slice, FloatArray]]:
    """Give the tangent vectors at the origin of every word, some rows at a time, and which."""
    for start in range(0, len(embedding), ROWS_AT_A_TIME):
        some = slice(start, min(start + ROWS_AT_A_TIME, len(embedding)))
        yield some, embedding.geometry.log0(np.asarray(embedding.vectors[some], np.float64))

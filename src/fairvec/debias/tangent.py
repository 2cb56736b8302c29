"""Flat methods in any space: words are vectors of the tangent space at the origin (log0, exp0).

Flat space is its own tangent space. In the ball both maps are radial: a word keeps the direction
in which it is seen from the origin, so what a flat method says about directions and angles there
holds for the points too. In a product of balls that is so in each ball, not in the whole.
"""

import numpy as np

from fairvec.geometry import FloatArray


def at_lengths(vectors: FloatArray, lengths: FloatArray, *, before: FloatArray) -> FloatArray:
    """Return vectors scaled to some lengths; one of which only rounding is left becomes zero.

    `before` holds the vectors from which something was taken out.
    """
    now = np.linalg.norm(vectors, axis=1)
    usable = now > 1e-12 * np.linalg.norm(before, axis=1)
    factors = np.divide(lengths, now, where=usable, out=np.zeros_like(now))
    scaled: FloatArray = vectors * factors[:, None]
    return scaled

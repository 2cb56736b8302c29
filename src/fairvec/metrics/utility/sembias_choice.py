"""Which of several pairs of words is most like a reference pair: by two definitions."""

import numpy as np

from fairvec.geometry import FloatArray, Geometry, Similarity
from fairvec.geometry.sizes import sized, unit_vector
from fairvec.ground.errors import UndefinedError
from fairvec.metrics.utility.gyro_analogy import translated


def nearest_in_angle(pairs: FloatArray, reference: FloatArray, geometry: Geometry) -> FloatArray:
    """Return 1 for the pair of each row that is nearest in angle to the reference pair, else 0.

    `pairs` has the axes row, pair, first or second word, dimension; ties share the 1.
    """
    towards = _offsets(reference, geometry)
    if not towards.any():
        raise UndefinedError(
            "The two words of the reference pair are one point; name another pair."
        )
    offsets, lengths = sized(_offsets(pairs, geometry))
    cosines = np.divide(
        offsets @ unit_vector(towards),
        lengths,
        where=lengths > 0,
        out=np.full_like(lengths, -np.inf),
    )
    return _shared(cosines)


def best_predicted(
    pairs: FloatArray, reference: FloatArray, geometry: Geometry, similarity: Similarity, t: float
) -> FloatArray:
    """Return 1 for the pair of each row whose second word is most like its prediction, else 0.

    `pairs` has the axes row, pair, first or second word, dimension; ties share the 1.
    """
    first, second = pairs[..., 0, :], pairs[..., 1, :]
    one, other = (np.broadcast_to(point, first.shape) for point in reference)
    predicted = translated(one, other, first, t, geometry)
    likeness = [
        np.diagonal(similarity.between(*row, geometry))
        for row in zip(predicted, second, strict=True)
    ]
    return _shared(np.array(likeness))


def _shared(scores: FloatArray) -> FloatArray:
    """Return 1 for the largest score of each row, shared by those that tie, and else 0."""
    best = scores == scores.max(axis=-1, keepdims=True)
    shares: FloatArray = best / best.sum(axis=-1, keepdims=True)
    return shares


def _offsets(pairs: FloatArray, geometry: Geometry) -> FloatArray:
    """Return the way from the first to the second word of each pair, as seen from the origin."""
    return geometry.log0(geometry.gyrovector(pairs[..., 0, :], pairs[..., 1, :]))

"""How close words are to A and to B where every word stands in several contexts."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from fairvec.geometry import FloatArray, Geometry, Similarity
from fairvec.metrics.bias.parts.association import Closeness, closeness


@dataclass(frozen=True, eq=False)
class ContextCloseness:
    """The mean similarity of each target's contexts (rows) to every context of A and of B.

    The contexts of an attribute follow one another; `sizes_a` and `sizes_b` count those of each.
    """

    to_a: FloatArray
    to_b: FloatArray
    sizes_a: tuple[int, ...]
    sizes_b: tuple[int, ...]

    @property
    def by_word(self) -> Closeness:
        """The same to every word of A and of B, each counted once however many contexts it has."""
        return Closeness(_averaged(self.to_a, self.sizes_a), _averaged(self.to_b, self.sizes_b))


def context_closeness(
    targets: Sequence[FloatArray],
    a: Sequence[FloatArray],
    b: Sequence[FloatArray],
    similarity: Similarity,
    geometry: Geometry,
) -> ContextCloseness:
    """Compare every context of every target with every context of A and of B.

    A word's closeness is the mean of its contexts', not that of their mean vector: a mean of few
    contexts is noisier and so less similar to everything, and a rare word would lean less for its
    rarity alone.
    """
    all_a, all_b = np.concatenate(a), np.concatenate(b)
    # Word by word: all contexts of all words at once would not fit into memory.
    near = [closeness(contexts, all_a, all_b, similarity, geometry) for contexts in targets]
    return ContextCloseness(
        np.array([one.to_a.mean(axis=0) for one in near]),
        np.array([one.to_b.mean(axis=0) for one in near]),
        tuple(map(len, a)),
        tuple(map(len, b)),
    )


def error_of_attributes(x: ContextCloseness, y: ContextCloseness) -> float:
    """Return the standard error of mean_x s - mean_y s that the contexts of A and B leave.

    With g(c) the mean closeness of X to a context c minus that of Y, the difference is the mean of
    g over the words of A minus that over B, each word the mean of its contexts:

        error^2 = sum over words of A of var(g over its contexts) / (contexts * words of A^2) + B's

    A word with one context has the variance of the others, on average. Zero: attributes read in
    other contexts would say the same. The words of A and B themselves are taken as given.
    """
    lists = [
        _split(x.to_a.mean(axis=0) - y.to_a.mean(axis=0), x.sizes_a),
        _split(x.to_b.mean(axis=0) - y.to_b.mean(axis=0), x.sizes_b),
    ]
    known = [own.var(ddof=1) for words in lists for own in words if len(own) > 1]
    usual = float(np.mean(known)) if known else 0.0
    return sqrt(
        sum(
            (float(own.var(ddof=1)) if len(own) > 1 else usual) / (len(own) * len(words) ** 2)
            for words in lists
            for own in words
        )
    )


def _split(contexts: FloatArray, sizes: Sequence[int]) -> list[FloatArray]:
    return np.split(contexts, np.cumsum(sizes)[:-1])


def _averaged(columns: FloatArray, sizes: Sequence[int]) -> FloatArray:
    starts = np.cumsum([0, *sizes[:-1]])
    means: FloatArray = np.add.reduceat(columns, starts, axis=1) / np.array(sizes)
    return means

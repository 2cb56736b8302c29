"""What the association tests share: how close targets are to A and to B, and the score of that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from fairvec.encoders import Representation
from fairvec.geometry import COSINE, FloatArray, Geometry, Similarity
from fairvec.ground.errors import NoSpreadError, UndefinedError
from fairvec.lexicon import Group
from fairvec.metrics.bias.parts.effect_size import leanings, rounding
from fairvec.metrics.score import Score, TwoSamples, WordShare

MOST_PAIRS = 3_600
"""As of 60 words and 60 attributes: of more pairs nobody reads each, and all would be kept."""


@dataclass(frozen=True, eq=False)
class Closeness:
    """The similarity of every target (rows) to every point of A and of B (columns)."""

    to_a: FloatArray
    to_b: FloatArray

    @property
    def means(self) -> FloatArray:
        """One row a target, two columns: its mean similarity to A and to B."""
        return np.column_stack([self.to_a.mean(axis=1), self.to_b.mean(axis=1)])

    def averaged(self, sizes: Sequence[int]) -> "Closeness":
        """Return the mean closeness of clusters of targets that follow one another."""
        starts = np.cumsum([0, *sizes[:-1]])
        counts = np.array(sizes)[:, None]
        return Closeness(
            np.add.reduceat(self.to_a, starts) / counts, np.add.reduceat(self.to_b, starts) / counts
        )

    def to_words(self, sizes: Mapping[str, Sequence[int]]) -> "Closeness":
        """Return the mean closeness to clusters of points of A and of B that follow one another."""
        turned = (
            Closeness(points.T, points.T).averaged(sizes[role]).to_a.T
            for role, points in (("a", self.to_a), ("b", self.to_b))
        )
        return Closeness(*turned)

    def shares(self, group: Group, *, ddof: int) -> list[WordShare]:
        """Return each word of a group with its leaning and its own effect size (WEFAT)."""
        similarities = np.concatenate([self.to_a, self.to_b], axis=1)
        spreads = similarities.std(axis=1, ddof=ddof)
        defined = spreads > rounding(similarities[..., None])
        means = self.means
        leans = leanings(means)
        rows = zip(group.found, leans, spreads, defined, means.tolist(), strict=True)
        return [
            WordShare(
                found, group.role, float(lean), float(lean / spread) if known else None, (a, b)
            )
            for found, lean, spread, known, (a, b) in rows
        ]


def closeness(
    targets: FloatArray, a: FloatArray, b: FloatArray, similarity: Similarity, geometry: Geometry
) -> Closeness:
    """Compare every target with every point of A and of B."""
    if not (len(targets) and len(a) and len(b)):
        raise UndefinedError(
            "Of one of the lists no word has a vector that is not zero, so there is nothing to "
            "compare; use a model that knows its words."
        )
    to_a, to_b = (similarity.measured(targets, points, geometry) for points in (a, b))
    return Closeness(to_a, to_b)


def pair_by_pair(x: Closeness, y: Closeness) -> FloatArray | None:
    """Return the similarity of every target to every word of A and B; None of very many pairs."""
    table = np.block([[x.to_a, x.to_b], [y.to_a, y.to_b]])
    return table if table.size <= MOST_PAIRS else None


def association(
    samples: TwoSamples, words: Sequence[WordShare], similarity: Similarity, source: Representation
) -> Score:
    """Return the score of two samples, or say that they have no spread.

    Leanings that differ by no more than the rounding of the stored numbers are alike: after
    equalising the attributes, d would otherwise divide noise by noise.
    """
    value = float(samples.effect(samples.x, samples.y))
    leans = np.concatenate([samples.leanings(samples.x), samples.leanings(samples.y)])
    if np.isnan(value) or leans.std() <= _stored_rounding(samples, similarity, source):
        raise NoSpreadError(
            "All target words lean alike, up to the rounding of their vectors, so there is no "
            "spread to measure against; use lists with different words."
        )
    return Score(value, tuple(words), samples)


def _stored_rounding(samples: TwoSamples, similarity: Similarity, source: Representation) -> float:
    """Return how far rounding each of d stored numbers moves a similarity: about eps / sqrt(d).

    That is for cosines, which are at most 1; distances are as uncertain in proportion to their
    own size.
    """
    largest = max(float(np.nanmax(np.abs(rows))) for rows in (samples.x, samples.y))
    scale = 1.0 if similarity is COSINE else largest
    return source.precision / sqrt(source.dimensions) * scale

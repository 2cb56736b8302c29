"""Metrics that compare words with whole attribute lists: MAC, ECT and RND.

MAC averages over the words of the lists; ECT and RND compare with the mean of each list
(`list_means`).
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from fairvec.core.errors import UndefinedError
from fairvec.core.settings import settings
from fairvec.geometry import COSINE, NEGATIVE_DISTANCE, FloatArray, Geometry, Similarity
from fairvec.geometry.norms import check_spread, normalize_rows
from fairvec.lexicon import Groups
from fairvec.metrics.base import Metric, OneSample, Score, Traits, overall_mean, target_words
from fairvec.metrics.bias.weat import attribute_similarities
from fairvec.stats import spearman


@settings
class Mac(Metric):
    """How far are the words from the attribute lists, all lists taken together?

    MAC = mean over words w and lists L of (mean over l in L of 1 - cos(w, l)), L being A and B

    It goes from 0 to 2. Near 1: the words have nothing to do with the attributes; below 1: they
    are close to them; above 1: they point away. Both lists count alike whatever their sizes, and
    closeness to A is not set against closeness to B, so MAC does not say which way a word leans.
    In the ball the cosine is that seen from the origin.

    Manzini, Lim, Tsvetkov & Black (2019), NAACL, 615-621, where the name says similarity and the
    figures are distances.
    """

    name = "mac"
    neutral = 1.0
    meaning = (
        "1: the words are unrelated to A and B; below 1: they are close to them; above 1: "
        "they point away from them."
    )
    similarity = COSINE
    traits = Traits(
        sees="words to A and B",
        shown="below",
    )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return MAC and each word's own mean distance."""
        words = target_words(groups)
        a, b = groups["a"].vectors, groups["b"].vectors
        distances = 1 - attribute_similarities(words.vectors, a, b, COSINE, geometry).means
        samples = OneSample(distances, overall_mean)
        return Score(float(overall_mean(distances)), words.shares(distances.mean(axis=1)), samples)


@settings
class Ect(Metric):
    """Does A rank the words as B does, from the closest to the farthest?

    ECT = Spearman correlation over words w of sim(w, mean of A) with sim(w, mean of B)

    1: both see the words in the same order, so no word is nearer to one than its rank for the
    other says; 0: the orders have nothing in common; -1: one is the other reversed. Vectors are
    not normalised before the mean, so a long vector counts more in it, unless `unit_vectors` is
    on. In the ball, where length is part of a point, they never are, and the mean is the
    gyromidpoint.

    Dev & Phillips (2019), AISTATS, 879-887.
    """

    name = "ect"
    neutral = 1.0
    meaning = "1: A and B rank the words alike; the lower, the more they differ; -1: in reverse."
    traits = Traits(
        sees="X to A, Y to B",
        shown="below",
        positive="A and B rank the words alike rather than in reverse",
        positive_words="a",
        lengths="common",
    )

    similarity: Annotated[Similarity, Field(description="How two points are compared.")] = COSINE
    unit_vectors: Annotated[
        bool,
        Field(description="Whether vectors are brought to length one before the mean is taken."),
    ] = False

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the correlation and how much closer each word is to A's mean than to B's."""
        words = target_words(groups)
        points, centres = list_means(
            words.vectors, groups, geometry, unit_vectors=self.unit_vectors
        )
        closeness = self.similarity.measured(points, centres, geometry)
        value = float(spearman(closeness))
        if np.isnan(value):
            raise UndefinedError(
                "All words are equally close to the mean of an attribute list, so they have no "
                "ranks to compare; use more and different words."
            )
        leanings = closeness[:, 0] - closeness[:, 1]
        return Score(value, words.shares(leanings), OneSample(closeness, spearman))


@settings
class Rnd(Metric):
    """Are the words nearer to the middle of A or of B?

    RND = mean over words w of |w - mean of A| - |w - mean of B|

    The sign is that of the paper: it compares distances, so positive says nearer to B, negative
    nearer to A, 0 as near to one as to the other. The paper sums over the words; the mean can be
    compared between lists. In flat space vectors are cut to unit length first, as in the paper,
    unless `unit_vectors` is off; the means are not. In the ball, where length is part of a point,
    nothing is cut, distances are the ball's own and the mean is the gyromidpoint.

    Garg, Schiebinger, Jurafsky & Zou (2018), PNAS 115, E3635-E3644.
    """

    name = "rnd"
    meaning = "Positive: the words are nearer to B; negative: nearer to A; 0: to neither."
    similarity = NEGATIVE_DISTANCE

    unit_vectors: Annotated[
        bool,
        Field(description="Whether vectors are brought to length one before the means are taken."),
    ] = True

    @property
    def traits(self) -> Traits:
        """What holds of it; what lengths do depends on the settings."""
        return Traits(
            sees="words to A",
            shown="below",
            positive="the words are nearer to B",
            positive_words="b",
            swapped_attributes="turned",
            lengths="ignored" if self.unit_vectors else "count",
        )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean difference of distances and that of each word."""
        words = target_words(groups)
        points, centres = list_means(
            words.vectors, groups, geometry, unit_vectors=self.unit_vectors
        )
        distances = check_spread(geometry.distances(points, centres), "distances")
        samples = OneSample(distances, _mean_difference)
        shares = words.shares(distances[:, 0] - distances[:, 1])
        return Score(float(_mean_difference(distances)), shares, samples)


def _mean_difference(distances: FloatArray) -> FloatArray:
    mean: FloatArray = (distances[..., 0] - distances[..., 1]).mean(axis=-1)
    return mean


def list_means(
    words: FloatArray, groups: Groups, geometry: Geometry, *, unit_vectors: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the words to compare with the centres of A and B, and these two, one a row.

    A centre is the mean in flat space and the gyromidpoint in the ball. If `unit_vectors`, every
    word is scaled to unit length first and the centres are not; in the ball, where length is part
    of a point, nothing is scaled.
    """
    scale = normalize_rows if unit_vectors and geometry.curvature == 0 else np.asarray
    centres = [geometry.midpoint(scale(groups[role].vectors)) for role in ("a", "b")]
    return scale(words), np.stack(centres)

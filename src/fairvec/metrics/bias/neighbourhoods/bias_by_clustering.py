"""Bias by clustering: whether the words that lean to either side fall apart into two clusters."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import COSINE, FloatArray, Geometry, Similarity
from fairvec.ground.errors import UndefinedError
from fairvec.ground.settings import Count, Seed, check_settings
from fairvec.lexicon import Groups
from fairvec.metrics.bias.parts.direction import Direction
from fairvec.metrics.bias.parts.vocabulary import NOTICEABLE, two_sides
from fairvec.metrics.score import Score
from fairvec.metrics.traits import Traits
from fairvec.results import Convention


@dataclass(frozen=True)
class BiasByClustering:
    """Do the most A-leaning and the most B-leaning words fall apart into two clusters?

    accuracy = share of these words whose side two clusters guess right, by the better naming

    0.5: the clusters have nothing to do with A and B; 1: they are A's and B's words. The words are
    the `each` of the vocabulary with the largest and those with the smallest cos(w, g), without
    the words of A and B; the clusters are those of k-means on unit vectors, the best of 10 starts
    from the `seed`.
    Words that are chosen by their lean differ at least in that: on Google News ten random words
    for A and ten for B score .997 to 1. The figure is about a changed embedding, and even there
    should be held against random lists (.69 to .89 once their own direction is removed).
    To measure a debiased embedding give the one from before as `original`: vectors are then those
    of now, and the leanings those of before, as in the paper. In the ball words are seen from the
    origin and the curvature is not noticed.

    Gonen & Goldberg (2019), NAACL, 609-614, section 4; there g is he - she and a list of all
    gender-specific words is left out.
    """

    name: ClassVar[str] = "bias-by-clustering"
    needs: ClassVar[tuple[str, ...]] = ("a", "b")
    neutral: ClassVar[float | None] = 0.5
    meaning: ClassVar[str] = (
        "How well two clusters tell the words that lean to A from those that lean to B: "
        "0.5: not at all; 1: always; lists of random words can score as high."
    )
    similarity: ClassVar[Similarity | None] = COSINE
    convention: ClassVar[Convention | None] = None
    traits: ClassVar[Traits] = Traits(
        sees="X to A, Y to B",
        shown="above",
    )

    each: Count = 500
    direction: Direction = "auto"
    original: Embedding | None = None
    seed: Seed = 0

    def __post_init__(self) -> None:
        check_settings(self)

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the accuracy; the words are the vocabulary's, so none has a share to show."""
        points = np.concatenate(two_sides(groups, self.each, self.direction, self.original))
        if np.ptp(points, axis=0).max() <= NOTICEABLE:
            raise UndefinedError(
                "All the words that lean to A or B have the same direction, so there is nothing to "
                "divide into clusters; use an embedding whose words differ."
            )
        clusters = _two_clusters(points, self.seed)
        right = float((clusters == np.repeat([0, 1], self.each)).mean())
        return Score(max(right, 1 - right), ())


def _two_clusters(points: FloatArray, seed: int) -> FloatArray:
    # scikit-learn takes a second to import and few audits need it.
    from sklearn.cluster import KMeans

    # Where the search starts depends on the order of the points: one that knows nothing of sides.
    order = np.argsort(points @ points.mean(axis=0), kind="stable")
    clusters: FloatArray = np.empty(len(points))
    clusters[order] = KMeans(n_clusters=2, n_init=10, random_state=seed).fit_predict(points[order])
    return clusters

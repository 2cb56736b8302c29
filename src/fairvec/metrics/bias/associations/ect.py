"""The embedding coherence test."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairvec.geometry import COSINE, Geometry, Similarity
from fairvec.ground.errors import UndefinedError
from fairvec.ground.settings import check_settings
from fairvec.lexicon import Groups
from fairvec.metrics.bias.parts.centre import words_and_centres
from fairvec.metrics.score import OneSample, Score
from fairvec.metrics.targets import targets
from fairvec.metrics.traits import Traits
from fairvec.results import Convention
from fairvec.stats import spearman


@dataclass(frozen=True)
class Ect:
    """Does A rank the words as B does, from the closest to the farthest?

    ECT = Spearman correlation over words w of sim(w, mean of A) with sim(w, mean of B)

    1: both see the words in the same order, so no word is nearer to one than its rank for the
    other says; 0: the orders have nothing in common; -1: one is the other reversed. Vectors are
    not normalised before the mean, so a long vector counts more in it, unless `unit_vectors` is
    on. In the ball, where length is part of a point, they never are, and the mean is the
    gyromidpoint.

    Dev & Phillips (2019), AISTATS, 879-887.
    """

    name: ClassVar[str] = "ect"
    needs: ClassVar[tuple[str, ...]] = ("words", "a", "b")
    neutral: ClassVar[float | None] = 1.0
    meaning: ClassVar[str] = (
        "1: A and B rank the words alike; the lower, the more they differ; -1: in reverse."
    )
    convention: ClassVar[Convention | None] = None
    traits: ClassVar[Traits] = Traits(
        sees="X to A, Y to B",
        shown="below",
        positive="A and B rank the words alike rather than in reverse",
        positive_words="a",
        lengths="common",
    )

    similarity: Similarity = COSINE
    unit_vectors: bool = False

    def __post_init__(self) -> None:
        check_settings(self)

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the correlation and how much closer each word is to A's mean than to B's."""
        words = targets(groups)
        points, centres = words_and_centres(
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

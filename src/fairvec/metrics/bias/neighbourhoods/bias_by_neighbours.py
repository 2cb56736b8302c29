"""Bias by neighbours: whether words that lean alike live together."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import COSINE, Geometry, Similarity
from fairvec.geometry.directions import unit
from fairvec.ground.errors import UndefinedError
from fairvec.ground.settings import Count, check_settings
from fairvec.lexicon import Groups
from fairvec.metrics.bias.parts.along_direction import words_of
from fairvec.metrics.bias.parts.direction import Direction, bias_direction
from fairvec.metrics.bias.parts.neighbourhood import nearest
from fairvec.metrics.bias.parts.vocabulary import as_before, leanings_along
from fairvec.metrics.score import OneSample, Score
from fairvec.metrics.traits import Traits
from fairvec.results import Convention
from fairvec.stats import pearson


@dataclass(frozen=True)
class BiasByNeighbours:
    """Can one tell how a word leans from how its neighbours lean?

    r = Pearson correlation over words w of cos(w, g) with the share of the n nearest neighbours v
    of w that have cos(v, g) > 0

    1: a word is surrounded by words that lean as it does; 0: its surroundings say nothing of it.
    n is `neighbours`; words of A and B are no neighbours. Each word's own number is the share of
    its neighbours that lean to A, less one half. Near words are alike in everything, so some of
    this holds for any direction: on Google News ten random words for A and ten for B score .76 to
    .86 over professions. The figure should be held against such lists.
    To measure a debiased embedding give the one from before as `original`: neighbours are then
    those of now, and g and the leanings those of before, as in the paper. In the ball words are
    seen from the origin and the curvature is not noticed.

    Gonen & Goldberg (2019), NAACL, 609-614, section 4; there g is he - she and a list of all
    gender-specific words is kept out of the neighbourhoods.
    """

    name: ClassVar[str] = "bias-by-neighbours"
    needs: ClassVar[tuple[str, ...]] = ("words", "a", "b")
    neutral: ClassVar[float | None] = 0.0
    meaning: ClassVar[str] = (
        "1: words that lean to A live among others that do, and so for B; 0: a word's "
        "neighbours do not tell how it leans; lists of random words can score as high."
    )
    similarity: ClassVar[Similarity | None] = COSINE
    convention: ClassVar[Convention | None] = None
    traits: ClassVar[Traits] = Traits(
        sees="X to A, Y to B",
        shown="above",
        positive="words live among others that lean as they do",
    )

    neighbours: Count = 100
    direction: Direction = "auto"
    original: Embedding | None = None

    def __post_init__(self) -> None:
        check_settings(self)

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the correlation and each word's share of neighbours that lean to A."""
        before = as_before(groups, self.original)
        words = words_of(groups)
        direction = bias_direction(before, self.direction)
        near = nearest(
            words.vectors,
            [found.key for found in words.found],
            groups.vocabulary,
            self.neighbours,
            without={key for role in ("a", "b") for key in groups[role].keys},
        )
        leaning_to_a = leanings_along(direction, before.vocabulary) > 0
        shares = leaning_to_a[near.rows].mean(axis=1)
        rows = np.column_stack([unit(words_of(before).vectors) @ direction, shares])
        value = float(pearson(rows))
        if np.isnan(value):
            raise UndefinedError(
                "All words lean alike or have equally many neighbours that lean to A, so there is "
                "nothing to correlate; use more and different words."
            )
        return Score(value, words.shares(shares - 0.5), OneSample(rows, pearson))

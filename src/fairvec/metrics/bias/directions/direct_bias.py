"""Direct bias: how far words lie along the direction between two attribute lists."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairvec.geometry import COSINE, FloatArray, Geometry, Similarity
from fairvec.ground.settings import Positive, check_settings
from fairvec.lexicon import Groups
from fairvec.metrics.bias.parts.along_direction import score_along
from fairvec.metrics.bias.parts.direction import Direction
from fairvec.metrics.means import mean_of_rows
from fairvec.metrics.score import Score
from fairvec.metrics.traits import Traits
from fairvec.results import Convention


@dataclass(frozen=True)
class DirectBias:
    """How far do words that should be neutral lie along the direction g, on whichever side?

    DirectBias_c = mean_w |cos(w, g)|^c

    Between 0 (every word is at a right angle to g) and 1 (every word lies on it). A larger
    strictness c forgives small cosines. Each word's own number is its signed cosine.
    In the ball cosines are seen from the origin and do not notice the curvature.

    Bolukbasi et al. (2016), NeurIPS 29, 4349-4357; arXiv:1607.06520, 5.2.
    """

    name: ClassVar[str] = "direct-bias"
    needs: ClassVar[tuple[str, ...]] = ("words", "a", "b")
    neutral: ClassVar[float | None] = 0.0
    meaning: ClassVar[str] = (
        "0: no word lies along the direction from B to A; 1: every word lies on it."
    )
    similarity: ClassVar[Similarity | None] = COSINE
    convention: ClassVar[Convention | None] = None
    traits: ClassVar[Traits] = Traits(
        sees="X to A, Y to B",
        shown="above",
        positive_words="a",
    )

    strictness: Positive = 1.0
    direction: Direction = "auto"

    def __post_init__(self) -> None:
        check_settings(self)

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean |cos(w, g)|^c, and each word's signed cosine."""
        return score_along(groups, geometry, self.direction, self._effect)

    def _effect(self, rows: FloatArray) -> FloatArray:
        return mean_of_rows(np.abs(rows) ** self.strictness)


@dataclass(frozen=True)
class SignedDirectBias:
    """To which side of the direction g do words lean, and how far?

    mean_w cos(w, g)

    Positive: the words lean to a; negative: to b; 0: not at all, or as far to one side as to the
    other. Between -1 and 1. Figure 1 of Kumar et al. (2020) plots the words' own cosines.
    In the ball cosines are seen from the origin and do not notice the curvature.

    The signed terms of Bolukbasi et al. (2016), NeurIPS 29, 4349-4357; arXiv:1607.06520, 5.2.
    """

    name: ClassVar[str] = "signed-direct-bias"
    needs: ClassVar[tuple[str, ...]] = ("words", "a", "b")
    neutral: ClassVar[float | None] = 0.0
    meaning: ClassVar[str] = (
        "Positive: the words lean to A; negative: to B; 0: to neither on the whole."
    )
    similarity: ClassVar[Similarity | None] = COSINE
    convention: ClassVar[Convention | None] = None
    traits: ClassVar[Traits] = Traits(
        sees="words to A",
        shown="above",
        positive="the words lean to A",
        positive_words="a",
        swapped_attributes="turned",
    )

    direction: Direction = "auto"

    def __post_init__(self) -> None:
        check_settings(self)

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean cos(w, g), and each word's cosine."""
        return score_along(groups, geometry, self.direction, mean_of_rows)

"""SAME (Scoring Association Means of Word Embeddings) and its companions, skew and stereotype."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from fairvec.geometry import COSINE, FloatArray, Geometry, Similarity
from fairvec.ground.settings import check_settings
from fairvec.lexicon import Groups
from fairvec.metrics.bias.parts.along_direction import score_along
from fairvec.metrics.means import mean_of_rows
from fairvec.metrics.score import Score
from fairvec.metrics.traits import Traits
from fairvec.results import Convention

Part = Literal["bias", "skew", "stereotype"]

_MEANING: dict[Part, str] = {
    "bias": "0: no word lies along the difference of the means of A and B; 1: every word does.",
    "skew": "Positive: the words lean to A; negative: to B; 0: to neither on the whole.",
    "stereotype": "0: all words lean alike; large: some lean to A and others to B.",
}

_TRAITS: dict[Part, Traits] = {
    "bias": Traits("X to A, Y to B", "above", positive_words="a"),
    "skew": Traits(
        "words to A",
        "above",
        positive="the words lean to A",
        positive_words="a",
        swapped_attributes="turned",
    ),
    "stereotype": Traits("X to A, Y to B", "above", positive_words="a"),
}


@dataclass(frozen=True)
class Same:
    """How far do words lie along the difference of the means of the two attribute lists?

    b(w) = cos(w, m_a - m_b), m the mean of a list's unit vectors
    bias = mean_w |b(w)|    skew = mean_w b(w)    stereotype = standard deviation of b (ddof 0)

    The bias is 0 if no word leans and 1 if every word lies on the difference. Skew says to which
    side the words lean on the whole; stereotype how far they lean apart. The squares add up:
    skew^2 + stereotype^2 is the mean of b^2. With two attribute lists the bias is the direct bias
    with c = 1 along `mean-difference`. The three parts follow the authors' program.
    In the ball cosines are seen from the origin and do not notice the curvature.

    Schröder et al. (2021), Evaluating Metrics for Bias in Word Embeddings, arXiv:2111.07864;
    Schröder, Schulz & Hammer (2024), The SAME score, IJCNN, arXiv:2203.14603.
    """

    needs: ClassVar[tuple[str, ...]] = ("words", "a", "b")
    neutral: ClassVar[float | None] = 0.0
    similarity: ClassVar[Similarity | None] = COSINE
    convention: ClassVar[Convention | None] = None

    part: Part = "bias"

    def __post_init__(self) -> None:
        check_settings(self, called="same")

    @property
    def name(self) -> str:
        """The name under which the metric is registered; a companion adds its own."""
        return "same" if self.part == "bias" else f"same-{self.part}"

    @property
    def meaning(self) -> str:
        """What the values say."""
        return _MEANING[self.part]

    @property
    def traits(self) -> Traits:
        """What holds of it: only skew has a sign."""
        return _TRAITS[self.part]

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the chosen part, and each word's signed cosine."""
        return score_along(groups, geometry, "mean-difference", self._effect)

    def _effect(self, rows: FloatArray) -> FloatArray:
        match self.part:
            case "bias":
                return mean_of_rows(np.abs(rows))
            case "skew":
                return mean_of_rows(rows)
            case "stereotype":
                return np.asarray(rows[..., 0].std(axis=-1))

"""Bias by classification: whether a classifier learns from some words how others lean."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import COSINE, FloatArray, Geometry, Similarity
from fairvec.ground.errors import SettingError
from fairvec.ground.settings import Count, Seed, check_settings
from fairvec.lexicon import Groups
from fairvec.metrics.bias.parts.direction import Direction
from fairvec.metrics.bias.parts.vocabulary import two_sides
from fairvec.metrics.score import Score
from fairvec.metrics.traits import Traits
from fairvec.results import Convention


@dataclass(frozen=True)
class BiasByClassification:
    """Can a classifier that has seen some leaning words tell to which side others lean?

    accuracy = share of unseen words whose side a support vector machine gets right

    0.5: no better than a coin; 1: always. The words are the `each` of the vocabulary with the
    largest and those with the smallest cos(w, g), without the words of A and B; the machine learns
    from the unit vectors of `learnt` of each side, drawn by the `seed`, and is asked for the rest.
    Its kernel is exp(-|u - v|^2 / dimensions), its penalty 1: the paper's figures need these.
    Words that are chosen by their lean differ at least in that: on Google News ten random words
    for A and ten for B score .97 to .995. The figure is about a changed embedding; even there it
    should be held against random lists (.82 to .87 once their own direction is removed).
    To measure a debiased embedding give the one from before as `original`: vectors are then those
    of now, and the leanings those of before, as in the paper. In the ball words are seen from the
    origin and the curvature is not noticed.

    Gonen & Goldberg (2019), NAACL, 609-614, section 4; there g is he - she and a list of all
    gender-specific words is left out.
    """

    name: ClassVar[str] = "bias-by-classification"
    needs: ClassVar[tuple[str, ...]] = ("a", "b")
    neutral: ClassVar[float | None] = 0.5
    meaning: ClassVar[str] = (
        "How well a classifier tells unseen words that lean to A from those that lean to B: "
        "0.5: not at all; 1: always; lists of random words can score as high."
    )
    similarity: ClassVar[Similarity | None] = COSINE
    convention: ClassVar[Convention | None] = None
    traits: ClassVar[Traits] = Traits(
        sees="X to A, Y to B",
        shown="above",
    )

    each: Count = 2500
    learnt: Count = 500
    direction: Direction = "auto"
    original: Embedding | None = None
    seed: Seed = 0

    def __post_init__(self) -> None:
        check_settings(self)
        if self.learnt >= self.each:
            raise SettingError(
                f"{self.name}: learnt is {self.learnt} of each {self.each} words a side; it must "
                "be fewer, so that some are left to be asked for."
            )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the accuracy; the words are the vocabulary's, so none has a share to show."""
        sides = two_sides(groups, self.each, self.direction, self.original)
        # The same ranks are drawn on both sides, so that swapping A and B changes nothing.
        drawn = np.random.default_rng(self.seed).permutation(self.each)
        learnt, asked = (
            np.concatenate([side[ranks] for side in sides])
            for ranks in np.split(drawn, [self.learnt])
        )
        guesses = _guesses(learnt, asked)
        return Score(float((guesses == _sides(asked)).mean()), ())


def _sides(points: FloatArray) -> FloatArray:
    """Return 0 for the first half of the points, which lean to A, and 1 for the second."""
    return np.repeat([0.0, 1.0], len(points) // 2)


def _guesses(learnt: FloatArray, asked: FloatArray) -> FloatArray:
    # scikit-learn takes a second to import and few audits need it.
    from sklearn.svm import SVC

    machine = SVC(kernel="rbf", gamma="auto").fit(learnt, _sides(learnt))
    guesses: FloatArray = machine.predict(asked)
    return guesses

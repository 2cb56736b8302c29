"""Bias by classification: whether a classifier learns from some words how others lean."""

from dataclasses import dataclass

import numpy as np

from fairvec.embedding import Embedding
from fairvec.errors import SettingError
from fairvec.geometry import FloatArray, Geometry
from fairvec.lexicon import Groups
from fairvec.metrics.bias.along_direction import AlongDirection
from fairvec.metrics.bias.direction import Direction, bias_direction, unit
from fairvec.metrics.bias.vocabulary import as_before, leanings_along, most_leaning
from fairvec.metrics.score import Score


@dataclass(frozen=True)
class BiasByClassification(AlongDirection):
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

    each: int = 2500
    learnt: int = 500
    direction: Direction = "auto"
    original: Embedding | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.learnt < self.each:
            raise SettingError(
                f"Of {self.each} words a side one or more must be learnt and one or more left to "
                f"be asked for, not {self.learnt} learnt."
            )

    @property
    def name(self) -> str:
        """The name under which the metric is registered."""
        return "bias-by-classification"

    @property
    def needs(self) -> tuple[str, ...]:
        """Two attribute lists; the words are found in the vocabulary."""
        return ("a", "b")

    @property
    def neutral(self) -> float:
        """No better than a coin."""
        return 0.5

    @property
    def meaning(self) -> str:
        """What the values say."""
        return (
            "How well a classifier tells unseen words that lean to A from those that lean to B: "
            "0.5: not at all; 1: always; lists of random words can score as high."
        )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the accuracy; the words are the vocabulary's, so none has a share to show."""
        before = as_before(groups, self.original)
        direction = bias_direction(before, self.direction)
        extremes = most_leaning(leanings_along(direction, before.embedding), groups, self.each)
        # The same ranks are drawn on both sides, so that swapping A and B changes nothing.
        drawn = np.random.default_rng(self.seed).permutation(self.each)
        learnt, asked = (
            unit(groups.embedding.rows([groups.embedding.keys[row] for row in rows]))
            for rows in (
                np.concatenate([side[drawn[: self.learnt]] for side in extremes]),
                np.concatenate([side[drawn[self.learnt :]] for side in extremes]),
            )
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

"""Direct bias: how far words lie along the direction between two attribute lists."""

from dataclasses import dataclass

import numpy as np

from fairvec.errors import SettingError
from fairvec.geometry import FloatArray, Geometry
from fairvec.lexicon import Groups
from fairvec.metrics.bias.along_direction import AlongDirection, cosines, words_of
from fairvec.metrics.bias.direction import Direction
from fairvec.metrics.score import OneSample, Score


@dataclass(frozen=True)
class DirectBias(AlongDirection):
    """How far do words that should be neutral lie along the direction g, on whichever side?

    DirectBias_c = mean_w |cos(w, g)|^c

    Between 0 (every word is at a right angle to g) and 1 (every word lies on it). A larger
    strictness c forgives small cosines. Each word's own number is its signed cosine.
    In the ball cosines are seen from the origin and do not notice the curvature.

    Bolukbasi et al. (2016), NeurIPS 29, 4349-4357; arXiv:1607.06520, 5.2.
    """

    strictness: float = 1.0
    direction: Direction = "auto"

    def __post_init__(self) -> None:
        if not self.strictness > 0:
            raise SettingError(f"The strictness c must be above 0, not {self.strictness}.")

    @property
    def name(self) -> str:
        """The name under which the metric is registered."""
        return "direct-bias"

    @property
    def meaning(self) -> str:
        """What the values say."""
        return "0: no word lies along the direction from B to A; 1: every word lies on it."

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean |cos(w, g)|^c, and each word's signed cosine."""
        words = words_of(groups)
        along = cosines(words.vectors, groups, geometry, self.direction)

        def effect(rows: FloatArray) -> FloatArray:
            means: FloatArray = (np.abs(rows[..., 0]) ** self.strictness).mean(axis=-1)
            return means

        rows = along[:, None]
        return Score(float(effect(rows)), words.shares(along), OneSample(rows, effect))


@dataclass(frozen=True)
class SignedDirectBias(AlongDirection):
    """To which side of the direction g do words lean, and how far?

    mean_w cos(w, g)

    Positive: the words lean to a; negative: to b; 0: not at all, or as far to one side as to the
    other. Between -1 and 1. Figure 1 of Kumar et al. (2020) plots the words' own cosines.
    In the ball cosines are seen from the origin and do not notice the curvature.

    The signed terms of Bolukbasi et al. (2016), NeurIPS 29, 4349-4357; arXiv:1607.06520, 5.2.
    """

    direction: Direction = "auto"

    @property
    def name(self) -> str:
        """The name under which the metric is registered."""
        return "signed-direct-bias"

    @property
    def meaning(self) -> str:
        """What the values say."""
        return "Positive: the words lean to A; negative: to B; 0: to neither on the whole."

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean cos(w, g), and each word's cosine."""
        words = words_of(groups)
        along = cosines(words.vectors, groups, geometry, self.direction)
        sample = OneSample(along[:, None], mean_of_rows)
        return Score(float(along.mean()), words.shares(along), sample)


def mean_of_rows(rows: FloatArray) -> FloatArray:
    """Return the mean of the one column of numbers, case by case."""
    means: FloatArray = rows[..., 0].mean(axis=-1)
    return means

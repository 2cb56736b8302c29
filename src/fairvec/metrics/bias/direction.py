"""Metrics along the direction between two attribute lists: direct bias, SAME and gyrocosine bias.

`bias_direction` takes the direction g from a test; most of these metrics are a mean of cos(w, g)
over the words (`score_along_direction`).
"""

from collections.abc import Callable
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from fairvec.core.errors import UndefinedError, UnknownNameError
from fairvec.core.settings import Positive, settings
from fairvec.geometry import COSINE, FloatArray, Geometry
from fairvec.geometry.directions import gyro_axis, mean_difference, pairs_pca
from fairvec.geometry.norms import normalize_rows, norms
from fairvec.lexicon import Groups
from fairvec.metrics.base import (
    Metric,
    OneSample,
    Score,
    TargetWords,
    Traits,
    column_mean,
    target_words,
)

Direction = Annotated[
    Literal["auto", "pairs-pca", "mean-difference"],
    Field(
        description="How the direction is found; auto: by the pairs of a paired test, else by "
        "means."
    ),
]


def bias_direction(groups: Groups, how: Direction = "auto") -> FloatArray:
    """Return the direction g of a test; `auto` is `pairs-pca` if the test is paired.

    Without pairs there is no difference to take word by word: `auto` is then `mean-difference`.
    """
    match how:
        case "auto" if not groups.test.paired:
            return mean_difference(*attributes(groups))
        case "auto" | "pairs-pca":
            return pairs_pca(*paired_attributes(groups, fewest=2))
        case "mean-difference":
            return mean_difference(*attributes(groups))
    raise UnknownNameError("direction", how, ("auto", "pairs-pca", "mean-difference"))


def attributes(groups: Groups) -> tuple[FloatArray, FloatArray]:
    """Return the vectors of a and b."""
    a, b = groups["a"].vectors, groups["b"].vectors
    if not len(a) or not len(b):
        raise UndefinedError(
            f"No attribute word of the test {groups.test.id} was found on one of its two sides; "
            "use a model that knows these words."
        )
    return a, b


def paired_attributes(groups: Groups, *, fewest: int = 1) -> tuple[FloatArray, FloatArray]:
    """Return the vectors of the complete pairs: row i of a belongs to row i of b."""
    a, b = groups.pairs()
    if len(a.found) < fewest:
        missing = [missed.word.word for group in (a, b) for missed in group.missing]
        remedy = f"a model that knows {', '.join(missing)}" if missing else "a test with more pairs"
        raise UndefinedError(
            f"Of the {len(a.wordset.words)} pairs of the test {groups.test.id} {len(a.found)} can "
            f"be used and {fewest} must be; use {remedy}, or a direction or measure "
            "without pairs."
        )
    return a.vectors, b.vectors


def require_target_words(groups: Groups) -> TargetWords:
    """Return the words that a metric reads; raise UndefinedError if none was found."""
    words = target_words(groups)
    if not words.found:
        raise UndefinedError(
            f"No word of the test {groups.test.id} was found; use a model that knows its words."
        )
    return words


def score_along_direction(
    groups: Groups, geometry: Geometry, how: Direction, effect: Callable[[FloatArray], FloatArray]
) -> Score:
    """Return the effect of the words' cos(w, g), and each word's own: positive leans to a."""
    words = require_target_words(groups)
    rows = COSINE.between(words.vectors, bias_direction(groups, how)[None], geometry)
    return Score(float(effect(rows)), words.shares(rows[:, 0]), OneSample(rows, effect))


@settings
class DirectBias(Metric):
    """How far do words that should be neutral lie along the direction g, on whichever side?

    DirectBias_c = mean_w |cos(w, g)|^c

    Between 0 (every word is at a right angle to g) and 1 (every word lies on it). A larger
    strictness c forgives small cosines. Each word's own number is its signed cosine.
    In the ball cosines are seen from the origin and do not notice the curvature.

    Bolukbasi et al. (2016), NeurIPS 29, 4349-4357; arXiv:1607.06520, 5.2.
    """

    name = "direct-bias"
    meaning = "0: no word lies along the direction from B to A; 1: every word lies on it."
    similarity = COSINE
    traits = Traits(
        sees="X to A, Y to B",
        shown="above",
        positive_words="a",
    )

    strictness: Annotated[
        Positive,
        Field(description="The exponent c of the cosines: the larger, the less small ones count."),
    ] = 1.0
    direction: Direction = "auto"

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean |cos(w, g)|^c, and each word's signed cosine."""
        return score_along_direction(groups, geometry, self.direction, self._effect)

    def _effect(self, rows: FloatArray) -> FloatArray:
        return column_mean(np.abs(rows) ** self.strictness)


@settings
class SignedDirectBias(Metric):
    """To which side of the direction g do words lean, and how far?

    mean_w cos(w, g)

    Positive: the words lean to a; negative: to b; 0: not at all, or as far to one side as to the
    other. Between -1 and 1. Figure 1 of Kumar et al. (2020) plots the words' own cosines.
    In the ball cosines are seen from the origin and do not notice the curvature.

    The signed terms of Bolukbasi et al. (2016), NeurIPS 29, 4349-4357; arXiv:1607.06520, 5.2.
    """

    name = "signed-direct-bias"
    meaning = "Positive: the words lean to A; negative: to B; 0: to neither on the whole."
    similarity = COSINE
    traits = Traits(
        sees="words to A",
        shown="above",
        positive="the words lean to A",
        positive_words="a",
        swapped_attributes="turned",
    )

    direction: Direction = "auto"

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean cos(w, g), and each word's cosine."""
        return score_along_direction(groups, geometry, self.direction, column_mean)


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


@settings(called="same")
class Same(Metric):
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

    similarity = COSINE

    part: Annotated[
        Part, Field(description="Which part of the score is its value: bias, skew or stereotype.")
    ] = "bias"

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
        return score_along_direction(groups, geometry, "mean-difference", self._effect)

    def _effect(self, rows: FloatArray) -> FloatArray:
        match self.part:
            case "bias":
                return column_mean(np.abs(rows))
            case "skew":
                return column_mean(rows)
            case "stereotype":
                return np.asarray(rows[..., 0].std(axis=-1))


@settings
class GyrocosineBias(Metric):
    """To which side do words lean in the ball, A or B?

    gamma(w) = (cos(w, g_ab) - cos(w, g_ba)) / 2,   g_ab = -m_A (+) m_B,   g_ba = -m_B (+) m_A

    m_A and m_B are the Fréchet means of the two lists, cos is that of gyrovectors, seen from the
    origin. The value is the mean over words. As published, and unlike the other measures, POSITIVE
    leans to B (to the female terms, where A holds the male ones) and negative to A; between -1 and
    1. In flat space it is the cosine with the difference of the two means.

    Kumar et al. (2020), arXiv:2109.13767, section 3.1.
    """

    name = "gyrocosine-bias"
    meaning = "Positive: the words lean to B; negative: to A; 0: to neither on the whole."
    similarity = COSINE
    traits = Traits(
        sees="words to A",
        shown="below",
        positive="the words lean to B",
        positive_words="b",
        swapped_attributes="turned",
        lengths="common",
    )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean gamma(w), and each word's own."""
        words = require_target_words(groups)
        a, b = (geometry.mean(side).point for side in attributes(groups))
        axis = gyro_axis(a, b, geometry)
        tangents = geometry.log0(words.vectors)
        lengths = norms(tangents)
        if not lengths.all():
            normalize_rows(tangents)  # says what is wrong
        leanings = tangents @ axis / (2 * lengths)
        rows = leanings[:, None]
        samples = OneSample(rows, column_mean)
        return Score(float(column_mean(rows)), words.shares(leanings), samples)

"""Pair bias: how much nearer neutral words are to one word of a pair than to the other."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairvec.geometry import COSINE, Geometry, Similarity
from fairvec.ground.settings import check_settings
from fairvec.lexicon import Groups
from fairvec.metrics.bias.parts.along_direction import words_of
from fairvec.metrics.bias.parts.direction import paired_attributes
from fairvec.metrics.means import mean_of_rows
from fairvec.metrics.score import OneSample, Score
from fairvec.metrics.traits import Traits
from fairvec.results import Convention


@dataclass(frozen=True)
class PairBias:
    """Are words that should be neutral as near to one word of each pair as to the other?

    PairBias = mean_w mean_(a,b) |sim(w, a) - sim(w, b)|

    over neutral words w and the pairs (a, b) of a paired test. 0: every word is equally near to
    both words of every pair, as it is once the words are neutralised and the pairs equalised.
    Each word's own number is the signed mean: positive is nearer to a.

    Bolukbasi et al. (2016), arXiv:1607.06520, section 6, name PairBias and state this law
    (w.a = w.b and |w - a| = |w - b| after the two steps, "then PairBias = 0"); no formula of theirs
    is known to us, and this one is the mean deviation from that law.
    """

    name: ClassVar[str] = "pair-bias"
    needs: ClassVar[tuple[str, ...]] = ("words", "a", "b")
    neutral: ClassVar[float | None] = 0.0
    meaning: ClassVar[str] = (
        "0: every word is equally near to both words of each pair; larger: it is not."
    )
    convention: ClassVar[Convention | None] = None

    similarity: Similarity = COSINE

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def traits(self) -> Traits:
        """What holds of it; what lengths do depends on the settings."""
        return Traits(
            sees="X to A, Y to B",
            shown="above",
            positive_words="a",
            lengths="ignored" if self.similarity is COSINE else "count",
        )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean deviation, and each word's signed one."""
        words = words_of(groups)
        a, b = paired_attributes(groups)
        nearer = self.similarity.measured(words.vectors, a, geometry)
        nearer = nearer - self.similarity.measured(words.vectors, b, geometry)
        rows = np.abs(nearer).mean(axis=1, keepdims=True)
        shares = words.shares(nearer.mean(axis=1))
        return Score(float(mean_of_rows(rows)), shares, OneSample(rows, mean_of_rows))

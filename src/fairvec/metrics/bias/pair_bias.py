"""Pair bias: how much nearer neutral words are to one word of a pair than to the other."""

from dataclasses import dataclass

import numpy as np

from fairvec.geometry import COSINE, Geometry, Similarity
from fairvec.lexicon import Groups
from fairvec.metrics.bias.along_direction import words_of
from fairvec.metrics.bias.direct_bias import mean_of_rows
from fairvec.metrics.bias.direction import attributes
from fairvec.metrics.score import OneSample, Score


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

    similarity: Similarity = COSINE

    @property
    def name(self) -> str:
        """The name under which the metric is registered."""
        return "pair-bias"

    @property
    def needs(self) -> tuple[str, ...]:
        """One list of words, or x and y, and pairs in a and b."""
        return ("words", "a", "b")

    @property
    def neutral(self) -> float:
        """Equally near to both words of every pair."""
        return 0.0

    @property
    def meaning(self) -> str:
        """What the values say."""
        return "0: every word is equally near to both words of each pair; larger: it is not."

    @property
    def convention(self) -> None:
        """The value is no effect size."""
        return None

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean deviation, and each word's signed one."""
        words = words_of(groups)
        a, b = attributes(groups, paired=True)
        nearer = self.similarity.between(words.vectors, a, geometry)
        nearer = nearer - self.similarity.between(words.vectors, b, geometry)
        rows = np.abs(nearer).mean(axis=1, keepdims=True)
        shares = words.shares(nearer.mean(axis=1))
        return Score(float(mean_of_rows(rows)), shares, OneSample(rows, mean_of_rows))

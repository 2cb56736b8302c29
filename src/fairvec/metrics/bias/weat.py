"""The Word-Embedding Association Test."""

from dataclasses import dataclass

import numpy as np

from fairvec.errors import UndefinedError
from fairvec.geometry import COSINE, FloatArray, Geometry, Similarity
from fairvec.lexicon import Groups
from fairvec.metrics.bias.effect_size import CALISKAN, EffectSize, leanings
from fairvec.metrics.score import Score, TwoSamples, WordShare
from fairvec.results import Convention


@dataclass(frozen=True)
class Weat:
    """Are the words of X closer to A, and those of Y closer to B, than chance allows?

    s(w, A, B) = mean_a sim(w, a) - mean_b sim(w, b)
    d = (mean_x s(x, A, B) - mean_y s(y, A, B)) / spread of s over X and Y

    Positive: X leans to A and Y to B; zero: no difference; with equal list sizes |d| < 2.
    Each word also gets its own effect size (WEFAT): s(w, A, B) over the standard deviation of
    its similarities to all words of A and B.

    Caliskan, Bryson & Narayanan (2017), Science 356, 183-186.
    """

    similarity: Similarity = COSINE
    effect_size: EffectSize = CALISKAN

    @property
    def name(self) -> str:
        """The name under which the metric is registered."""
        return "weat"

    @property
    def needs(self) -> tuple[str, ...]:
        """Two target and two attribute lists."""
        return ("x", "y", "a", "b")

    @property
    def neutral(self) -> float:
        """No difference."""
        return 0.0

    @property
    def meaning(self) -> str:
        """What the values say."""
        return "Positive: X leans to A and Y to B; negative: the other way round; 0: no difference."

    @property
    def convention(self) -> Convention:
        """The convention of the effect size."""
        return self.effect_size.convention

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return d, each word's leaning, and the closeness of each word to A and B to regroup."""
        a, b = groups["a"].vectors, groups["b"].vectors
        closeness: dict[str, FloatArray] = {}
        words: list[WordShare] = []
        for role in ("x", "y"):
            group = groups[role]
            to_a = self.similarity.between(group.vectors, a, geometry)
            to_b = self.similarity.between(group.vectors, b, geometry)
            closeness[role] = np.column_stack([to_a.mean(axis=1), to_b.mean(axis=1)])
            spreads = np.concatenate([to_a, to_b], axis=1).std(axis=1, ddof=self.convention.ddof)
            words += [
                WordShare(
                    found=found,
                    role=role,
                    leaning=float(lean),
                    effect=float(lean / spread) if spread > 0 else None,
                )
                for found, lean, spread in zip(
                    group.found, leanings(closeness[role]), spreads, strict=True
                )
            ]
        samples = TwoSamples(closeness["x"], closeness["y"], leanings, self.effect_size)
        value = float(self.effect_size(samples.x, samples.y))
        if np.isnan(value):
            raise UndefinedError(
                "All target words lean exactly alike, so there is no spread to measure against; "
                "use lists with different words."
            )
        return Score(value, tuple(words), samples)

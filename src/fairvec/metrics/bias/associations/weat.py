"""The Word-Embedding Association Test."""

from dataclasses import dataclass, replace
from typing import ClassVar

from fairvec.geometry import COSINE, Geometry, Similarity
from fairvec.ground.settings import check_settings
from fairvec.lexicon import Groups
from fairvec.metrics.bias.parts.association import association, closeness, pair_by_pair
from fairvec.metrics.bias.parts.effect_size import CALISKAN, EffectSize, leanings
from fairvec.metrics.score import Score, TwoSamples
from fairvec.metrics.traits import Traits
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

    name: ClassVar[str] = "weat"
    needs: ClassVar[tuple[str, ...]] = ("x", "y", "a", "b")
    neutral: ClassVar[float | None] = 0.0
    meaning: ClassVar[str] = (
        "Positive: X leans to A and Y to B; negative: the other way round; 0: no difference."
    )

    similarity: Similarity = COSINE
    effect_size: EffectSize = CALISKAN

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def traits(self) -> Traits:
        """What holds of it; what lengths do depends on the settings."""
        return Traits(
            sees="X to A, Y to B",
            shown="above",
            positive="X leans to A and Y to B",
            positive_words="a",
            swapped_attributes="turned",
            swapped_targets="turned",
            lengths="ignored" if self.similarity is COSINE else "common",
        )

    @property
    def convention(self) -> Convention:
        """The convention of the effect size."""
        return self.effect_size.convention

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return d, each word's leaning, and the closeness of each word to A and B to regroup."""
        near = {
            role: closeness(
                groups[role].vectors,
                groups["a"].vectors,
                groups["b"].vectors,
                self.similarity,
                geometry,
            )
            for role in ("x", "y")
        }
        words = [
            share
            for role, one in near.items()
            for share in one.shares(groups[role], ddof=self.convention.ddof)
        ]
        samples = TwoSamples(near["x"].means, near["y"].means, leanings, self.effect_size)
        score = association(samples, words, self.similarity, groups.source)
        return replace(score, near=pair_by_pair(near["x"], near["y"]))

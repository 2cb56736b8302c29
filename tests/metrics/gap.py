"""A metric that is not fairvec's own, and ways to break it."""

from dataclasses import dataclass, field

import numpy as np

from fairvec.geometry import COSINE, Geometry, Similarity
from fairvec.lexicon import Groups
from fairvec.metrics import Score, Traits, WordShare
from fairvec.results import Convention

TRAITS = Traits(
    sees="X to A, Y to B",
    shown="above",
    positive="X is nearer to A",
    positive_words="a",
    swapped_attributes="turned",
    swapped_targets="turned",
)


@dataclass(frozen=True)
class Gap:
    """The mean cosine of X with A less that with B, less the same of Y."""

    name: str = "gap"
    needs: tuple[str, ...] = ("x", "y", "a", "b")
    neutral: float | None = 0.0
    meaning: str = "Positive: X is nearer to A than Y is; 0: no difference."
    convention: Convention | None = None
    traits: Traits = field(default=TRAITS)

    @property
    def similarity(self) -> Similarity | None:
        return None

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        shares: list[WordShare] = []
        for role in "xy":
            to_a, to_b = (
                COSINE.between(groups[role].vectors, groups[other].vectors, geometry).mean(axis=1)
                for other in "ab"
            )
            shares += [
                WordShare(found, role, float(leaning), None)
                for found, leaning in zip(groups[role].found, to_a - to_b, strict=True)
            ]
        x, y = (np.mean([one.leaning for one in shares if one.role == role]) for role in "xy")
        return Score(self.told(float(x - y), groups), tuple(shares))

    def told(self, value: float, groups: Groups) -> float:
        return value

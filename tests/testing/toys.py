"""A method that is not shipped, for tests of plugins and their checks."""

from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from fairvec.embedding import Embedding
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation import Transform
from fairvec.mitigation.moves import Affine


@dataclass(frozen=True)
class FirstPair:
    """Halve what words have along the difference of the means of all pairs."""

    name: ClassVar[str] = "first-pair"
    strength: float = 1.0

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        keys = self.keys(ConceptWords(concept, embedding), concept)
        rows = embedding.rows(keys)
        along = rows[::2].mean(axis=0) - rows[1::2].mean(axis=0)
        along /= np.linalg.norm(along)
        return Transform(
            method=self.name,
            settings=asdict(self),
            concept=concept.name,
            fitted_on=tuple(keys),
            guarantees=frozenset(),
            geometry=embedding.geometry,
            move=Affine(-0.5 * np.outer(along, along), np.zeros(len(along)), self.used),
        )

    @property
    def used(self) -> float:
        return self.strength

    def keys(self, words: ConceptWords, concept: Concept) -> list[str]:
        return [key for pair in words.pairs(concept.definition.pairs).pairs for key in pair]

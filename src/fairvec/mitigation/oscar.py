"""OSCaR: turn two concepts apart instead of taking one of them out."""

from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from fairvec.embedding import Embedding
from fairvec.ground.errors import UndefinedError
from fairvec.ground.settings import Share, check_settings
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.base import NORM_KEPT
from fairvec.mitigation.moves.rotation import GradedRotation
from fairvec.mitigation.transform.fitted import Transform
from fairvec.mitigation.words.directions import direction, remarks_of


@dataclass(frozen=True)
class OSCaR:
    """Make the direction v2 of another concept orthogonal to the direction v1 of this one.

    w' = w turned in the plane of v1 and v2 by an angle of its own (see debias.rotation),

    so that v1 stays, v2 comes to stand orthogonal to it, and what lies between moves in proportion.
    Nothing is taken out: words keep their lengths, and a word of neither direction its place. The
    angle is zero where the two are orthogonal to begin with. `against` names one of the concept's
    directions to keep; it is found as the concept's own is.

    Dev, Li, Phillips & Srikumar (2021), OSCaR: Orthogonal Subspace Correction and Rectification of
    Biases in Word Embeddings, EMNLP, 5034-5050; arXiv:2007.00049. The program published with it
    exchanges the angle between v1 and v2 with what it lacks to a right angle; this follows the aim.
    """

    name: ClassVar[str] = "oscar"

    against: str = "occupations"
    strength: Share = 1.0

    def __post_init__(self) -> None:
        check_settings(self)

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the rotation in the plane of the two directions in this embedding."""
        words = ConceptWords(concept, embedding)
        other = concept.kept(self.against)
        one = direction(words, concept.definition, concept.name)
        two = direction(words, other, f"{concept.id}, keep {self.against}")
        move = GradedRotation(np.array([one.vector, two.vector]), self.strength)
        if move.parallel:
            raise UndefinedError(
                f"{concept.name} and {self.against} have one direction in {embedding.name}, which "
                "cannot be turned apart; use another direction to keep."
            )
        return Transform(
            method=self.name,
            settings=asdict(self),
            concept=concept.name,
            fitted_on=tuple(dict.fromkeys((*one.keys, *two.keys))),
            guarantees=frozenset({NORM_KEPT}),
            geometry=embedding.geometry,
            move=move,
            remarks=remarks_of(one, two),
        )

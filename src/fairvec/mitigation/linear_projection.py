"""Linear projection: take one direction out of every word."""

from dataclasses import asdict, dataclass
from typing import ClassVar

from fairvec.embedding import Embedding
from fairvec.ground.settings import Share, check_settings
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.base import (
    DIRECTION_REMOVED,
    Lengths,
    Moves,
    check_lengths,
    promised,
)
from fairvec.mitigation.moves.linear_moves import Projection
from fairvec.mitigation.transform.fitted import Transform
from fairvec.mitigation.words.directions import From, direction
from fairvec.mitigation.words.specific import Specific, check_split, split_for


@dataclass(frozen=True)
class LinearProjection:
    """Take the direction g of a concept out of words.

    w' = w - strength (w.g) g

    At strength 1 no word leans to either side of g any more; what else in the embedding tells the
    sides apart stays. `direction` says how g is found, `raw` whether the lengths of the defining
    words count; `moves` whether all words move or only those that do not mean the concept, which
    are all but the `specific` ones: `listed`, or learnt from those (`learnt`; `svm`: as published);
    `lengths` whether words may shrink (free), keep their length or are brought to length one.

    Dev & Phillips (2019), Attenuating Bias in Word Vectors, AISTATS; arXiv:1901.07656. Malik et
    al. (2022), section 5, take g from one pair (raw), pairs or a list.
    """

    name: ClassVar[str] = "linear-projection"

    direction: From = "auto"
    strength: Share = 1.0
    moves: Moves = "all"
    specific: Specific = "listed"
    lengths: Lengths = "free"
    raw: bool = False

    def __post_init__(self) -> None:
        check_settings(self)
        check_split(self.moves, self.specific)

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the projection along the concept's direction in this embedding."""
        check_lengths(self.lengths, embedding.geometry)
        words = ConceptWords(concept, embedding)
        found = direction(words, concept.definition, concept.name, how=self.direction, raw=self.raw)
        split = split_for(words, self.moves, self.specific)
        return Transform(
            method=self.name,
            settings=asdict(self),
            concept=concept.name,
            fitted_on=split.fitted_on(found.keys),
            guarantees=promised(DIRECTION_REMOVED, strength=self.strength, lengths=self.lengths),
            geometry=embedding.geometry,
            move=Projection(found.vector[None], self.strength),
            lengths=self.lengths,
            unmoved=split.keys,
            remarks=split.remarks | found.remarks,
        )

"""LPSG: linear projection along semantic gender, with grammatical gender left alone."""

from dataclasses import asdict, dataclass
from typing import ClassVar, Literal

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.directions import at_length_one, outside_span
from fairvec.ground.errors import SettingError, UndefinedError
from fairvec.ground.settings import Share, check_settings
from fairvec.lexicon import Concept, ConceptWords, Definition
from fairvec.mitigation.base import (
    DIRECTION_REMOVED,
    KEPT_UNTOUCHED,
    Lengths,
    Moves,
    check_lengths,
    promised,
)
from fairvec.mitigation.moves.linear_moves import Projection
from fairvec.mitigation.transform.fitted import Transform
from fairvec.mitigation.words.directions import FoundDirections, direction, remarks_of
from fairvec.mitigation.words.specific import Specific, check_split, split_for

LpsgConvention = Literal["as-described", "as-computed"]

ALL_FOUR = {"verbs", "adjectives", "titles", "entities"}


@dataclass(frozen=True)
class LPSG:
    """Take out of words what is left of a concept's direction beside directions to keep.

    d_s = d - Q Q^T d,   w' = w - strength (w.d_s) d_s,

    d the direction of the concept, Q a basis of the SPAN of the directions to keep (`keep` names
    some of the concept's; none named means all). The component of every word along each of them
    stays what it was.

    `as-computed` is what the authors' notebook does: d_s = d - sum_i (d.d_i) d_i, which is
    orthogonal to no d_i unless they are orthogonal to one another; words count with their lengths;
    for verbs and adjectives it takes d_i from entities and verbs, for all four from TWO pooled
    lists (verbs and adjectives as pairs; titles and entities as one list).

    Malik et al. (2022), NAACL-HLT, section 5; after Zhou et al. (2019), Examining Gender Bias in
    Languages with Grammatical Gender, EMNLP-IJCNLP, 5276-5284.
    """

    name: ClassVar[str] = "lpsg"

    keep: tuple[str, ...] = ()
    convention: LpsgConvention = "as-described"
    strength: Share = 1.0
    moves: Moves = "all"
    specific: Specific = "listed"
    lengths: Lengths = "free"

    def __post_init__(self) -> None:
        check_settings(self)
        check_split(self.moves, self.specific)

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the projection along the concept's own direction in this embedding."""
        check_lengths(self.lengths, embedding.geometry)
        if not concept.keep:
            raise SettingError(
                f"{concept.id} has no directions to keep; use linear-projection for it."
            )
        words, raw = ConceptWords(concept, embedding), self.convention == "as-computed"
        concepts_own = direction(words, concept.definition, concept.name, raw=raw)
        kept = [
            direction(words, definition, f"{concept.id}, keep {name}", raw=raw)
            for name, definition in self._kept(concept).items()
        ]
        found = (concepts_own, *kept)
        split = split_for(words, self.moves, self.specific)
        return Transform(
            method=self.name,
            settings={**asdict(self), "keep": list(self.keep or concept.keep)},
            concept=concept.name,
            fitted_on=split.fitted_on(*(each.keys for each in found)),
            guarantees=self._promised(embedding),
            geometry=embedding.geometry,
            move=Projection(self._semantic(concept, *found)[None], self.strength),
            lengths=self.lengths,
            unmoved=split.keys,
            remarks=split.remarks | remarks_of(*found),
        )

    def _kept(self, concept: Concept) -> dict[str, Definition]:
        names = self.keep or tuple(concept.keep)
        definitions = {name: concept.kept(name) for name in names}
        if self.convention == "as-described":
            return definitions
        return _as_pooled(definitions, concept)

    def _semantic(
        self, concept: Concept, own: FoundDirections, *kept: FoundDirections
    ) -> FloatArray:
        others = np.array([each.vector for each in kept])
        rule = outside_span if self.convention == "as-described" else less_each
        try:
            return rule(own.vector, others)
        except UndefinedError as error:
            named = ", ".join(self.keep or concept.keep)
            raise UndefinedError(f"{concept.name}, keeping {named}: {error}") from None

    def _promised(self, embedding: Embedding) -> frozenset[str]:
        names = promised(DIRECTION_REMOVED, strength=self.strength, lengths=self.lengths)
        # In the ball a word's component along d changes with its length, d_s or not.
        flat = not embedding.geometry.curvature
        if flat and self.lengths == "free" and self.convention == "as-described":
            names |= {KEPT_UNTOUCHED}
        return names


def less_each(direction: FloatArray, others: FloatArray) -> FloatArray:
    """Return d - sum_i (d.d_i) d_i at length one, the components all being those of d itself."""
    return at_length_one(direction - (others @ direction) @ others, compared_with=direction)


def _as_pooled(definitions: dict[str, Definition], concept: Concept) -> dict[str, Definition]:
    """Return the definitions that the notebook takes for the two choices of the paper."""
    names = set(definitions)
    if names == {"verbs", "adjectives"} and "entities" in concept.keep:
        return {"entities": concept.keep["entities"], "verbs": concept.keep["verbs"]}
    if names == ALL_FOUR:
        kept = concept.keep
        titles = kept["titles"].pairs
        ordered = (*(male for male, _ in titles), *(female for _, female in titles))
        return {
            "verbs and adjectives": Definition(
                pairs=kept["verbs"].pairs + kept["adjectives"].pairs
            ),
            "titles and entities": Definition(words=ordered + kept["entities"].words),
        }
    return definitions

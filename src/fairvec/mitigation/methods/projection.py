"""Linear projection, LPSG and OSCaR: take one direction out of words, or turn it away."""

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.core.settings import settings
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.directions import normalize_residual, residual_direction
from fairvec.lexicon import Concept, ConceptWords, Definition
from fairvec.mitigation.base import (
    DIRECTION_REMOVED,
    KEPT_UNTOUCHED,
    NORM_KEPT,
    Debiaser,
    Lengths,
    Moves,
    Strength,
    check_lengths,
    describe_fit,
    guarantees_at,
)
from fairvec.mitigation.concept_direction import (
    ConceptDirection,
    DirectionRule,
    concept_direction,
    remarks_of,
)
from fairvec.mitigation.moves import GradedRotation, Projection
from fairvec.mitigation.specific_words import Specific, check_split, split_for
from fairvec.mitigation.transform import Transform


@settings
class LinearProjection(Debiaser):
    """Take the direction g of a concept out of words.

    w' = w - strength (w.g) g

    At strength 1 no word leans to either side of g any more; what else in the embedding tells the
    sides apart stays. `direction` says how g is found, `raw` whether the lengths of the defining
    words count; `moves` whether all words move or only those that do not mean the concept, which
    are all but the `specific` ones: `listed`, or learnt from those (`learnt`; `svm`: as published);
    `lengths` whether words may shrink (free), keep their length or are brought to length one.

    Dev & Phillips (2019), Attenuating Bias in Word Vectors, AISTATS; arXiv:1901.07656. Malik et
    al. (2022), appendix C, take g from one pair (raw), pairs or a list.
    """

    name = "linear-projection"

    direction: Annotated[
        DirectionRule,
        Field(description="How the direction is found; auto: as the concept's lists suggest."),
    ] = "auto"
    strength: Strength = 1.0
    moves: Moves = "all"
    specific: Specific = "listed"
    lengths: Lengths = "free"
    raw: Annotated[
        bool,
        Field(description="Whether the lengths of the defining words count for the direction."),
    ] = False

    def __post_init__(self) -> None:
        check_split(self.moves, self.specific)

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the projection along the concept's direction in this embedding."""
        check_lengths(self.lengths, embedding.geometry)
        words = ConceptWords(concept, embedding)
        found = concept_direction(
            words, concept.definition, concept.name, how=self.direction, raw=self.raw
        )
        split = split_for(words, self.moves, self.specific)
        return Transform(
            **describe_fit(self, embedding, concept),
            fitted_on=split.fitted_on(found.keys),
            guarantees=guarantees_at(
                DIRECTION_REMOVED, strength=self.strength, lengths=self.lengths
            ),
            move=Projection(found.vector[None], self.strength),
            lengths=self.lengths,
            unmoved=split.keys,
            remarks=split.remarks | found.remarks,
        )


LpsgConvention = Literal["as-described", "as-computed"]

ALL_FOUR = {"verbs", "adjectives", "titles", "entities"}


@settings
class LPSG(Debiaser):
    """Take out of words what is left of a concept's direction beside directions to keep.

    d_s = d - Q Q^T d,   w' = w - strength (w.d_s) d_s,

    d the direction of the concept, Q a basis of the SPAN of the directions to keep (`keep` names
    some of the concept's; none named means all). The component of every word along each of them
    stays what it was.

    `as-computed` is what the authors' notebook does: d_s = d - sum_i (d.d_i) d_i, which is
    orthogonal to no d_i unless they are orthogonal to one another; words count with their lengths;
    for verbs and adjectives it takes d_i from entities and verbs, for all four from TWO pooled
    lists (verbs and adjectives as pairs; titles and entities as one list).

    Malik et al. (2022), NAACL-HLT, appendix C; after Zhou et al. (2019), Examining Gender Bias in
    Languages with Grammatical Gender, EMNLP-IJCNLP, 5276-5284.
    """

    name = "lpsg"

    keep: Annotated[
        tuple[str, ...],
        Field(description="The concept's directions that are kept; none named: all of them."),
    ] = ()
    convention: Annotated[
        LpsgConvention,
        Field(description="As the paper describes it, or as its notebook computes it."),
    ] = "as-described"
    strength: Strength = 1.0
    moves: Moves = "all"
    specific: Specific = "listed"
    lengths: Lengths = "free"

    def __post_init__(self) -> None:
        check_split(self.moves, self.specific)

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the projection along the concept's own direction in this embedding."""
        check_lengths(self.lengths, embedding.geometry)
        if not concept.keep:
            raise SettingError(
                f"{concept.id} has no directions to keep; use linear-projection for it."
            )
        words, raw = ConceptWords(concept, embedding), self.convention == "as-computed"
        own = concept_direction(words, concept.definition, concept.name, raw=raw)
        kept = [
            concept_direction(words, definition, f"{concept.id}, keep {name}", raw=raw)
            for name, definition in self._definitions_to_keep(concept).items()
        ]
        found = (own, *kept)
        keeping = replace(self, keep=self.keep or tuple(concept.keep))
        split = split_for(words, self.moves, self.specific)
        return Transform(
            **describe_fit(keeping, embedding, concept),
            fitted_on=split.fitted_on(*(direction.keys for direction in found)),
            guarantees=self._guarantees(embedding),
            move=Projection(self._semantic_direction(concept, *found)[None], self.strength),
            lengths=self.lengths,
            unmoved=split.keys,
            remarks=split.remarks | remarks_of(*found),
        )

    def _definitions_to_keep(self, concept: Concept) -> dict[str, Definition]:
        names = self.keep or tuple(concept.keep)
        definitions = {name: concept.direction_to_keep(name) for name in names}
        if self.convention == "as-described":
            return definitions
        return _as_computed(definitions, concept)

    def _semantic_direction(
        self, concept: Concept, own: ConceptDirection, *kept: ConceptDirection
    ) -> FloatArray:
        others = np.array([direction.vector for direction in kept])
        rule = residual_direction if self.convention == "as-described" else subtract_each
        try:
            return rule(own.vector, others)
        except UndefinedError as error:
            named = ", ".join(self.keep or concept.keep)
            raise UndefinedError(f"{concept.name}, keeping {named}: {error}") from None

    def _guarantees(self, embedding: Embedding) -> frozenset[str]:
        names = guarantees_at(DIRECTION_REMOVED, strength=self.strength, lengths=self.lengths)
        # In the ball a word's component along d changes with its length, d_s or not.
        flat = not embedding.geometry.curvature
        if flat and self.lengths == "free" and self.convention == "as-described":
            names |= {KEPT_UNTOUCHED}
        return names


def subtract_each(direction: FloatArray, others: FloatArray) -> FloatArray:
    """Return d - sum_i (d.d_i) d_i at length one, the components all being those of d itself."""
    return normalize_residual(direction - (others @ direction) @ others, compared_with=direction)


def _as_computed(definitions: dict[str, Definition], concept: Concept) -> dict[str, Definition]:
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


@settings
class OSCaR(Debiaser):
    """Make the direction v2 of another concept orthogonal to the direction v1 of this one.

    w' = w turned in the plane of v1 and v2 by an angle of its own (see GradedRotation),

    so that v1 stays, v2 comes to stand orthogonal to it, and what lies between moves in proportion.
    Nothing is taken out: words keep their lengths, and a word of neither direction its place. The
    angle is zero where the two are orthogonal to begin with. `against` names one of the concept's
    directions to keep; it is found as the concept's own is.

    Dev, Li, Phillips & Srikumar (2021), OSCaR: Orthogonal Subspace Correction and Rectification of
    Biases in Word Embeddings, EMNLP, 5034-5050; arXiv:2007.00049. The program published with it
    exchanges the angle between v1 and v2 with what it lacks to a right angle; this follows the aim.
    """

    name = "oscar"

    against: Annotated[
        str,
        Field(description="The concept's direction to keep that is made orthogonal to its own."),
    ] = "occupations"
    strength: Strength = 1.0

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the rotation in the plane of the two directions in this embedding."""
        words = ConceptWords(concept, embedding)
        against = concept.direction_to_keep(self.against)
        v1 = concept_direction(words, concept.definition, concept.name)
        v2 = concept_direction(words, against, f"{concept.id}, keep {self.against}")
        move = GradedRotation(np.array([v1.vector, v2.vector]), self.strength)
        if move.parallel:
            raise UndefinedError(
                f"{concept.name} and {self.against} have one direction in {embedding.name}, which "
                "cannot be turned apart; use another direction to keep."
            )
        return Transform(
            **describe_fit(self, embedding, concept),
            fitted_on=tuple(dict.fromkeys((*v1.keys, *v2.keys))),
            guarantees=frozenset({NORM_KEPT}),
            move=move,
            remarks=remarks_of(v1, v2),
        )

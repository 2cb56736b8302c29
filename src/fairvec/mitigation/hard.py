"""Hard debiasing: neutralise words, equalise pairs and sets."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray, Geometry, ProductOfBalls
from fairvec.ground.settings import Count, Share, check_settings
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.base import (
    DIRECTION_REMOVED,
    PAIRS_EQUIDISTANT,
    check_lengths,
    promised,
)
from fairvec.mitigation.moves.linear_moves import Projection
from fairvec.mitigation.transform.fitted import Transform
from fairvec.mitigation.words.directions import vectors
from fairvec.mitigation.words.sets import Defining, Equal
from fairvec.mitigation.words.specific import Specific, specific_split


@dataclass(frozen=True)
class HardDebiasing:
    """Take a subspace out of neutral words, and let equality sets differ in nothing else.

    neutralise  w' = w - w_B                                for every word that is not specific
    equalise    e' = v + sqrt(1 - |v|^2) (e_B - m_B)/|e_B - m_B|,  v = m - m_B, m the set's mean

    B is spanned by the first k principal components of the defining sets, each centred at its mean;
    all words count at unit length. Afterwards a neutral word is as far from one word of a set (most
    often a pair) as from the others. Specific words (defining and equality words, and those that
    are `listed`, or `learnt` from them; `svm`: as published) are not neutralised. A concept without
    equality sets has its defining sets equalised.

    `lengths`: unit as published (auto, in flat space), kept (auto, in the ball), or free; except at
    unit length a set is placed at the mean of its lengths. At a strength below 1 words go that
    share of the way.

    Bolukbasi et al. (2016), arXiv:1607.06520, section 6.
    """

    name: ClassVar[str] = "hard"

    k: Count = 1
    strength: Share = 1.0
    lengths: Literal["auto", "free", "kept", "unit"] = "auto"
    specific: Specific = "listed"

    def __post_init__(self) -> None:
        check_settings(self)

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the neutralising projection and the places of the equalised words."""
        lengths = lengths_in(embedding.geometry, self.lengths)
        words = ConceptWords(concept, embedding)
        defining = Defining.of(words, self.k)

        def rows(keys: Sequence[str]) -> FloatArray:
            return vectors(embedding, keys, raw=True)

        basis = defining.basis(rows)
        equal = Equal.of(words, basis, rows)
        placed = equal.places(rows, rows, basis, self.strength, lengths)
        split = specific_split(words, self.specific)
        names = (DIRECTION_REMOVED, *equidistant(placed, embedding.geometry))
        # An equalised word is given its set's length.
        norms = "free" if placed and lengths == "kept" else lengths
        return Transform(
            method=self.name,
            settings=asdict(self),
            concept=concept.name,
            fitted_on=split.fitted_on(defining.keys, placed),
            guarantees=promised(*names, strength=self.strength, lengths=norms),
            geometry=embedding.geometry,
            move=Projection(basis, self.strength),
            lengths=lengths,
            unmoved=split.keys - placed.keys(),
            placed=placed,
            remarks=defining.remarks(rows, basis)
            | said(pairs_not_equalised=equal.left_out)
            | split.remarks,
        )


def lengths_in(geometry: Geometry, lengths: str) -> str:
    """Return the lengths that `auto` stands for: unit in flat space, kept in the ball."""
    if lengths == "auto":
        lengths = "kept" if geometry.curvature else "unit"
    check_lengths(lengths, geometry)
    return lengths


def equidistant(placed: Mapping[str, FloatArray], geometry: Geometry) -> tuple[str, ...]:
    """Return the promise that equalised words can give in a space.

    In a product of balls a right angle between tangent vectors says nothing about distances.
    """
    whole = not isinstance(geometry, ProductOfBalls) or geometry.balls == 1
    return (PAIRS_EQUIDISTANT,) if placed and whole else ()


def said(**remarks: Sequence[str]) -> dict[str, Sequence[str]]:
    """Return the remarks in which something is said."""
    return {name: each for name, each in remarks.items() if each}

"""Hard debiasing, of two sides or more: neutralise words, and equalise sets of words.

Defining sets span the subspace of the concept (`DefiningSets`); equality sets are to differ in that
subspace alone (`EqualitySets`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.core.settings import PositiveInt, settings
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray, Geometry, ProductOfBalls
from fairvec.geometry.norms import normalize, normalize_rows, norms
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.base import (
    DIRECTION_REMOVED,
    PAIRS_EQUIDISTANT,
    Debiaser,
    Strength,
    check_lengths,
    describe_fit,
    guarantees_at,
)
from fairvec.mitigation.concept_direction import (
    STEADINESS,
    Sets,
    explained_by,
    stability,
    subspace,
    tangent_vectors,
)
from fairvec.mitigation.moves import Projection, remove_subspace
from fairvec.mitigation.specific_words import Specific, specific_split
from fairvec.mitigation.transform import Transform

Keys = tuple[str, ...]
ComponentCount = Annotated[
    PositiveInt, Field(description="Principal components of the defining sets that are taken out.")
]
HardLengths = Annotated[
    Literal["auto", "free", "kept", "unit"],
    Field(
        description="Words may shrink, keep their length, or are brought to length one; auto: unit "
        "in flat space, kept in the ball."
    ),
]
Rows = Callable[[Sequence[str]], FloatArray]
"""Gives the tangent vectors of words, at their lengths."""


@settings
class HardDebiasing(Debiaser):
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

    name = "hard"
    counts_words: ClassVar[bool] = False
    """Whether each defining word counts alike, or each defining set."""

    k: ComponentCount = 1
    strength: Strength = 1.0
    lengths: HardLengths = "auto"
    specific: Specific = "listed"

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the neutralising projection and the places of the equalised words."""
        lengths = resolve_lengths(embedding.geometry, self.lengths)
        words = ConceptWords(concept, embedding)
        defining = DefiningSets.of(words, self.k, by_word=self.counts_words)

        def rows(keys: Sequence[str]) -> FloatArray:
            return tangent_vectors(embedding, keys, raw=True)

        basis = defining.basis(rows)
        equal = EqualitySets.of(words, basis, rows)
        placed = equal.places(rows, rows, basis, self.strength, lengths)
        split = specific_split(words, self.specific)
        names = (DIRECTION_REMOVED, *pairs_guarantee(placed, embedding.geometry))
        # An equalised word is given its set's length.
        kept_lengths = "free" if placed and lengths == "kept" else lengths
        return Transform(
            **describe_fit(self, embedding, concept),
            fitted_on=split.fitted_on(defining.keys, placed),
            guarantees=guarantees_at(*names, strength=self.strength, lengths=kept_lengths),
            move=Projection(basis, self.strength),
            lengths=lengths,
            unmoved=split.keys - placed.keys(),
            placed=placed,
            remarks=defining.remarks(rows, basis)
            | without_empty(pairs_not_equalised=equal.left_out)
            | split.remarks,
        )


def resolve_lengths(geometry: Geometry, lengths: str) -> str:
    """Return the lengths that `auto` stands for: unit in flat space, kept in the ball."""
    if lengths == "auto":
        lengths = "kept" if geometry.curvature else "unit"
    check_lengths(lengths, geometry)
    return lengths


def pairs_guarantee(placed: Mapping[str, FloatArray], geometry: Geometry) -> tuple[str, ...]:
    """Return the guarantee that equalised words have in a space.

    In a product of balls a right angle between tangent vectors says nothing about distances.
    """
    one_space = not isinstance(geometry, ProductOfBalls) or geometry.balls == 1
    return (PAIRS_EQUIDISTANT,) if placed and one_space else ()


def without_empty(**remarks: Sequence[str]) -> dict[str, Sequence[str]]:
    """Return the remarks that are not empty."""
    return {name: entries for name, entries in remarks.items() if entries}


@settings
class MultiClassHard(HardDebiasing):
    """Take the k directions in which sets of several words differ out of neutral words.

    B are the first k principal components of the defining sets (judaism, christianity, islam), each
    centred at its mean, and every word counts alike, where in hard debiasing every set does; of
    sets of one size that is the same. Neutralise and equalise are its steps, whose formulas hold
    for sets of any size. Afterwards a neutral word is as far from each word of a set as from the
    others.

    Two things differ from the published program. It neutralises a list of stereotypes only, and
    here every word moves that is not specific. Its k is 1 unless told otherwise; but the words of a
    set come to lie on a sphere in B, and on a line that is two points, so that two of three words
    would become one: k is 2 here, and 1 is refused for sets of three.

    Manzini, Lim, Tsvetkov & Black (2019), Black is to Criminal as Caucasian is to Police: Detecting
    and Removing Multiclass Bias in Word Embeddings, NAACL-HLT, 615-621; arXiv:1904.04047.
    """

    name = "multiclass-hard"
    counts_words = True

    k: Annotated[
        PositiveInt,
        Field(description="Principal components of the defining sets that are taken out."),
    ] = 2


@dataclass(frozen=True)
class DefiningSets:
    """The sets of words that span a subspace of k dimensions, and the entries left out."""

    name: str
    sets: tuple[Keys, ...]
    left_out: Keys
    k: int
    by_word: bool = False

    @classmethod
    def of(cls, words: ConceptWords, k: int, *, by_word: bool = False) -> "DefiningSets":
        """Return the defining sets of a concept, if they can span k dimensions."""
        concept, definition = words.concept, words.concept.definition
        if definition.words:
            listed = words.list_of(definition, concept.name)
            found = cls(concept.name, (listed.keys,), listed.missing, k, by_word)
        else:
            sets = words.sets_of(definition, concept.name)
            left_out = tuple(map("-".join, sets.left_out))
            found = cls(concept.name, sets.sets, left_out, k, by_word)
        most = sum(len(group) - 1 for group in found.sets)
        if not 1 <= k <= most:
            raise SettingError(
                f"k is {k} and must lie between 1 and {most}, the number of directions that the "
                f"defining words of {concept.name} can span ({', '.join(found.keys)})."
            )
        return found

    @property
    def keys(self) -> Keys:
        """All words, each once."""
        return tuple(dict.fromkeys(key for group in self.sets for key in group))

    def basis(self, rows: Rows) -> FloatArray:
        """Return an orthonormal basis of the subspace."""
        try:
            return subspace(_units(self.sets, rows), self.k, by_word=self.by_word)
        except UndefinedError as error:
            raise UndefinedError(f"{self.name} ({', '.join(self.keys)}): {error}") from None

    def remarks(self, rows: Rows, basis: FloatArray) -> dict[str, Sequence[str]]:
        """Return the remarks of a transform on the subspace: stability, and entries left out."""
        found = stability(
            basis,
            self.sets,
            lambda sets: subspace(_units(sets, rows), self.k, by_word=self.by_word),
            explained_by(_units(self.sets, rows), self.k, by_word=self.by_word),
        )
        remarks: dict[str, Sequence[str]] = {STEADINESS: [f"{self.name}: {found.summary}"]}
        return remarks | ({"left_out": self.left_out} if self.left_out else {})


@dataclass(frozen=True)
class EqualitySets:
    """The sets of words that shall differ in a subspace alone, and the sets left out."""

    sets: tuple[Keys, ...]
    left_out: Keys

    @classmethod
    def of(cls, words: ConceptWords, basis: FloatArray, rows: Rows) -> "EqualitySets":
        """Return the equality sets of a concept whose words are there and differ in the subspace.

        A set that shares a word with an earlier one is left out: a word has one place only.
        """
        concept = words.concept
        found = words.sets(concept.equality_sets)
        usable = tuple(group for group in found.sets if _differ(normalize_rows(rows(group)), basis))
        crowded = next((group for group in usable if len(group) > 2 and len(basis) == 1), None)
        if crowded:
            raise SettingError(
                f"k is 1, and on one line two of the words {', '.join(crowded)} of {concept.name} "
                "would fall together once equalised; use k = 2 or more."
            )
        unequal = (group for group in found.sets if group not in usable)
        return cls(usable, tuple(map("-".join, (*found.left_out, *unequal))))

    def places(
        self, stored: Rows, rows: Rows, basis: FloatArray, strength: float, lengths: str
    ) -> dict[str, FloatArray]:
        """Return where the words go at a strength, from where they are `stored`.

        `rows` are what is equalised; a set gets the mean of its lengths there or, if lengths shall
        be kept, of its lengths as stored.
        """
        places: dict[str, FloatArray] = {}
        for keys in self.sets:
            start, ends = stored(keys), equalise(normalize_rows(rows(keys)), basis)
            if lengths == "unit":
                start = normalize_rows(start)
            else:
                reference = start if lengths == "kept" else rows(keys)
                ends *= norms(reference).mean()
            for key, place in zip(keys, (1 - strength) * start + strength * ends, strict=True):
                places[key] = normalize(place) if lengths == "unit" else place
        return places


def equalise(units: FloatArray, basis: FloatArray) -> FloatArray:
    """Return the places of a set of words (rows of length one) that then differ in B alone."""
    mean = units.mean(axis=0)
    outside = remove_subspace(mean, basis)
    apart = ((units - mean) @ basis.T) @ basis
    apart /= np.linalg.norm(apart, axis=1, keepdims=True)
    places: FloatArray = outside + np.sqrt(max(0.0, 1 - float(outside @ outside))) * apart
    return places


def _units(sets: Sets, rows: Rows) -> list[FloatArray]:
    return [normalize_rows(rows(each)) for each in sets]


def _differ(units: FloatArray, basis: FloatArray) -> bool:
    apart = (units - units.mean(axis=0)) @ basis.T
    return bool((np.linalg.norm(apart, axis=1) > 1e-9).all())

"""Sets of words that differ in a concept alone: those that define it, and those to equalise."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.geometry import FloatArray
from fairvec.geometry.directions import unit
from fairvec.geometry.sizes import lengths as lengths_of
from fairvec.geometry.sizes import unit_vector
from fairvec.ground.errors import SettingError, UndefinedError
from fairvec.lexicon import ConceptWords
from fairvec.mitigation.moves.linear_moves import removed
from fairvec.mitigation.words.directions import subspace
from fairvec.mitigation.words.steadiness import STEADINESS, Sets, explained_by, steadiness

Keys = tuple[str, ...]
Rows = Callable[[Sequence[str]], FloatArray]
"""Gives the tangent vectors of words, lengths counting."""


@dataclass(frozen=True)
class Defining:
    """The sets of words that span a subspace of k dimensions, and the entries left out."""

    name: str
    sets: tuple[Keys, ...]
    left_out: Keys
    k: int

    @classmethod
    def of(cls, words: ConceptWords, k: int) -> "Defining":
        """Return the defining sets of a concept, if they can span k dimensions."""
        concept, definition = words.concept, words.concept.definition
        if definition.words:
            listed = words.list_of(definition, concept.name)
            found = cls(concept.name, (listed.keys,), listed.missing, k)
        else:
            sets = words.sets_of(definition, concept.name)
            found = cls(concept.name, sets.sets, tuple(map("-".join, sets.left_out)), k)
        most = sum(len(each) - 1 for each in found.sets)
        if not 1 <= k <= most:
            raise SettingError(
                f"k is {k} and must lie between 1 and {most}, the number of directions that the "
                f"defining words of {concept.name} can span ({', '.join(found.keys)})."
            )
        return found

    @property
    def keys(self) -> Keys:
        """All words, each once."""
        return tuple(dict.fromkeys(key for each in self.sets for key in each))

    def basis(self, rows: Rows) -> FloatArray:
        """Return an orthonormal basis of the subspace."""
        try:
            return subspace(_units(self.sets, rows), self.k)
        except UndefinedError as error:
            raise UndefinedError(f"{self.name} ({', '.join(self.keys)}): {error}") from None

    def remarks(self, rows: Rows, basis: FloatArray) -> dict[str, Sequence[str]]:
        """Return what a transform says about the subspace: how steady, and what was left out."""
        steady = steadiness(
            basis,
            self.sets,
            lambda some: subspace(_units(some, rows), self.k),
            explained_by(_units(self.sets, rows), self.k),
        )
        said: dict[str, Sequence[str]] = {STEADINESS: [f"{self.name}: {steady.said}"]}
        return said | ({"left_out": self.left_out} if self.left_out else {})


@dataclass(frozen=True)
class Equal:
    """The sets of words that shall differ in a subspace alone, and the sets left out."""

    sets: tuple[Keys, ...]
    left_out: Keys

    @classmethod
    def of(cls, words: ConceptWords, basis: FloatArray, rows: Rows) -> "Equal":
        """Return the equality sets of a concept whose words are there and differ in the subspace.

        A set that shares a word with an earlier one is left out: a word has one place only.
        """
        concept, defining = words.concept, words.concept.definition
        found = words.sets(concept.equalise or defining.pairs or defining.sets)
        usable = tuple(each for each in found.sets if _differ(unit(rows(each)), basis))
        crowded = next((each for each in usable if len(each) > 2 and len(basis) == 1), None)
        if crowded:
            raise SettingError(
                f"k is 1, and on one line two of the words {', '.join(crowded)} of {concept.name} "
                "would fall together once equalised; use k = 2 or more."
            )
        idle = (each for each in found.sets if each not in usable)
        return cls(usable, tuple(map("-".join, (*found.left_out, *idle))))

    def places(
        self, stored: Rows, rows: Rows, basis: FloatArray, strength: float, lengths: str
    ) -> dict[str, FloatArray]:
        """Return where the words go at a strength, from where they are `stored`.

        `rows` are what is equalised; a set gets the mean of its lengths there or, if lengths shall
        be kept, of its lengths as stored.
        """
        places: dict[str, FloatArray] = {}
        for keys in self.sets:
            start, ends = stored(keys), equalised(unit(rows(keys)), basis)
            if lengths == "unit":
                start = unit(start)
            else:
                kept = start if lengths == "kept" else rows(keys)
                ends *= lengths_of(kept).mean()
            for key, place in zip(keys, (1 - strength) * start + strength * ends, strict=True):
                places[key] = unit_vector(place) if lengths == "unit" else place
        return places


def equalised(units: FloatArray, basis: FloatArray) -> FloatArray:
    """Return the places of a set of words (rows of length one) that then differ in B alone."""
    mean = units.mean(axis=0)
    outside = removed(mean, basis)
    apart = ((units - mean) @ basis.T) @ basis
    apart /= np.linalg.norm(apart, axis=1, keepdims=True)
    places: FloatArray = outside + np.sqrt(max(0.0, 1 - float(outside @ outside))) * apart
    return places


def _units(sets: Sets, rows: Rows) -> list[FloatArray]:
    return [unit(rows(each)) for each in sets]


def _differ(units: FloatArray, basis: FloatArray) -> bool:
    apart = (units - units.mean(axis=0)) @ basis.T
    return bool((np.linalg.norm(apart, axis=1) > 1e-9).all())

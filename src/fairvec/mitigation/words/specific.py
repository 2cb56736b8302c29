"""Which words mean the concept itself and shall stay where they are: listed, or learnt."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.ground.errors import LexiconError, SettingError
from fairvec.ground.settings import check_choice
from fairvec.ground.text.remedies import method_setting
from fairvec.lexicon import Concept, ConceptWords, Word
from fairvec.lexicon.people import person_words
from fairvec.mitigation.moves.plane import Sides, marked_by, marked_unseen, plane
from fairvec.mitigation.moves.tangent import at_lengths
from fairvec.mitigation.words.calibrated import TARGET, LearntWords, calibrated

Specific = Literal["listed", "learnt", "svm"]
"""Where the specific words come from: the concept's lists; longer lists and what a calibrated
classifier learns from them; or a linear SVM taught by the concept's list, as published."""

FREQUENT = 50_000
"""How many of a vocabulary's first words teach the classifier unless told otherwise."""
FEWEST = 10
"""With fewer seed words there is nothing to learn from, and no fold without one to judge by."""


@dataclass(frozen=True)
class Taught:
    """How well held-out words were told apart in `folds` parts, each word judged once.

    `f_score` is that of the specific words, `balanced_accuracy` the mean of the shares of seed
    words and of other words that were recognised. `recognised` counts the seed words that the
    classifier taught by all of them marks; `among` how many words taught it.
    """

    f_score: float
    balanced_accuracy: float
    folds: int
    recognised: int
    among: int


@dataclass(frozen=True)
class SpecificSplit:
    """The specific words of a vocabulary.

    `seed` are those that a concept lists as such, `defining` its other words (the defining and the
    equality words), `persons` the words for persons that are shipped with the concept's language,
    `learnt` those learnt from the others, in the order of the vocabulary. `teachers` are the words
    whose vectors decided what was learnt by `calibration`.
    """

    seed: tuple[str, ...] = ()
    defining: tuple[str, ...] = ()
    learnt: tuple[str, ...] = ()
    taught: Taught | None = None
    persons: tuple[str, ...] = ()
    teachers: tuple[str, ...] = ()
    calibration: LearntWords | None = None

    @property
    def keys(self) -> frozenset[str]:
        """All specific words."""
        return frozenset((*self.seed, *self.defining, *self.persons, *self.learnt))

    def fitted_on(self, *keys: Iterable[str]) -> tuple[str, ...]:
        """Return the words that decide where words move: a method's own, then the teachers."""
        return tuple(dict.fromkeys((*chain(*keys), *self.teachers)))

    @property
    def remarks(self) -> dict[str, Sequence[str]]:
        """What a transform says about how the words were split."""
        if self.calibration:
            said = f"{self.calibration.said}; {len(self.persons)} words of shipped lists stay too"
            return {"specific_words": [said], "learnt_words": self.learnt}
        if self.taught is None:
            return {}
        about = self.taught
        words = "word" if len(self.learnt) == 1 else "words"
        said = (
            f"{len(self.learnt)} {words} learnt by a linear SVM (C = 1) from a seed of "
            f"{len(self.seed)}, of which it recognises {about.recognised}, among {about.among} "
            f"words; {about.folds}-fold F-score {about.f_score:.3f}, balanced accuracy "
            f"{about.balanced_accuracy:.3f}"
        )
        return {"specific_words": [said], "learnt_words": self.learnt}


NOBODY = SpecificSplit()
"""No word is specific: all words move."""


def split_for(words: ConceptWords, moves: str, specific: str) -> SpecificSplit:
    """Return the words that stay where they are under two settings of a method."""
    check_split(moves, specific)
    return specific_split(words, specific) if moves == "neutral" else NOBODY


def check_split(moves: str, specific: str) -> None:
    """Raise if specific words shall be learnt and nothing is done with them."""
    if moves == "all" and specific != "listed":
        raise SettingError(
            "Specific words are learnt only to stay where they are, and here all words move; use "
            f"{method_setting('moves', 'neutral')}, or {method_setting('specific', 'listed')}."
        )


def specific_split(words: ConceptWords, specific: str) -> SpecificSplit:
    """Return the specific words by a named rule."""
    check_choice("choice of specific", specific, Specific)
    match specific:
        case "listed":
            return listed(words)
        case "learnt":
            return learn_calibrated(words)
        case _:
            return learn_specific(words.embedding, words.concept)


def listed(words: ConceptWords) -> SpecificSplit:
    """Return the specific words that a concept lists, and its defining and equality words."""
    concept = words.concept
    equal = (word for each in concept.equalise for word in each)
    seed = words.words(concept.specific).keys
    others = words.words((*concept.definition.entries, *equal)).keys
    known = words.held_out.union(seed)
    return SpecificSplit(seed, tuple(key for key in others if key not in known))


@dataclass(frozen=True, eq=False)
class Lesson:
    """The words that teach a classifier, at length one, and which of them are seed words."""

    given: SpecificSplit
    units: FloatArray
    sides: Sides


def lesson(embedding: Embedding, concept: Concept, *, among: int = FREQUENT) -> Lesson:
    """Return the first `among` words of a vocabulary, and all of a concept's seed, to learn from.

    Defining words that are no seed (John and Mary) teach neither side.
    """
    words = ConceptWords(concept, embedding)
    given = listed(words)
    positive, known, held_out = (
        _rows_of(keys, embedding) for keys in (given.seed, given.keys, words.held_out)
    )
    positive = np.setdiff1d(positive, held_out)
    frequent = np.arange(min(among, len(embedding)))
    rows = np.union1d(positive, np.setdiff1d(frequent, np.union1d(known, held_out)))
    sides = np.isin(rows, positive)
    _check_enough(words, sides)
    return Lesson(given, _units(embedding, rows), sides)


def learn_specific(
    embedding: Embedding, concept: Concept, *, among: int = FREQUENT, seed: int = 0
) -> SpecificSplit:
    """Return the specific words of a whole vocabulary, learnt from those that a concept lists.

    A linear SVM (C = 1, squared hinge) over unit vectors is taught by the first `among` words of
    the vocabulary, seed words against the others, and marks words of the whole. All listed words
    stay specific, whether they are recognised or not. `seed` deals words to the folds.

    Bolukbasi et al. (2016), arXiv:1607.06520, section 7: a seed of 218 among 26,377 words, F-score
    .627 in ten folds. Bharti (2021), 3.3.3, does the same in Hindi.
    """
    teaching = lesson(embedding, concept, among=among)
    given, units, sides = teaching.given, teaching.units, teaching.sides
    marked = marked_by(plane(units, sides), embedding)
    held_out = marked_unseen(units, sides, folds=FEWEST, seed=seed)
    recognised = np.array([held_out[sides].mean(), 1 - held_out[~sides].mean()])
    taught = Taught(
        f_score=float(2 * held_out[sides].sum() / (held_out.sum() + sides.sum())),
        balanced_accuracy=float(recognised.mean()),
        folds=FEWEST,
        recognised=int(marked[_rows_of(given.seed, embedding)].sum()),
        among=len(units),
    )
    learnt = np.setdiff1d(np.flatnonzero(marked), _rows_of(given.keys, embedding))
    return replace(given, learnt=tuple(embedding.keys[row] for row in learnt), taught=taught)


def learn_calibrated(
    words: ConceptWords,
    *,
    shipped: bool = True,
    target: float = TARGET,
    among: int = FREQUENT,
    seed: int = 0,
) -> SpecificSplit:
    """Return the specific words of longer lists, and as many learnt ones as can be vouched for.

    The concept's specific, defining and equality words teach, verbs and names (John and Mary) left
    out, and for gender the pronouns, titles, kinship words and nouns for persons that are shipped
    with its language (`shipped`); words for jobs are not among these, since they are what debiasing
    is about. The first `among` words of the vocabulary are judged (see `calibrated`): rarer ones
    are not learnt, and where no threshold has the `target` precision no word is.
    """
    embedding, given = words.embedding, listed(words)
    concept = words.concept
    entries = (*concept.specific, *concept.definition.entries, *chain(*concept.equalise))
    meant = words.words([word for word in entries if _means_it(word, entries)]).keys
    persons: tuple[str, ...] = ()
    if shipped and concept.about == "gender":
        persons = words.words(person_words(concept.language)).keys
    teachers = tuple(dict.fromkeys(key for key in (*meant, *persons) if key not in words.held_out))
    persons = tuple(key for key in persons if key not in given.keys)
    positive = _rows_of(teachers, embedding)
    silent = _rows_of({*given.keys, *persons, *words.held_out} - {*teachers}, embedding)
    frequent = np.arange(min(among, len(embedding)))
    rows = np.union1d(positive, np.setdiff1d(frequent, silent))
    sides = np.isin(rows, positive)
    _check_enough(words, sides)
    keys = [embedding.keys[row] for row in rows]
    found = calibrated(keys, _units(embedding, rows), sides, target=target, seed=seed)
    return replace(
        given,
        learnt=tuple(keys[row] for row in np.flatnonzero(found.marked)),
        persons=persons,
        teachers=teachers,
        calibration=found,
    )


def _means_it(word: Word, among: Iterable[Word]) -> bool:
    """Tell words that mean a concept from those that only show it: verb forms, and names.

    A name is listed with a capital letter alone, as John and Mary are.
    """
    small = {each.word for each in among}
    return word.pos != "VERB" and word.word.lower() in small


def _check_enough(words: ConceptWords, sides: Sides) -> None:
    if min(sides.sum(), (~sides).sum()) < FEWEST:
        raise LexiconError(
            f"{words.embedding.name} has {sides.sum()} of the specific words that "
            f"{words.concept.name} lists, and {(~sides).sum()} others; {FEWEST} of either kind are "
            f"needed to learn more: use {method_setting('specific', 'listed')}, or a concept "
            "with a longer list."
        )


def _units(embedding: Embedding, rows: NDArray[np.intp]) -> FloatArray:
    tangents = embedding.geometry.log0(np.asarray(embedding.vectors[rows], np.float64))
    return at_lengths(tangents, np.ones(len(rows)), before=tangents)


def _rows_of(keys: Iterable[str], embedding: Embedding) -> NDArray[np.intp]:
    return np.array([embedding.positions[key] for key in keys], np.intp)

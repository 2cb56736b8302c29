"""Which word stands for which when a concept is turned round: he for she, and she for he."""

from collections.abc import Iterator

from fairvec.ground.errors import LexiconError
from fairvec.lexicon.concept_lists.concept import Concept
from fairvec.lexicon.words import Word

Counterparts = tuple[tuple[str, str], ...]
"""Spellings, each with the one to put in its place."""


def counterparts(concept: Concept) -> Counterparts:
    """Return every spelling of a word that has a counterpart, with the counterpart.

    The defining pairs come first, then the equality pairs, and a pair of which a word has a
    counterpart already is left out, so that going there twice leads back: he, she, he. A spelling
    variant leads to the counterpart as listed, from where the way back is to the word as listed.
    Left out are entries of several words, and names: what is listed with a capital letter alone, as
    John and Mary are, names a person whose sex no word in the text need agree with.
    """
    if not concept.definition.pairs or any(len(each) > 2 for each in concept.equalise):
        raise LexiconError(
            f"{concept.name} is not defined by pairs alone, and of three words none is the "
            "counterpart of another; choose a variant or a concept of pairs."
        )
    found: dict[str, str] = {}
    for one, other in _pairs(concept):
        known = {spelling.casefold() for word in (one, other) for spelling in word.spellings}
        if not known.isdisjoint(found):
            continue
        for word, its in ((one, other), (other, one)):
            found.update((spelling.casefold(), its.word.casefold()) for spelling in word.spellings)
    if not found:
        raise LexiconError(
            f"No pair of {concept.name} is of two single words that are no names; choose another "
            "variant."
        )
    return tuple(found.items())


def _pairs(concept: Concept) -> Iterator[tuple[Word, Word]]:
    listed = [*concept.definition.pairs, *((each[0], each[1]) for each in concept.equalise)]
    uncapitalised = {
        word.word for pair in listed for word in pair if word.word == word.word.lower()
    }
    for pair in listed:
        if all(_is_one(word) and word.word.lower() in uncapitalised for word in pair):
            yield pair


def _is_one(word: Word) -> bool:
    return not any(" " in spelling or "_" in spelling for spelling in word.spellings)

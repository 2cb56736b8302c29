"""The words of a concept as keys of an embedding, and the counterpart of each word."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from fairvec.core.errors import LexiconError
from fairvec.embedding.embedding import Embedding
from fairvec.languages.people import Counterparts
from fairvec.languages.words import Word
from fairvec.lexicon.concepts import Concept, Definition, nothing_to_fit_on


@dataclass(frozen=True)
class FoundWords:
    """The keys of a list of words, and the entries that have no vector of their own."""

    keys: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class FoundSets:
    """The keys of the complete sets, the sets left out, and the entries without a vector.

    A set is left out when one of its words was not found, or reached the key of another of its
    words, or of an earlier set that it must not share words with.
    """

    sets: tuple[tuple[str, ...], ...]
    left_out: tuple[tuple[str, ...], ...]
    missing: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys, set after set, each once."""
        return tuple(dict.fromkeys(key for words in self.sets for key in words))


class FoundPairs(FoundSets):
    """Sets of two words."""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The keys of the complete pairs."""
        return tuple((first, second) for first, second in self.sets)


class ConceptWords:
    """A concept and the embedding in which its words are looked up by its language's rules.

    A word must be a key itself and have a vector that is not zero: the mean of the parts of an
    entry of several words could be measured, but not moved. Lists, pairs and sets come without the
    words that reach a key which is held out.
    """

    def __init__(self, concept: Concept, embedding: Embedding) -> None:
        self.concept = concept
        self.embedding = embedding
        self._lookup = embedding.lookup(concept.language)

    @cached_property
    def held_out(self) -> frozenset[str]:
        """The keys from which no method may learn: all that held-out entries or their parts reach.

        A test need not be in the concept's language, and each language has its own rules.
        """
        languages = dict.fromkeys((self.concept.language, *self.concept.held_out_languages))
        lookups = [*map(self.embedding.lookup, languages)]
        found = (
            lookup.find(word.spellings, word.pos)
            for word in dict.fromkeys(self.concept.held_out)
            for lookup in lookups
        )
        return frozenset(key for match in found if match for key in match.keys)

    @property
    def defining(self) -> tuple[str, ...]:
        """The keys of the words that define the concept."""
        definition, name = self.concept.definition, self.concept.name
        if definition.words:
            return self.list_of(definition, name).keys
        return self.sets_of(definition, name).keys

    def list_of(self, definition: Definition, what: str) -> FoundWords:
        """Return the list of a definition, of which three words must be found."""
        definition = self._without_held_out(definition, what)
        found = self.words(definition.words)
        if len(found.keys) < 3:
            raise self._too_few(
                what, len(definition.words), "words", len(found.keys), 3, found.missing
            )
        return found

    def pairs_of(self, definition: Definition, what: str) -> FoundPairs:
        """Return the complete pairs of a definition: two of several, or the only one there is."""
        if not definition.pairs:
            raise self._no_pairs(what, "sets" if definition.sets else "a list of words")
        definition = self._without_held_out(definition, what)
        found = self.pairs(definition.pairs)
        self._check_enough(found, len(definition.pairs), "pairs", what)
        return found

    def sets_of(self, definition: Definition, what: str) -> FoundSets:
        """Return the complete pairs of a definition, or its sets, which may share words."""
        if definition.pairs:
            return self.pairs_of(definition, what)
        definition = self._without_held_out(definition, what)
        found = self.sets(definition.sets, shared=True)
        self._check_enough(found, len(definition.sets), "sets", what)
        return found

    def words(self, words: Sequence[Word]) -> FoundWords:
        """Return the keys of some words, each key once, held-out ones among them."""
        matched = [(word, self._key(word)) for word in words]
        keys = dict.fromkeys(key for _, key in matched if key is not None)
        return FoundWords(tuple(keys), tuple(word.word for word, key in matched if key is None))

    def pairs(self, pairs: Iterable[Sequence[Word]]) -> FoundPairs:
        """Return the keys of the complete pairs; a pair that is listed twice counts once."""
        found = self.sets(pairs)
        return FoundPairs(found.sets, found.left_out, found.missing)

    def sets(self, sets: Iterable[Sequence[Word]], *, shared: bool = False) -> FoundSets:
        """Return the keys of the complete sets; one that is listed twice counts once.

        A key belongs to one set only, unless keys may be `shared`.
        """
        complete: list[tuple[str, ...]] = []
        left_out: list[tuple[str, ...]] = []
        missing: list[str] = []
        taken: set[str] = set()
        for words in sets:
            matched = [(word.word, self._key(word)) for word in words]
            if any(key in self.held_out for _, key in matched):
                continue
            missing += [word for word, key in matched if key is None]
            keys = tuple(key for _, key in matched if key is not None)
            if keys in complete:
                continue
            if len({*keys}) < len(words) or (taken & {*keys} and not shared):
                left_out.append(tuple(word for word, _ in matched))
                continue
            complete.append(keys)
            taken |= {*keys}
        return FoundSets(tuple(complete), tuple(left_out), tuple(dict.fromkeys(missing)))

    def _without_held_out(self, definition: Definition, what: str) -> Definition:
        """Return the definition without the words that reach a held-out key."""
        remaining = definition.only(lambda word: self._key(word) not in self.held_out)
        if remaining is None:
            raise nothing_to_fit_on(what)
        return remaining

    def _key(self, word: Word) -> str | None:
        match = self._lookup.find(word.spellings, word.pos)
        if match is None or match.parts or not self.embedding.rows([match.key]).any():
            return None
        return match.key

    def _check_enough(self, found: FoundSets, listed: int, kind: str, what: str) -> None:
        fewest = min(2, listed)
        if len(found.sets) < fewest:
            raise self._too_few(what, listed, kind, len(found.sets), fewest, found.missing)

    def _no_pairs(self, what: str, kind: str) -> LexiconError:
        """Say which variant has pairs, if any has."""
        others = [name for name, definition in self.concept.variants.items() if definition.pairs]
        choice = f"its variant {' or '.join(others)}" if others else "a concept of pairs"
        return LexiconError(
            f"{what} is defined by {kind}, and pairs of words are needed here, as he and she; "
            f"choose {choice}, or a method that takes {kind}."
        )

    def _too_few(
        self, what: str, listed: int, kind: str, usable: int, fewest: int, missing: Sequence[str]
    ) -> LexiconError:
        others = [name for name in self.concept.variants if name != self.concept.variant]
        choice = f", or another variant ({', '.join(others)})" if others else ""
        model, held_out = self.embedding.name, bool(self.concept.held_out)
        reasons = [f"{model} lacks {', '.join(missing)}"] * bool(missing)
        reasons += ["others are held out"] * held_out
        reason = " and ".join(reasons) or f"{model} reaches the same keys for several"
        remedy = "hold out fewer, or use" if held_out else "use"
        return LexiconError(
            f"{what}: of its {kind} ({listed}) {usable} can be used and {fewest} must be, because "
            f"{reason}; {remedy} a model that knows these words{choice}."
        )


def counterparts(concept: Concept) -> Counterparts:
    """Return every spelling of a word that has a counterpart, with the counterpart.

    The defining pairs come first, then the equality pairs, and a pair of which a word has a
    counterpart already is left out, so that going there twice leads back: he, she, he. A spelling
    variant leads to the counterpart as listed, from where the way back is to the word as listed.
    Left out are entries of several words, and names among other words: a proper noun, or what is
    listed with a capital letter alone, as John and Mary are, names a person whose sex no word in
    the text need agree with.
    """
    if not concept.definition.pairs or any(len(words) > 2 for words in concept.equalise):
        raise LexiconError(
            f"{concept.name} is not defined by pairs alone, and of three words none is the "
            "counterpart of another; choose a variant or a concept of pairs."
        )
    found: dict[str, str] = {}
    for first, second in _pairs(concept):
        spellings = {spelling.casefold() for word in (first, second) for spelling in word.spellings}
        if not spellings.isdisjoint(found):
            continue
        for word, partner in ((first, second), (second, first)):
            found.update(
                (spelling.casefold(), partner.word.casefold()) for spelling in word.spellings
            )
    if not found:
        raise LexiconError(
            f"No pair of {concept.name} is of two single words that are no names; choose another "
            "variant."
        )
    return tuple(found.items())


def _pairs(concept: Concept) -> Iterator[tuple[Word, Word]]:
    listed = [*concept.definition.pairs, *((words[0], words[1]) for words in concept.equalise)]
    uncapitalised = {
        word.word for pair in listed for word in pair if word.word == word.word.lower()
    }
    only_names = all(word.pos == "PROPN" for pair in listed for word in pair)
    for pair in listed:
        if all(
            _is_single_word(word)
            and word.word.lower() in uncapitalised
            and (only_names or word.pos != "PROPN")
            for word in pair
        ):
            yield pair


def _is_single_word(word: Word) -> bool:
    return not any(" " in spelling or "_" in spelling for spelling in word.spellings)

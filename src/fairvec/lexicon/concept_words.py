"""The words of a concept looked up in an embedding."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.lookup import Lookup
from fairvec.errors import LexiconError
from fairvec.lexicon.concept import Concept, Definition, Pair
from fairvec.lexicon.words import Word


@dataclass(frozen=True)
class FoundWords:
    """The keys that were reached, and the entries that have no vector of their own."""

    keys: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class FoundPairs:
    """The keys of the complete pairs, the pairs left out, and the entries without a vector.

    A pair is left out when one of its words was not found, or reached the key of an earlier pair.
    """

    pairs: tuple[tuple[str, str], ...]
    left_out: tuple[tuple[str, str], ...]
    missing: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys, pair after pair."""
        return tuple(key for pair in self.pairs for key in pair)


class ConceptWords:
    """A concept and the embedding in which its words are looked up by its language's rules.

    A word must be a key itself and have a vector that is not zero: the mean of the parts of an
    entry of several words could be measured, but not moved.
    """

    def __init__(self, concept: Concept, embedding: Embedding) -> None:
        self.concept = concept
        self.embedding = embedding
        self._lookup = Lookup(embedding.positions, concept.language)

    def list_of(self, definition: Definition, what: str) -> FoundWords:
        """Return the list of a definition, of which three words must be found."""
        found = self.words(definition.words)
        if len(found.keys) < 3:
            raise self._too_few(
                what, len(definition.words), "words", len(found.keys), 3, found.missing
            )
        return found

    def pairs_of(self, definition: Definition, what: str) -> FoundPairs:
        """Return the complete pairs of a definition: two of several, or the only one there is."""
        found = self.pairs(definition.pairs)
        fewest = min(2, len(definition.pairs))
        if len(found.pairs) < fewest:
            raise self._too_few(
                what, len(definition.pairs), "pairs", len(found.pairs), fewest, found.missing
            )
        return found

    def words(self, words: Sequence[Word]) -> FoundWords:
        """Return the keys of some words, each key once."""
        sought = [(word, self._key(word)) for word in words]
        keys = dict.fromkeys(key for _, key in sought if key is not None)
        return FoundWords(tuple(keys), tuple(word.word for word, key in sought if key is None))

    def pairs(self, pairs: Iterable[Pair]) -> FoundPairs:
        """Return the keys of the complete pairs; a pair that is listed twice counts once."""
        complete: list[tuple[str, str]] = []
        left_out: list[tuple[str, str]] = []
        missing: list[str] = []
        taken: set[str] = set()
        for one, other in pairs:
            keys = self._key(one), self._key(other)
            absent = [
                word.word for word, key in zip((one, other), keys, strict=True) if key is None
            ]
            missing += absent
            if keys in complete:
                continue
            if keys[0] is None or keys[1] is None or keys[0] == keys[1] or taken & {*keys}:
                left_out.append((one.word, other.word))
                continue
            complete.append((keys[0], keys[1]))
            taken |= {keys[0], keys[1]}
        return FoundPairs(tuple(complete), tuple(left_out), tuple(dict.fromkeys(missing)))

    def _key(self, word: Word) -> str | None:
        match = self._lookup.find(word.spellings, word.pos)
        if match is None or match.parts or not self.embedding.rows([match.key]).any():
            return None
        return match.key

    def _too_few(
        self, what: str, listed: int, kind: str, usable: int, fewest: int, missing: Sequence[str]
    ) -> LexiconError:
        others = [name for name in self.concept.variants if name != self.concept.variant]
        choice = f", or another variant ({', '.join(others)})" if others else ""
        lacks = f"lacks {', '.join(missing)}" if missing else "reaches the same keys for several"
        return LexiconError(
            f"{what}: of its {kind} ({listed}) {usable} can be used and {fewest} must be, because "
            f"{self.embedding.name} {lacks}; use a model that knows these words{choice}."
        )

"""Look up the words of a benchmark in an embedding."""

from collections.abc import Iterable

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.lookup import Match
from fairvec.geometry import FloatArray


def find_words(words: Iterable[str], embedding: Embedding, language: str) -> dict[str, Match]:
    """Return the match of each word that has a vector, by the look-up rules of the language.

    A word whose vector, or that of one of its parts, is zero counts as missing.
    """
    lookup = embedding.lookup(language)
    matches = ((word, lookup.find((word,))) for word in dict.fromkeys(words))
    return {
        word: match
        for word, match in matches
        if match is not None and embedding.rows(match.keys).any(axis=1).all()
    }


def word_vectors(
    words: Iterable[str], embedding: Embedding, language: str
) -> dict[str, FloatArray]:
    """Return the vector of each word that has one.

    An entry of several words that is no key itself has the mean of its parts, as in a test.
    """
    return {
        word: embedding.rows(match.keys).mean(axis=0)
        for word, match in find_words(words, embedding, language).items()
    }

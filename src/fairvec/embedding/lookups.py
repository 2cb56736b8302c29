"""The one look-up of an embedding's keys in each language."""

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.lookup import Lookup


def lookup_of(embedding: Embedding, language: str = "") -> Lookup:
    """Return the look-up of an embedding's keys by the spelling rules of a language.

    It is built once: indexing half a million keys takes seconds. An embedding that was renamed or
    moved has the same keys, and the same look-ups.
    """
    if language not in embedding.lookups:
        embedding.lookups[language] = Lookup(embedding.positions, language)
    return embedding.lookups[language]

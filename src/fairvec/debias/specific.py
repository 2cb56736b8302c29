"""Which words mean the concept itself and shall stay where they are."""

from fairvec.lexicon import ConceptWords


def specific_keys(words: ConceptWords) -> frozenset[str]:
    """Return the keys of the specific words, the defining ones and the equality pairs."""
    concept = words.concept
    pairs = (word for pair in concept.equalise for word in pair)
    return frozenset(words.words((*concept.specific, *concept.definition.entries, *pairs)).keys)

"""The part of a model that tests look at."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from typing import get_args

from fairvec.embedding import Embedding, Lookup, Step, lookup_of
from fairvec.lexicon import Groups, Selected, resolve
from fairvec.lexicon.sentence_templates import templates
from fairvec.metrics.sentences import (
    AttributeTemplates,
    TargetTemplates,
    chosen_templates,
    in_sentences,
)


def words_of(embedding: Embedding, chosen: Sequence[Selected]) -> Embedding:
    """Return the part of an embedding that the tests, and their sentences, look up."""
    keys = {
        key
        for test in (each.test for each in chosen)
        for key in _keys(resolve(test, embedding), lookup_of(embedding, test.language))
    }
    rows = sorted(embedding.positions[key] for key in keys)
    counts = embedding.counts
    return replace(
        embedding,
        keys=[embedding.keys[row] for row in rows],
        vectors=embedding.vectors[rows],
        counts=counts if counts is None else counts[rows],
        history=(
            *embedding.history,
            Step("subset", {"of": embedding.name, "words": "those of tests"}),
        ),
    )


def _keys(groups: Groups, lookup: Lookup) -> Iterator[str]:
    for group in groups.groups.values():
        for found in (*group.found, *group.merged):
            yield from found.keys
    for words in _around(groups):
        for match in filter(None, (lookup.find([word]) for word in words)):
            yield from match.keys


def _around(groups: Groups) -> set[tuple[str, ...]]:
    """Return what stands around the words of a test in their sentences, each once."""
    if not {"x", "y", "a", "b"} <= groups.groups.keys():
        return set()
    known = templates(groups.test.language)
    settings = product(get_args(TargetTemplates), get_args(AttributeTemplates))
    filled = (in_sentences(groups, chosen_templates(groups, known, *each)) for each in settings)
    every = chain.from_iterable(chain.from_iterable(each.values()) for each in filled)
    return {sentence.surroundings for sentence in chain.from_iterable(every)}

"""The words of a test in sentences of a corpus."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fairvec.embedding import Embedding
from fairvec.encoders import Sentence
from fairvec.encoders.contexts import Contexts
from fairvec.encoders.readable import unreadable
from fairvec.geometry import FloatArray
from fairvec.ground.errors import UndefinedError
from fairvec.lexicon import Found, Groups
from fairvec.metrics.sentences import usual_reading

NO_CONTEXT = "no context in the corpus that the model can read"


def no_corpus(words: Sequence[tuple[str, ...]]) -> Sequence[Sequence[Sentence]]:
    """Say that contexts come from a corpus, and how to give one."""
    raise UndefinedError(
        "CEAT reads words in the sentences of a corpus, and none was given; give text files, as in "
        "Ceat(contexts=Corpus((path,))) or --contexts FILE, or choose the metric seat."
    )


def asked_contexts(
    contexts: Contexts, words: Sequence[tuple[str, ...]]
) -> list[tuple[Sentence, ...]]:
    """Return the sentences of each word, or say what is wrong with those that were given."""
    found: Any = contexts(words)
    rows = [tuple(own) for own in found] if isinstance(found, Sequence) else []
    if len(rows) != len(words) or not all(isinstance(one, Sentence) for own in rows for one in own):
        raise UndefinedError(
            f"The contexts {getattr(contexts, '__qualname__', type(contexts).__name__)} must give "
            f"a list of Sentence objects for each of the {len(words)} words, and do not."
        )
    return rows


def readable_contexts(
    groups: Groups, role: str, sentences: Sequence[Sequence[Sentence]]
) -> list[tuple[Sentence, ...]]:
    """Return the contexts that are not too long for an encoder; word vectors read any."""
    if isinstance(groups.source, Embedding):
        return [tuple(own) for own in sentences]
    left_out = unreadable(groups.source, [one for own in sentences for one in own])
    return [tuple(one for one in own if one.text not in left_out) for own in sentences]


def read_contexts(
    groups: Groups, role: str, sentences: Sequence[Sequence[Sentence]]
) -> list[FloatArray]:
    """Return for each word of a list one row a context."""
    found = groups[role].found
    every = [
        _with_keys(sentence, word)
        for word, own in zip(found, sentences, strict=True)
        for sentence in own
    ]
    rows = usual_reading(groups, role).encode(every)
    return np.split(rows, np.cumsum([len(own) for own in sentences])[:-1])


def _with_keys(sentence: Sentence, found: Found) -> Sentence:
    """Return a context that a mean of word vectors can read: it asks for the word by its keys."""
    return replace(sentence, keys=found.keys)

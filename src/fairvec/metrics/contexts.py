"""The words of a test in sentences of a corpus."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fairvec.encoders import Sentence
from fairvec.geometry import FloatArray
from fairvec.ground.errors import UndefinedError
from fairvec.lexicon import Found, Groups
from fairvec.metrics.sentences import usual_reading

NO_CONTEXT = "no context in the corpus"


def no_corpus(words: Sequence[tuple[str, ...]]) -> Sequence[Sequence[Sentence]]:
    """Say that contexts come from a corpus, and how to give one."""
    raise UndefinedError(
        "CEAT reads words in the sentences of a corpus, and none was given; give text files, as in "
        "Ceat(contexts=Corpus((path,))) or --contexts FILE, or choose the metric seat."
    )


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

import numpy as np
import pytest

from fairvec.embedding.embedding import Embedding
from fairvec.errors import UnknownNameError
from fairvec.lexicon import gendered_pairs, resolve


@pytest.mark.parametrize("language", ["en", "hi", "ru"])
def test_pairs_are_resolved_row_by_row(language: str) -> None:
    test = gendered_pairs(language)
    assert (test.language, test.paired, tuple(test.sets)) == (language, True, ("a", "b"))
    males, females = ([word.word for word in test.sets[role].words] for role in "ab")
    keys = [*females[::-1], *males[1:]]
    a, b = resolve(test, Embedding(keys, np.eye(len(keys)))).pairs()
    assert a.keys == tuple(males[1:])
    assert b.keys == tuple(females[1:])


def test_a_language_without_pairs_is_refused_with_those_that_have_some() -> None:
    with pytest.raises(UnknownNameError, match=r"pairs named 'fr'; known: en, hi, ru\."):
        gendered_pairs("fr")

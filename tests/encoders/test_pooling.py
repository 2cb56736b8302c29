"""Pooling of tokens: by definition, whatever pads a batch, and after a prompt."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.encoders.pooling import POOLINGS, tokenize
from fairvec.languages.sentences import Sentence

DEFINITIONS: dict[str, Any] = {
    "cls": lambda rows: rows[0],
    "max": lambda rows: rows.max(axis=0),
    "mean": lambda rows: rows.mean(axis=0),
    "mean_sqrt_len_tokens": lambda rows: rows.sum(axis=0) / np.sqrt(len(rows)),
    "weightedmean": lambda rows: np.average(rows, axis=0, weights=range(1, len(rows) + 1)),
    "lasttoken": lambda rows: rows[-1],
    "last": lambda rows: rows[-1],
    "word": lambda rows: rows.mean(axis=0),
}


def test_every_pooling_has_its_definition_here() -> None:
    assert {*DEFINITIONS} == {*POOLINGS}


@pytest.mark.parametrize("name", POOLINGS)
@given(lengths=st.lists(st.integers(1, 9), min_size=1, max_size=5), seed=st.integers(0, 99))
def test_a_row_is_pooled_by_definition_whatever_pads_it(
    name: str, lengths: list[int], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(len(lengths), max(lengths), 4)).astype(np.float32)
    counted = np.array([[1] * n + [0] * (max(lengths) - n) for n in lengths])
    found = POOLINGS[name](vectors, counted)
    assert found.dtype == np.float32
    pairs = zip(vectors.astype(np.float64), lengths, strict=True)
    expected = [DEFINITIONS[name](rows[:n]) for rows, n in pairs]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


class Letters:
    """A tokenizer with a token a letter."""

    is_fast, name_or_path = True, "letters"

    def __call__(self, texts: list[str], **options: Any) -> dict[str, list[Any]]:
        return {
            "input_ids": [[*map(ord, text)] for text in texts],
            "offset_mapping": [[(n, n + 1) for n in range(len(text))] for text in texts],
        }


SPACED, WORD = st.text("abc ", max_size=6), st.text("abc", min_size=1, max_size=4)


@given(SPACED, SPACED, WORD, st.text(max_size=5))
def test_the_word_is_found_behind_a_prompt(before: str, after: str, word: str, prompt: str) -> None:
    sentence = Sentence(before, word, after)
    (tokens,) = tokenize(Letters(), [sentence], prompt=prompt, word=True)
    pooled = [
        chr(token) for token, counts in zip(tokens.ids, tokens.counted, strict=True) if counts
    ]
    assert "".join(pooled) == word
    assert tokens.counted.index(1) == len(prompt) + len(before)

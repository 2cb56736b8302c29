from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import EncoderError
from fairvec.encoders import Encoder
from fairvec.languages.sentences import Sentence
from tests.encoders.toy_encoder import LetterModel, toy_encoder

TEXTS = st.lists(st.text(min_size=1, max_size=12), max_size=20)


@given(TEXTS, st.randoms(use_true_random=False))
def test_order_repeats_and_company_change_nothing(texts: list[str], chance: Any) -> None:
    sentences = [Sentence.alone(text) for text in texts]
    rows = toy_encoder()[0].encode(sentences)
    assert rows.shape == (len(texts), 8)
    shuffled = chance.sample(range(len(texts)), len(texts))
    again = toy_encoder()[0].encode([sentences[n] for n in shuffled] * 2)
    np.testing.assert_array_equal(again[: len(texts)], rows[shuffled])
    np.testing.assert_array_equal(again[len(texts) :], rows[shuffled])


@given(TEXTS)
def test_a_sentence_is_encoded_once(texts: list[str]) -> None:
    encoder, model = toy_encoder()
    sentences = [Sentence.alone(text) for text in texts]
    for asked in (sentences, sentences[::-1]):
        encoder.encode(asked)
    encoder.named("another").speaking("hi").encode(sentences)
    assert sorted(model.asked) == sorted(set(texts))


def test_the_keys_of_a_word_list_make_no_other_sentence() -> None:
    encoder, model = toy_encoder()
    encoder.encode([Sentence("a ", "b", ""), Sentence("a ", "b", "", ("b_NOUN",))])
    assert model.asked == ["a b"]


def test_numbers_are_float64_whatever_the_model_gives() -> None:
    assert toy_encoder()[0].encode([Sentence.alone("a")]).dtype == np.float64


class Odd(LetterModel):
    """Gives what it is told to give."""

    def __init__(self, gives: Any) -> None:
        super().__init__(dimensions=3)
        object.__setattr__(self, "gives", gives)

    def encode(self, sentences: Sequence[Sentence]) -> Any:
        return self.gives  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("gives", "said"),
    [
        (np.zeros((1, 3)), r"shape \(1, 3\) for 2 sentences"),
        (np.zeros((2, 4)), r"shape \(2, 4\).*one row of 3 numbers"),
        (np.array([["a"] * 3] * 2), "U1"),
        (None, r"object numbers of shape \(\)"),
        (np.array([[0, 1, 2], [0, np.nan, 2]]), "NaN or infinity for the sentence 'two'"),
        (np.array([[0, 1, np.inf], [0, 1, 2]]), "NaN or infinity for the sentence 'one'"),
    ],
)
def test_what_is_no_row_of_numbers_for_each_sentence_is_refused(gives: Any, said: str) -> None:
    encoder = Encoder(Odd(gives), "odd")
    with pytest.raises(EncoderError, match=said):
        encoder.encode([Sentence.alone("one"), Sentence.alone("two")])


def test_progress_is_told() -> None:
    heard: list[tuple[int, int]] = []
    encoder = Encoder(LetterModel(), on_progress=lambda *said: heard.append(said))
    encoder.encode([Sentence.alone(str(n)) for n in range(1100)])
    assert heard == [(0, 1100), (512, 1100), (1024, 1100)]


def test_nothing_to_encode_is_no_row() -> None:
    assert toy_encoder()[0].encode([]).shape == (0, 8)


def test_encoders_are_known_by_weights_and_settings() -> None:
    assert Encoder(LetterModel(), "a").content_hash == Encoder(LetterModel(), "b").content_hash
    unknown = LetterModel(content_hash="")
    assert Encoder(unknown, "a").content_hash != Encoder(unknown, "b").content_hash

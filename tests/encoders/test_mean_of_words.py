from collections.abc import Sequence

import numpy as np
import pytest

from fairvec.embedding import Embedding
from fairvec.encoders import SentenceEncoder, WordAverage
from fairvec.geometry import FloatArray, Poincare
from fairvec.languages.sentences import Sentence

EMBEDDING = Embedding(
    ["this", "is", "यह", "है", "вот", "king_NOUN", "rook"],
    np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0], [0.0, 2.0], [3.0, 3.0], [5.0, 7.0], [1.0, 3.0]]),
)
KEYS = ("king_NOUN",)
KING = np.array([5.0, 7.0])


def test_a_sentence_is_the_mean_of_its_words() -> None:
    sentence = Sentence("this is a ", "king", ".", KEYS)
    vector = WordAverage(EMBEDDING, "en").encode([sentence])
    assert vector.tolist() == [[(5 + 1 + 0) / 3, (7 + 0 + 1) / 3]]


def test_the_word_has_the_vector_it_was_found_with_even_if_it_is_a_key() -> None:
    alone = Sentence("", "this", "", KEYS)
    assert WordAverage(EMBEDDING).encode([alone]).tolist() == [KING.tolist()]


@pytest.mark.parametrize(
    ("before", "after", "language", "known"),
    [
        ("This is ", "!", "en", ["this", "is"]),
        ("«Вот» — ", ".", "ru", ["вот"]),
        ("यह ", " है।", "hi", ["यह", "है"]),
        ("(“this”, ", "), is?", "en", ["this", "is"]),
    ],
)
def test_punctuation_and_case_do_not_hide_a_word(
    before: str, after: str, language: str, known: list[str]
) -> None:
    encoder = WordAverage(EMBEDDING, language)
    sentence = Sentence(before, "w", after, KEYS)
    expected = (EMBEDDING.rows(known).sum(axis=0) + KING) / (len(known) + 1)
    np.testing.assert_allclose(encoder.encode([sentence])[0], expected, rtol=1e-15)
    assert not encoder.unknown([sentence])


def test_unknown_words_are_left_out_and_counted() -> None:
    sentences = [Sentence("this is a ", "king", ", a king.", KEYS), Sentence("a ", "w", "", KEYS)]
    assert WordAverage(EMBEDDING, "en").unknown(sentences) == {"a": 3, "king": 1}


def test_a_word_of_several_keys_has_their_mean() -> None:
    parts = Sentence("", "rook king", "", ("rook", "king_NOUN"))
    assert WordAverage(EMBEDDING).encode([parts]).tolist() == [[3.0, 5.0]]


def test_a_word_that_occurs_twice_counts_twice() -> None:
    twice = Sentence("this ", "w", " this", KEYS)
    assert WordAverage(EMBEDDING).encode([twice]).tolist() == [[7 / 3, 7 / 3]]


def test_in_the_ball_the_mean_stays_inside() -> None:
    generator = np.random.default_rng(0)
    points = generator.normal(size=(50, 3))
    points *= (1 - 1e-9) / np.linalg.norm(points, axis=1, keepdims=True)
    keys = [f"w{number}" for number in range(50)]
    ball = Embedding(keys, points, Poincare())
    sentences = [Sentence(" ".join(keys[:n]) + " ", "w", "", (keys[n],)) for n in range(50)]
    assert Poincare().contains(WordAverage(ball).encode(sentences)).all()


def test_an_encoder_may_need_the_text_alone() -> None:
    class LetterCounts:
        def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
            return np.array([[one.text.count(letter) for letter in "ab"] for one in sentences])

    encoder: SentenceEncoder = LetterCounts()
    vectors = encoder.encode([Sentence("A ", "baobab", " is a tree.", KEYS)])
    assert vectors.tolist() == [[3, 3]]

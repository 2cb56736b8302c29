"""Encoders: caching, progress, audits, functions, word averages."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import (
    EncoderError,
    FairvecError,
    SettingError,
    UndefinedError,
    UnreadableError,
)
from fairvec.embedding import Embedding
from fairvec.encoders import Encoder, SentenceEncoder, WordAverage, encoder_from_function
from fairvec.encoders.base import Choices, no_tokens, too_long
from fairvec.encoders.encoder import unreadable_sentences
from fairvec.encoders.open import open_encoder
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.encoder_words import distil
from fairvec.experiments.provenance import describe_model
from fairvec.geometry import FloatArray, Poincare
from fairvec.languages.sentences import Sentence
from fairvec.results import Result
from tests.encoders.toys import LetterModel, toy_encoder

# --- encoder ---


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
    encoder.with_name("another").with_languages("hi").encode(sentences)
    assert sorted(model.asked) == sorted(set(texts))


def test_texts_are_encoded_as_the_sentences_that_they_are() -> None:
    texts = ["he reads", "वह पढ़ती है", "he reads"]
    rows = toy_encoder()[0].encode(texts)
    assert rows.dtype == np.float64
    expected = toy_encoder()[0].encode([Sentence.alone(text) for text in texts])
    np.testing.assert_array_equal(rows, expected)


@pytest.mark.parametrize("wrong", ["one text", [3], None])
def test_what_is_no_list_of_texts_is_refused(wrong: Any) -> None:
    with pytest.raises(EncoderError, match="give a list of texts"):
        toy_encoder()[0].encode(wrong)


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
    ("gives", "message"),
    [
        (np.zeros((1, 3)), r"shape \(1, 3\) for 2 sentences"),
        (np.zeros((2, 4)), r"shape \(2, 4\).*one row of 3 numbers"),
        (np.array([["a"] * 3] * 2), "U1"),
        (None, r"object numbers of shape \(\)"),
        (np.array([[0, 1, 2], [0, np.nan, 2]]), "NaN or infinity for the sentence 'two'"),
        (np.array([[0, 1, np.inf], [0, 1, 2]]), "NaN or infinity for the sentence 'one'"),
    ],
)
def test_what_is_no_row_of_numbers_for_each_sentence_is_refused(gives: Any, message: str) -> None:
    encoder = Encoder(Odd(gives), "odd")
    with pytest.raises(EncoderError, match=message):
        encoder.encode([Sentence.alone("one"), Sentence.alone("two")])


def test_vectors_that_cannot_be_squared_are_refused() -> None:
    encoder = Encoder(Odd(np.array([[0.0, 1, 2], [0, 1e200, 2]])), "odd")
    with pytest.raises(UndefinedError, match="odd: the vector of 'two' is so large"):
        encoder.encode([Sentence.alone("one"), Sentence.alone("two")])


def test_progress_is_reported_after_each_batch() -> None:
    reports: list[tuple[int, int]] = []
    encoder = Encoder(LetterModel(), on_progress=lambda *message: reports.append(message))
    encoder.encode([Sentence.alone(str(n)) for n in range(1100)])
    assert reports == [(0, 1100), (512, 1100), (1024, 1100), (1100, 1100)]
    encoder.encode([Sentence.alone(str(n)) for n in range(1100)])
    assert len(reports) == 4


def test_nothing_to_encode_is_no_row() -> None:
    assert toy_encoder()[0].encode([]).shape == (0, 8)


def test_encoders_are_known_by_weights_and_settings() -> None:
    assert Encoder(LetterModel(), "a").content_hash == Encoder(LetterModel(), "b").content_hash
    unknown = LetterModel(content_hash="")
    assert Encoder(unknown, "a").content_hash == Encoder(unknown, "b").content_hash
    assert Encoder(unknown, "a").content_hash == Encoder(unknown, "a").with_name("b").content_hash


@given(st.integers(0, 3), st.integers(0, 3), st.sampled_from(["", "word"]))
def test_functions_of_one_name_have_one_hash_only_if_they_give_one_vector(
    first: int, second: int, known: str
) -> None:
    def function(seed: int) -> Encoder:
        def given(texts: list[str]) -> Any:
            if known and texts != [known]:
                raise KeyError(texts[0])
            rows = [np.random.default_rng([seed, *text.encode()]).normal(size=4) for text in texts]
            return np.array(rows)

        return encoder_from_function(given, "mine")

    hashes = [function(seed).content_hash for seed in (first, second)]
    assert (hashes[0] == hashes[1]) == (first == second)
    assert describe_model(function(first)).sha256 == hashes[0]
    assert function(first).store is None


# --- audited ---


LIMIT = 20


class Short(LetterModel):
    """Reads so many letters and no more."""

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        for one in sentences:
            if len(one.text) > LIMIT:
                raise too_long("short", one, len(one.text), LIMIT, "letters")
        return super().encode(sentences)


@given(st.lists(st.text(min_size=1, max_size=2 * LIMIT), max_size=12))
def test_what_is_too_long_is_left_out_and_nothing_else(texts: list[str]) -> None:
    model = Short()
    left_out = unreadable_sentences(Encoder(model), [Sentence.alone(text) for text in texts])
    assert left_out == {text for text in texts if len(text) > LIMIT}
    assert sorted(model.asked) == sorted({*texts} - left_out)


class Counting(Short):
    """Counts how many sentences it is shown, read or not."""

    shown = 0

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        type(self).shown += len(sentences)
        return super().encode(sentences)


def test_very_many_that_are_too_long_cost_little() -> None:
    texts = [f"{number} " + "x" * LIMIT * (number % 2) for number in range(4000)]
    left_out = unreadable_sentences(Encoder(Counting()), [Sentence.alone(text) for text in texts])
    assert left_out == {text for text in texts if len(text) > LIMIT}
    assert Counting.shown < 15 * len(texts)


def test_words_that_no_token_is_known_of_are_unknown_and_not_too_long() -> None:
    class NoTokens(LetterModel):
        def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
            for one in sentences:
                if one.text in self.unknown:
                    raise no_tokens("short", one)
            return super().encode(sentences)

    made = distil(Encoder(NoTokens(unknown=("two", "three"))), ["one", "two", "three"])
    assert list(made.keys) == ["one"]
    details = made.history[-1].details
    fields = ("words", "unknown", "sentences_too_long", "without_sentence")
    assert [details[name] for name in fields] == [1, 2, 0, 0]


def test_it_is_an_error_where_nobody_may_leave_it_out() -> None:
    with pytest.raises(UnreadableError, match="reads 20 letters at the most"):
        Encoder(Short()).encode([Sentence.alone("x" * 21)])


def test_distilling_leaves_out_long_contexts_and_counts_them() -> None:
    found = {
        "one": [Sentence("", "one", " here"), Sentence("", "one", " " + "x" * 30)],
        "two": [Sentence("", "two", " " + "x" * 30)],
    }
    made = distil(Encoder(Short()), [*found], contexts=lambda asked: [found[w] for (w,) in asked])
    assert list(made.keys) == ["one"]
    details = made.history[-1].details
    assert (details["sentences_too_long"], details["without_sentence"]) == (2, 1)


def test_ceat_leaves_out_long_contexts_and_names_words_that_have_no_other() -> None:
    def contexts(words: Sequence[tuple[str, ...]]) -> list[list[Sentence]]:
        long = {"executive"}
        return [
            [Sentence("x" * 30 + " ", word, "")] + [Sentence("a ", word, "")] * (word not in long)
            for word, *_ in words
        ]

    encoder = Encoder(Short(), languages=("en",))
    (outcome,) = audit(
        encoder,
        suites="caliskan2017/weat-6",
        metrics="ceat",
        contexts=contexts,
        statistics=Statistics(interval="none"),
        categories=False,
    )
    assert isinstance(outcome, Result)
    missing = {word for one in outcome.coverage for word in one.missing}
    assert missing == {"executive"}


# --- options ---


@pytest.mark.parametrize(
    ("layer", "taken"),
    [("last", (6,)), ("all", tuple(range(7))), ("0", (0,)), ("-2", (5,)), ("1,-1,1", (1, 6))],
)
def test_layers_count_from_what_goes_into_the_first(layer: str, taken: tuple[int, ...]) -> None:
    assert Choices(layer).layers(7, "toy") == taken


@pytest.mark.parametrize("layer", ["7", "-8", "0,9"])
def test_a_layer_that_is_not_there_is_named(layer: str) -> None:
    with pytest.raises(SettingError, match=r"toy has no layer .* 0 to 6"):
        Choices(layer).layers(7, "toy")


@pytest.mark.parametrize("wrong", [{"layer": "first"}, {"pooling": "max"}, {"dtype": "int8"}])
def test_a_choice_that_does_not_exist_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(FairvecError):
        Choices(**wrong)  # type: ignore[arg-type]


# --- function ---


def lengths(texts: list[str]) -> list[list[int]]:
    return [[len(text), text.count("a"), 1] for text in texts]


def fails(texts: list[str]) -> Any:
    raise KeyError("weights")


def test_a_function_is_an_encoder() -> None:
    encoder = encoder_from_function(lengths, language="en")
    assert encoder.dimensions == 3
    rows = encoder.encode([Sentence("a ", "banana", ".")])
    assert rows.tolist() == [[9, 4, 1]]
    assert encoder.languages == ("en",)
    assert encoder.name == "lengths"
    assert dict(encoder.model.settings) == {"kind": "function", "function": "lengths"}


def test_a_function_is_named_as_a_module_and_a_name() -> None:
    encoder = open_encoder("python:tests.encoders.test_encoder:lengths")
    assert encoder.encode([Sentence.alone("aa")]).tolist() == [[2, 2, 1]]


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("python:lengths", "names no function"),
        ("python::lengths", "names no function"),
        ("python:no.such.module:f", "cannot be imported"),
        ("python:tests.encoders.test_encoder:nothing", "cannot be imported"),
        ("python:tests.encoders.test_encoder:np", "cannot be made of module"),
    ],
)
def test_what_names_no_function_is_refused(named: str, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        open_encoder(named)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda texts: np.zeros(3), r"shape \(3,\) for a list of one text"),
        (lambda texts: np.zeros((2, 3)), r"shape \(2, 3\)"),
        (lambda texts: np.zeros((1, 0)), r"shape \(1, 0\)"),
        (lambda texts: None, r"shape \(\)"),
        (fails, "raised KeyError"),
    ],
)
def test_a_function_that_gives_no_row_a_text_is_refused(function: Any, message: str) -> None:
    with pytest.raises(EncoderError, match=message):
        _ = encoder_from_function(function, "mine").dimensions


def test_a_function_that_changes_its_mind_is_refused() -> None:
    encoder = encoder_from_function(lambda texts: np.zeros((1, 2)), "mine")
    with pytest.raises(EncoderError, match="mine gave float64 numbers of shape"):
        encoder.encode([Sentence.alone("a"), Sentence.alone("b")])


# --- word average ---


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

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import UnreadableError
from fairvec.encoders import Encoder
from fairvec.encoders.base import no_tokens, too_long
from fairvec.encoders.encoder import unreadable_sentences
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.encoder_words import distil
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence
from fairvec.results import Result
from tests.encoders.toy_encoder import LetterModel

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
    said = ("words", "unknown", "sentences_too_long", "without_sentence")
    assert [details[name] for name in said] == [1, 2, 0, 0]


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
        interval="none",
        categories=False,
    )
    assert isinstance(outcome, Result)
    missing = {word for one in outcome.coverage for word in one.missing}
    assert missing == {"executive"}

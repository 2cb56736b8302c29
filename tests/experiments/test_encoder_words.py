"""Word vectors made of an encoder."""

import numpy as np
import pytest

from fairvec.core.errors import EncoderError, SettingError
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.encoder_words import distil, words_of_suites
from fairvec.languages.sentences import Sentence, sentence_with_word, templates
from fairvec.results.records import Description
from tests.encoders.toys import toy_encoder


def test_a_word_alone_is_its_own_sentence() -> None:
    encoder, _ = toy_encoder()
    made = distil(encoder, ["one", "two", "one"])
    assert list(made.keys) == ["one", "two"]
    np.testing.assert_allclose(
        made.vectors, encoder.encode([Sentence.alone("one"), Sentence.alone("two")]), rtol=1e-6
    )
    assert made.languages == ("en",)
    assert made.history[-1].details["how"] == "each word alone"


def test_a_word_in_templates_is_their_mean() -> None:
    encoder, _ = toy_encoder()
    made = distil(encoder, ["one", "two"], in_templates=True)
    every = [sentence_with_word(each, "two", "en") for each in templates("en").of(None)]
    np.testing.assert_allclose(made.vectors[1], encoder.encode(every).mean(axis=0), atol=1e-6)


def test_a_word_in_contexts_is_their_mean_and_one_without_is_counted() -> None:
    encoder, _ = toy_encoder()
    found = {"one": [Sentence("a ", "one", ""), Sentence("b ", "one", "")], "two": []}
    made = distil(
        encoder, ["two", "one"], contexts=lambda words: [found[word] for (word,) in words]
    )
    assert list(made.keys) == ["one"]
    np.testing.assert_allclose(
        made.vectors[0], encoder.encode(found["one"]).mean(axis=0), atol=1e-6
    )
    assert made.history[-1].details["without_sentence"] == 1


def test_words_the_tokenizer_does_not_know_are_left_out_and_counted() -> None:
    encoder, _ = toy_encoder(unknown=("two",))
    made = distil(encoder, ["one", "two"])
    assert list(made.keys) == ["one"]
    assert made.history[-1].details["unknown"] == 1
    with pytest.raises(EncoderError, match="knows none of the 1 word"):
        distil(encoder, ["two"])


def test_what_was_distilled_is_measured_by_what_needs_a_vocabulary() -> None:
    encoder, _ = toy_encoder()
    made = distil(encoder, [*words_of_suites("en"), *(f"word{n}" for n in range(1000))])
    (outcome,) = audit(made, suites="bolukbasi2016/professions", metrics="bias-by-clustering")
    assert isinstance(outcome, Description)


def test_nothing_and_both_ways_at_once_are_refused() -> None:
    encoder, _ = toy_encoder()
    with pytest.raises(SettingError, match="no words"):
        distil(encoder, [])
    with pytest.raises(SettingError, match="choose one"):
        distil(encoder, ["one"], in_templates=True, contexts=lambda words: [])

"""An encoder is audited as an embedding is."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import fairvec
from fairvec.core.errors import LexiconError, SettingError
from fairvec.encoders import Encoder, VectorStore, WordPieces, encoder_from_function
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.languages import ModelLanguages, model_languages
from fairvec.languages.language import scripts
from fairvec.languages.sentences import Sentence, templates
from fairvec.lexicon import resolve, select_tests
from fairvec.metrics.bias import Seat
from fairvec.results import Description, Outcome, Result, Skipped
from tests import toys
from tests.encoders.toy_encoder import LetterModel, toy_encoder

WEAT_6 = "caliskan2017/weat-6"


def only(outcomes: list[Outcome]) -> Result:
    """The one test of an audit, without the answer for its category."""
    (outcome,) = (one for one in outcomes if one.status != "pooled")
    assert isinstance(outcome, Result)
    return outcome


def test_an_encoder_is_measured_by_seat_unless_another_metric_is_named() -> None:
    encoder, _ = toy_encoder()
    assert only(audit(encoder, suites=WEAT_6)).metric == "seat"
    assert only(audit(encoder, suites=WEAT_6, metrics="weat")).metric == "weat"
    beside = audit(encoder, fairvec.load("glove-en-small"), suites=WEAT_6)
    assert {outcome.metric for outcome in beside} == {"seat"}


def test_the_figure_is_that_of_a_few_lines_of_numpy() -> None:
    encoder, model = toy_encoder()
    (selected,) = select_tests([WEAT_6])
    known = templates("en")
    vectors = {}
    for role in "xyab":
        other = {"x": "y", "y": "x", "a": "b", "b": "a"}[role]
        both = [*selected.test.sets[role].words, *selected.test.sets[other].words]
        shared = known.shared_by([known.pos_of(word, selected.test.sets[role]) for word in both])
        assert shared
        vectors[role] = np.array(
            [
                [model._numbers(known_sentence) for known_sentence in _filled(shared, word.word)]
                for word in selected.test.sets[role].words
            ]
        )
    lean = {
        role: (1 - cdist(vectors[role].reshape(-1, 8), vectors["a"].reshape(-1, 8), "cosine")).mean(
            axis=1
        )
        - (1 - cdist(vectors[role].reshape(-1, 8), vectors["b"].reshape(-1, 8), "cosine")).mean(
            axis=1
        )
        for role in "xy"
    }
    spread = np.concatenate([lean["x"], lean["y"]]).std(ddof=1)
    expected = (lean["x"].mean() - lean["y"].mean()) / spread
    assert only(audit(encoder, suites=WEAT_6)).effect == pytest.approx(expected, abs=1e-6)


def _filled(shared: tuple[str, ...], word: str) -> list[str]:
    from fairvec.languages.sentences import fill_template

    return [fill_template(template, word) for template in shared]


def test_the_record_says_what_was_measured() -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    encoder, _ = toy_encoder()
    record = only(audit(encoder, suites=WEAT_6))
    assert record.model.encoder == {"kind": "letters"}
    assert (record.model.words, record.model.dimensions) == (0, 8)
    assert record.model.sha256 == "letters"
    assert {"torch", "transformers", "numpy"} <= {*record.versions}
    again = Result.model_validate_json(record.model_dump_json())
    assert again == record


def test_a_word_without_a_known_piece_is_missing_and_said() -> None:
    encoder, _ = toy_encoder(unknown=("executive", "Amy"))
    record = only(audit(encoder, suites=WEAT_6))
    missing = {word: why for one in record.coverage for word, why in one.missing.items()}
    assert missing == dict.fromkeys(("executive", "Amy"), "the tokenizer knows no piece of it")


def test_too_many_unknown_words_skip_the_test() -> None:
    (selected,) = select_tests([WEAT_6])
    words = [word.word for word in selected.test.sets["a"].words]
    (outcome,) = audit(toy_encoder(unknown=tuple(words))[0], suites=WEAT_6)
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "missing"


@pytest.mark.parametrize("metric", ["gipe", "bias-by-neighbours", "bias-by-clustering"])
def test_what_needs_a_vocabulary_says_how_to_have_one(metric: str) -> None:
    (outcome,) = audit(toy_encoder()[0], suites="bolukbasi2016/professions", metrics=metric)
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "undefined"
    assert "fairvec distil" in outcome.reason


def test_what_needs_points_alone_is_measured() -> None:
    (outcome,) = audit(toy_encoder()[0], suites="bolukbasi2016/professions", metrics="direct-bias")
    assert isinstance(outcome, Description)


def test_a_language_that_nothing_tells_must_be_named() -> None:
    encoder = encoder_from_function(lambda texts: np.ones((len(texts), 2)), "mine")
    with pytest.raises(LexiconError, match=r"mine: .*does not tell its language.*--language"):
        audit(encoder)


class Trained(LetterModel):
    """Knows whole words of some scripts, and of the others letters or nothing."""

    def __init__(self, whole: str, letters: str) -> None:
        super().__init__()
        object.__setattr__(self, "known", (whole.split(), letters.split()))

    def pieces(self, words: Sequence[str]) -> Sequence[WordPieces]:
        whole, letters = self.known  # type: ignore[attr-defined]
        read = []
        for word in words:
            (written, *_) = sorted(scripts(word)) or [""]
            cut = 1 if written in whole else len(word)
            read.append(WordPieces(cut, 0 if written in (*whole, *letters) else cut))
        return read


@pytest.mark.parametrize(
    ("whole", "letters", "found"),
    [
        ("LATIN", "CYRILLIC DEVANAGARI", ModelLanguages(("en",))),
        ("DEVANAGARI", "LATIN", ModelLanguages(("hi",))),
        ("CYRILLIC", "", ModelLanguages(("ru",))),
        ("LATIN CYRILLIC", "DEVANAGARI", ModelLanguages(("en",), ("ru",))),
        ("LATIN CYRILLIC DEVANAGARI", "", ModelLanguages(())),
        ("", "", ModelLanguages(())),
    ],
)
def test_a_language_is_found_by_how_the_tokenizer_cuts_words(
    whole: str, letters: str, found: ModelLanguages
) -> None:
    assert model_languages(Encoder(Trained(whole, letters))) == found
    assert model_languages(Encoder(Trained(whole, letters), languages=("ne",))) == ModelLanguages(
        ("ne",)
    )


def test_a_second_audit_asks_the_store_alone(tmp_path: Path) -> None:
    store = VectorStore(tmp_path / "kept.sqlite")
    first = audit(toy_encoder(store)[0], suites=WEAT_6)
    again, model = toy_encoder(store)
    assert audit(again, suites=WEAT_6) == first
    assert model.asked == []


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(SettingError, match="embeddings or encoders"):
        audit("glove-en-small")  # type: ignore[arg-type]


def test_sentences_are_permuted_when_asked() -> None:
    encoder, _ = toy_encoder()
    words, sentences = (
        only(audit(encoder, suites=WEAT_6, metrics=Seat(permute=how), interval="none"))
        for how in ("words", "sentences")
    )
    assert words.effect == sentences.effect
    assert words.p != sentences.p


def test_groups_of_an_encoder_hold_the_words_alone() -> None:
    encoder, _ = toy_encoder()
    groups = resolve(toys.suite().tests[0], encoder)
    word = groups["x"].found[0].word.word
    np.testing.assert_array_equal(groups["x"].vectors[0], encoder.encode([Sentence.alone(word)])[0])


@pytest.mark.parametrize("metric", ["seat", "weat"])
def test_what_an_encoder_refuses_is_said_as_it_is_and_is_no_fault_of_fairvec(metric: str) -> None:
    def not_a_number(texts: list[str]) -> object:
        return np.array([[1.0, np.nan if text != "word" else 1.0] for text in texts])

    encoder = encoder_from_function(not_a_number, language="en")
    (outcome,) = audit(encoder, suites=WEAT_6, metrics=metric)
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "undefined"
    assert outcome.reason.startswith("not_a_number gave NaN or infinity for the sentence ")

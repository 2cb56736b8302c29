"""Audits of embeddings and encoders."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import fairvec
from fairvec.core.errors import LexiconError, SettingError, UnknownNameError
from fairvec.embedding import Embedding, Lookup
from fairvec.encoders import Encoder, VectorStore, WordPieces, encoder_from_function
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.languages import ModelLanguages, model_languages
from fairvec.experiments.audit.plan import Statistics
from fairvec.languages.language import scripts
from fairvec.languages.sentences import Sentence, templates
from fairvec.lexicon import resolve, select_tests
from fairvec.metrics.bias.seat import Seat
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import CategoryAnswer, Description
from tests import toys
from tests.encoders.toys import LetterModel, toy_encoder

# --- audit ---


def test_one_suite_may_be_named_alone() -> None:
    model = fairvec.load("glove-hi-small")
    one = fairvec.audit(model, suites="malik2022/me-verbs", resamples=100)
    assert one == fairvec.audit(model, suites=["malik2022/me-verbs"], resamples=100)


@pytest.mark.parametrize("embeddings", [(), ([toys.embedding()],), ("glove-en-small",), (None,)])
def test_only_embeddings_can_be_audited(embeddings: tuple[object, ...]) -> None:
    with pytest.raises(SettingError, match=r"fairvec\.load"):
        audit(*embeddings)  # type: ignore[arg-type]


def test_a_misspelt_setting_gets_an_offer() -> None:
    with pytest.raises(UnknownNameError, match="did you mean suites"):
        fairvec.audit(toys.embedding(), suite=["pestova"])  # type: ignore[call-arg]


def test_naming_no_suite_is_not_naming_all() -> None:
    with pytest.raises(SettingError, match="names no suite"):
        fairvec.audit(toys.embedding(), suites=[])


def test_a_model_that_knows_too_few_words_fits_nothing() -> None:
    with pytest.raises(LexiconError, match="no shipped suite fits"):
        fairvec.audit(toys.embedding())


def test_lists_that_papers_borrow_from_one_another_count_once() -> None:
    model = fairvec.load("glove-en-small")
    tests = {outcome.test.id for outcome in fairvec.audit(model, resamples=100, method="sampled")}
    assert "caliskan2017/weat-8" in tests
    assert "kumar2020/b3" not in tests
    named = fairvec.audit(model, suites="kumar2020", resamples=100)
    assert "kumar2020/b3" in {outcome.test.id for outcome in named}


def test_a_suite_without_a_test_for_the_metric_is_not_said_to_fit() -> None:
    reports: list[str] = []
    fairvec.audit(
        fairvec.load("glove-en-small"),
        metrics=["direct-bias"],
        on_choice=lambda _, fits: reports.extend(fit.suite.id for fit in fits),
        resamples=100,
    )
    assert "bolukbasi2016" in reports
    reports.clear()
    fairvec.audit(
        fairvec.load("glove-en-small"),
        on_choice=lambda _, fits: reports.extend(fit.suite.id for fit in fits),
        resamples=100,
        method="sampled",
    )
    assert "bolukbasi2016" not in reports


# --- An encoder is audited as an embedding is ---


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

    return [fill_template(template, word, "en") for template in shared]


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


def test_a_word_without_a_known_piece_is_missing_and_reported() -> None:
    encoder, _ = toy_encoder(unknown=("executive", "Amy"))
    record = only(audit(encoder, suites=WEAT_6))
    missing = {word: why for one in record.coverage for word, why in one.missing.items()}
    assert missing == dict.fromkeys(("executive", "Amy"), "the tokenizer knows no piece of it")


def test_too_many_unknown_words_skip_the_test() -> None:
    (selected,) = select_tests([WEAT_6])
    words = [word.word for word in selected.test.sets["a"].words]
    (outcome,) = audit(toy_encoder(unknown=tuple(words))[0], suites=WEAT_6)
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "coverage"


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
    with pytest.raises(LexiconError, match=r"mine: .*its language cannot be told.*--language"):
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
        only(
            audit(
                encoder,
                suites=WEAT_6,
                metrics=Seat(permute=how),
                statistics=Statistics(interval="none"),
            )
        )
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
def test_what_an_encoder_refuses_is_reported_as_it_is_and_is_no_fault_of_fairvec(
    metric: str,
) -> None:
    def not_a_number(texts: list[str]) -> object:
        return np.array([[1.0, np.nan if text != "word" else 1.0] for text in texts])

    encoder = encoder_from_function(not_a_number, language="en")
    (outcome,) = audit(encoder, suites=WEAT_6, metrics=metric)
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "undefined"
    assert outcome.reason.startswith("not_a_number gave NaN or infinity for the sentence ")


# --- Russian models whose keys carry a part of speech say the same as those whose keys do not ---


def tagged(model: Embedding) -> Embedding:
    """The model with keys such as мужчина_NOUN; words of the suite get their part of speech."""
    lookup = Lookup(model.positions, "ru")
    tags = {}
    for test in (each.test for each in select_tests(["pestova"])):
        for word in (word for wordset in test.sets.values() for word in wordset.words):
            match = lookup.find(word.spellings, word.pos)
            if match:
                tags[match.key] = word.pos
    keys = [f"{key}_{tags.get(key, 'NOUN')}" for key in model.keys]
    return replace(model, keys=keys, name="tagged")


def test_tags_change_nothing_but_the_keys() -> None:
    plain = fairvec.load("navec-ru-small")
    untagged, with_tags = (
        fairvec.audit(model, suites="pestova", resamples=100) for model in (plain, tagged(plain))
    )
    answer, with_tag = untagged.pop(), with_tags.pop()
    assert isinstance(answer, CategoryAnswer)
    assert isinstance(with_tag, CategoryAnswer)
    assert answer.effect == with_tag.effect
    assert answer.verdict == with_tag.verdict
    for one, other in zip(untagged, with_tags, strict=True):
        assert isinstance(one, Result)
        assert isinstance(other, Result)
        assert one.effect == other.effect
        assert one.p == other.p
        assert [group.missing for group in one.coverage] == [g.missing for g in other.coverage]
        assert {rule for group in other.coverage for rule in group.how.values()} == {"tagged"}


def test_a_tagged_model_is_fitted_by_its_suite() -> None:
    reports: list[str] = []
    fairvec.audit(
        tagged(fairvec.load("navec-ru-small")),
        on_choice=lambda _, fits: reports.extend(fit.suite.id for fit in fits),
        resamples=100,
    )
    assert reports == ["pestova"]

"""Benchmarks of usefulness as records."""

from pathlib import Path

import numpy as np
import pytest

from fairvec.benchmarks import (
    AnalogyQuestion,
    AnalogySet,
    Choice,
    RatedPair,
    RetrievalSet,
    Section,
    SemBiasSet,
    SimilaritySet,
)
from fairvec.catalogue import dataset
from fairvec.embedding import Embedding, Step
from fairvec.encoders import Encoder
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.comparison.before_after import evaluate_change
from fairvec.experiments.pairs import PAIRED, PairsTest, pair_scores, results_of_pairs
from fairvec.experiments.utility import select_benchmarks, utility
from fairvec.geometry import Euclidean, FloatArray, Poincare
from fairvec.languages.words import WordSet
from fairvec.lexicon import shipped_suites
from fairvec.metrics.utility import PreferenceScore, RetrievalBias
from fairvec.results import Outcome, Result, Skipped, read_results, write_results
from fairvec.results.records import Description
from fairvec.stats import bootstrap_interval, paired_interval, paired_test, spearman
from tests.metrics.utility.test_text_preferences import QUERIES, encode, encoder

KEYS = ["he", "she", "king", "queen", "cup", "lid", "pen", "ink", "doctor", "nurse"]
VECTORS = np.random.default_rng(3).normal(size=(len(KEYS), 4)) * 0.1
STATISTICS = Statistics(resamples=200, seed=5)
PAIRS = SimilaritySet(
    "toy",
    "Toy",
    "en",
    "Toy (2026)",
    "none",
    tuple(
        RatedPair(one, other, score)
        for score, (one, other) in enumerate(
            [("King", "queen"), ("cup", "lid"), ("pen", "ink"), ("he", "she"), ("cup", "absent")]
        )
    ),
)
ROW = Choice(("king", "queen"), (("cup", "lid"), ("pen", "ink")), ("doctor", "nurse"))
CHOICES = SemBiasSet("choices", "Choices", "en", "Toy (2026)", "none", (ROW,) * 4, 1)


def model(*history: Step) -> Embedding:
    return Embedding(KEYS, VECTORS, name="small", history=history)


def test_a_figure_is_described_with_its_interval_and_coverage() -> None:
    (found,) = utility(model(), [PAIRS], statistics=STATISTICS)
    assert isinstance(found, Description)
    units = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    places = [(2, 3), (4, 5), (6, 7), (0, 1)]
    rows = np.array([[score, units[a] @ units[b]] for score, (a, b) in enumerate(places)])
    assert found.value == pytest.approx(float(spearman(rows)))
    assert (found.test.id, found.test.suite, found.test.kind) == ("toy", "toy", "similarity")
    assert (found.metric, found.similarity, found.neutral) == ("word-similarity", "cosine", None)
    (group,) = found.coverage
    assert (group.role, group.wanted, group.found) == ("items", 5, 4)
    assert list(group.missing) == ["absent"]
    assert group.matched == {"King": "king"}
    assert group.how == {"King": "case"}


def test_the_interval_is_that_of_the_bootstrap() -> None:
    generator = np.random.default_rng(0)
    keys = [f"word{number}" for number in range(40)]
    pairs = tuple(
        RatedPair(*two, generator.normal()) for two in zip(keys[::2], keys[1::2], strict=True)
    )
    large = SimilaritySet("large", "Large", "en", "-", "-", pairs)
    vectors = generator.normal(size=(40, 5))
    (found,) = utility(Embedding(keys, vectors), [large], statistics=STATISTICS)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    alike = (units[::2] * units[1::2]).sum(axis=1)
    rows = np.stack([[pair.score for pair in pairs], alike], axis=1)
    expected = bootstrap_interval([rows], spearman, resamples=200, seed=5)
    assert isinstance(found, Description)
    assert found.interval is not None
    assert expected is not None
    ends = (found.interval.low, found.interval.high, found.interval.resamples)
    assert ends == pytest.approx((expected.low, expected.high, 200))


def test_every_part_is_a_test_of_its_own() -> None:
    found = utility(model(), [CHOICES], statistics=STATISTICS)
    kinds = ("definition", "stereotype", "none")
    assert [one.test.id for one in found] == [
        *(f"choices/{kind}" for kind in kinds),
        *(f"choices/{kind}-held-out" for kind in kinds),
    ]
    assert {one.similarity for one in found} == {""}
    assert [one.coverage[0].wanted for one in found] == [4] * 3 + [1] * 3
    assert found[0].coverage[0].title == "rows of Choices"


def test_analogies_are_asked_by_kind_and_all_together() -> None:
    family = Section("family", "semantic", (AnalogyQuestion("he", "she", "king", "queen"),))
    things = (
        AnalogyQuestion("cup", "lid", "pen", "ink"),
        AnalogyQuestion("cup", "lid", "Cup", "absent"),
    )
    other = Section("things", "syntactic", (*things, AnalogyQuestion("cup", "Cup", "pen", "ink")))
    analogies = AnalogySet("asked", "Asked", "en", "Toy (2026)", "none", (family, other))
    flat, ball = (
        utility(Embedding(KEYS, VECTORS, space), [analogies], statistics=STATISTICS)
        for space in (Euclidean(), Poincare())
    )
    assert {one.similarity for one in flat} == {"cosine"}
    assert {one.similarity for one in ball} == {"negative-distance"}
    assert {one.test.id: one.coverage[0].found for one in flat} == {
        "asked/semantic": 1,
        "asked/syntactic": 1,
        "asked": 2,
    }
    assert [type(one) for one in flat] == [Description, Skipped, Description]
    reasons = flat[0].coverage[0].missing
    assert set(reasons) == {"absent", "cup and Cup (both cup)"}
    assert len(set(reasons.values())) == 2


def test_in_the_ball_points_are_compared_by_distance() -> None:
    (found,) = utility(Embedding(KEYS, VECTORS, Poincare()), [PAIRS], statistics=STATISTICS)
    assert found.similarity == "negative-distance"


def test_too_few_items_are_no_figure() -> None:
    statistics = Statistics(resamples=200, min_coverage=0.9)
    (found,) = utility(model(), [PAIRS], statistics=statistics)
    assert isinstance(found, Skipped)
    assert found.cause == "missing"
    assert found.reason.startswith("Only 4 of the 5 pairs of Toy could be asked, less than 90%")


def test_what_has_no_answer_says_why() -> None:
    other = Embedding(["a"], np.ones((1, 2)), name="other")
    similar, choices = utility(other, [PAIRS, CHOICES], statistics=STATISTICS)
    assert isinstance(similar, Skipped)
    assert isinstance(choices, Skipped)
    assert similar.cause == choices.cause == "undefined"
    assert "3 are needed" in similar.reason
    assert choices.test.id == "choices"
    assert (choices.coverage[0].found, choices.coverage[0].wanted) == (0, 4)
    assert set(choices.coverage[0].missing) == set(CHOICES.texts)


def test_words_that_a_method_was_fitted_on_are_named() -> None:
    step = Step("debias", {"fitted_on": ["king", "she"]})
    (found,) = utility(model(step), [PAIRS], statistics=STATISTICS)
    assert found.fitted_words == ("King", "she")


def test_outcomes_are_written_and_read_back(tmp_path: Path) -> None:
    found = utility(model(), [PAIRS, CHOICES], statistics=STATISTICS)
    assert read_results(write_results(found, tmp_path)) == found


def test_the_benchmarks_of_a_models_language_are_asked_if_they_are_available(
    tmp_path: Path, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words: list[WordSet] = [
        each for suite in shipped_suites() if suite.language == "hi" for test in suite.tests
        for each in test.sets.values()
    ]  # fmt: skip
    known = dataset("hindi-ws")
    lines = (shared_data / known.file).read_text(encoding="utf-8").splitlines()
    pairs = [line.split(",")[:2] for line in lines]
    keys = [
        *dict.fromkeys([w.word for s in words for w in s.words] + [w for p in pairs for w in p])
    ]
    vectors = np.random.default_rng(0).normal(size=(len(keys), 3))
    hindi = Embedding(keys, vectors)
    assert languages_of(hindi) == ("hi",)

    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path))
    monkeypatch.setenv("FAIRVEC_DATA", str(tmp_path))
    absent: list[tuple[str, ...]] = []
    assert utility(hindi, on_absent=absent.append) == []
    assert absent == [("hindi-ws",)]

    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    seen: list[tuple[int, int, str]] = []
    (found,) = utility(
        hindi, statistics=STATISTICS, on_absent=absent.append, progress=lambda *at: seen.append(at)
    )
    assert (found.test.id, found.coverage[0].found) == ("hindi-ws", 235)
    assert seen == [(0, 1, "embedding: hindi-ws")]
    assert len(absent) == 1


# --- Whom a model prefers: a test of bias, with p and verdict, of words or of an encoder


def preferences(model: Embedding | Encoder, lean: RetrievalSet = QUERIES) -> list[Outcome]:
    return utility(model, [lean], statistics=STATISTICS)


def test_a_preference_is_a_test_of_bias_by_the_paired_test_over_queries() -> None:
    model = encoder()
    relevant, other, stereotype, ranking = preferences(model)
    (figure, *_) = RetrievalBias().measure(QUERIES, model)
    assert isinstance(relevant, Result)
    assert isinstance(figure, PreferenceScore)
    zeros = np.zeros(len(QUERIES))
    p = paired_test(zeros, figure.differences)
    assert relevant.p == p
    assert p.value == 2 / 2**8
    assert relevant.statistic == pytest.approx(figure.differences.mean())
    assert relevant.effect == pytest.approx(
        figure.differences.mean() / figure.differences.std(ddof=1)
    )
    assert relevant.convention.name == "paired"
    assert (relevant.test.id, relevant.test.category, relevant.test.kind) == (
        *("retrieval/relevant-documents", "gender"),
        "bias",
    )
    assert relevant.test.use is None
    assert relevant.p_holm == 2 * p.value  # of three, two queries alone cannot be significant
    assert relevant.verdict.kind == "biased"
    assert [word.role for word in relevant.words] == ["pair"] * 8
    assert relevant.words[0].without == pytest.approx(
        figure.differences[1:].mean() / figure.differences[1:].std(ddof=1)
    )
    assert relevant.parts == {"queries one way, less the other": 1.0}
    assert isinstance(other, Result)
    assert isinstance(stereotype, Result)
    assert stereotype.verdict.kind == "too-few-words"
    assert isinstance(ranking, Description)
    assert ranking.test.use is not None
    assert {one.model.words for one in (relevant, ranking)} == {0}


def test_the_interval_of_a_preference_agrees_with_its_p_and_widens_with_its_spread() -> None:
    generator = np.random.default_rng(1)
    for mean in (0.0, 0.3, 1.0, 3.0):
        differences = generator.normal(mean, size=12)
        p = paired_test(np.zeros(12), differences)
        fields = shared_fields()
        test = PairsTest(fields, pair_scores([*"abcdefghijkl"], differences, standardised=True), p)
        (result,) = results_of_pairs([test], Statistics())
        assert result.interval is not None
        low, high = result.interval.low, result.interval.high
        assert (low <= 0 <= high) == (p.value > 0.05)
        assert low <= result.effect <= high
        plain = paired_interval(np.zeros(12), differences / 12, np.full(12, 1 / 12), p=p.value)
        assert plain is not None
        spread = differences.std(ddof=1)
        if mean == 3:
            assert high - low > (plain.high - plain.low) / spread


def shared_fields() -> dict[str, object]:
    (found, *_) = preferences(encoder())
    names = ("test", "model", "metric", "similarity", "described", "coverage", "seed", "versions")
    return {name: getattr(found, name) for name in names} | {"convention": PAIRED}


def test_texts_that_a_model_cannot_tell_apart_are_skipped() -> None:
    def blind(texts: list[str]) -> FloatArray:
        return encode([text.replace("she ", "he ") for text in texts])

    relevant, *_, ranking = preferences(encoder(blind))
    assert isinstance(relevant, Skipped)
    assert relevant.cause == "no-spread"
    assert "all lean alike" in relevant.reason
    assert isinstance(ranking, Description)


def test_a_change_of_a_preference_is_tested_query_by_query(tmp_path: Path) -> None:
    before, after = encoder(), encoder(lambda texts: encode(texts, -0.5)).with_name("after")
    report = evaluate_change(
        before, after, suites="caliskan2017/weat-6", benchmarks=[QUERIES], categories=False
    )
    changes = {change.test.id: change for change in report.changes}
    relevant = changes["retrieval/relevant-documents"]
    assert relevant.paired is not None
    assert relevant.paired.value == 2 / 2**8
    assert relevant.kind == "reversed"
    assert relevant.items == 8
    assert changes["retrieval/ranking"].kind in ("kept", "not-shown")
    assert read_results(write_results(report.all, tmp_path)) == report.all


def test_an_encoder_is_asked_words_too_and_no_analogies(
    tmp_path: Path, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = encoder()
    similar, choices = utility(model, [PAIRS, CHOICES], statistics=STATISTICS)[:2]
    rows = model.encode(["King", "queen", "cup", "lid", "pen", "ink", "he", "she", "cup", "absent"])
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    expected = [(score, units[2 * score] @ units[2 * score + 1]) for score in range(5)]
    assert isinstance(similar, Description)
    assert similar.value == pytest.approx(float(spearman(np.array(expected))))
    assert isinstance(choices, Description)
    analogies = AnalogySet(
        *("asked", "Asked", "en", "Toy (2026)", "none"),
        (Section("family", "semantic", (AnalogyQuestion("he", "she", "king", "queen"),)),),
    )
    (skipped,) = utility(model, [analogies])
    assert isinstance(skipped, Skipped)
    assert "is an encoder, which has no vocabulary" in skipped.reason
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path))
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    chosen = {one.name for one in select_benchmarks(model, None)}
    assert "mc30" in chosen
    assert not chosen & {"google-analogies", "stereoset", "grep-biasir"}

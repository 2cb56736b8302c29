"""Running a plan of tests: records, shortfalls, degenerate words."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fairvec
from fairvec.core.errors import SettingError, UnanswerableError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.experiments.audit.plan import (
    Statistics,
    refuse_contradictions,
    resolve_metrics,
)
from fairvec.experiments.audit.run import run_all, run_tests
from fairvec.experiments.audit.test_words import require_coverage
from fairvec.geometry import (
    COSINE,
    NEGATIVE_DISTANCE,
    Euclidean,
    Geometry,
    Poincare,
    ProductOfBalls,
)
from fairvec.lexicon import Groups, SelectedTest, Suite, parse_suite, resolve
from fairvec.metrics import METRICS, Metric, effect_size, metric
from fairvec.metrics.bias import weat as association
from fairvec.metrics.bias.direction import DirectBias
from fairvec.metrics.bias.pairs import PairBias
from fairvec.metrics.bias.seat import Seat
from fairvec.metrics.bias.weat import AttributeSimilarities, Weat
from fairvec.metrics.utility import WordSimilarity
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import Description
from fairvec.results.store import as_jsonl
from fairvec.testing.planted import planted, suite_text
from tests import toys
from tests.laws.helpers import law
from tests.laws.metric_laws import as_used

# --- run ---


def outcome_of(bias: float, *, kind: str = "bias", **statistics: object) -> Result:
    tests = (SelectedTest(toys.suite(kind), toys.suite(kind).tests[0]),)
    settings = Statistics(**statistics)  # type: ignore[arg-type]
    (outcome,) = run_tests(toys.embedding(bias), tests, Weat(), settings)
    assert isinstance(outcome, Result)
    return outcome


def run_on(embedding: object, words: dict[str, list[str]] = toys.WORDS) -> Outcome:
    suite = toys.suite(words=words)
    (outcome,) = run_tests(embedding, (SelectedTest(suite, suite.tests[0]),), Weat())  # type: ignore[arg-type]
    return outcome


def test_a_planted_bias_is_found_with_its_direction() -> None:
    towards, against = outcome_of(1.0), outcome_of(-1.0)
    assert towards.verdict.kind == against.verdict.kind == "biased"
    assert towards.effect > 1.5
    assert against.effect < -1.5
    for found, meaning in (
        (towards, towards.test.positive_means),
        (against, against.test.negative_means),
    ):
        assert found.verdict.sentence.endswith(f": {meaning}.")


def test_p_is_that_of_all_252_regroupings() -> None:
    result = outcome_of(1.0)
    assert result.p.method == "exact"
    assert result.p.partitions == 252
    assert result.p.value == result.p.smallest == 2 / 252
    assert result.p_holm == result.p_bh == result.p.value
    assert result.family == 1


def test_no_evidence_says_what_could_have_been_seen() -> None:
    result = outcome_of(0.0)
    assert result.verdict.kind == "no-evidence"
    assert result.detectable is not None
    assert f"effects of {result.detectable:.2f} or more" in result.verdict.sentence


@pytest.mark.parametrize(
    ("kind", "opening"), [("meaningful-encoding", "Encoded"), ("baseline", "Associated")]
)
def test_what_is_no_bias_is_not_called_bias(kind: str, opening: str) -> None:
    result = outcome_of(1.0, kind=kind)
    assert result.verdict.kind == "associated"
    assert result.verdict.sentence.startswith(opening)


def test_a_verdict_is_two_sided_whatever_the_sides() -> None:
    result = outcome_of(-1.0, sides="greater")
    assert result.p.sides == "greater"
    assert result.p.value == 1.0
    assert result.verdict.p == 2 / 252
    assert result.verdict.kind == "biased"


def test_the_effect_lies_in_its_interval_and_the_words_sum_to_the_statistic() -> None:
    result = outcome_of(0.5)
    assert result.interval is not None
    assert result.interval.low <= result.effect <= result.interval.high
    x = [word.score for word in result.words if word.role == "x"]
    y = [word.score for word in result.words if word.role == "y"]
    assert result.statistic == pytest.approx(np.mean(x) - np.mean(y), rel=1e-12)
    assert result.effect == pytest.approx(result.statistic / np.std(x + y, ddof=1), rel=1e-12)


def test_without_says_the_effect_without_the_word() -> None:
    result = outcome_of(0.3)
    words = {**toys.WORDS, "x": toys.WORDS["x"][1:]}
    shorter = run_on(toys.embedding(0.3), words)
    assert isinstance(shorter, Result)
    assert result.words[0].word == toys.WORDS["x"][0]
    assert result.words[0].without == pytest.approx(shorter.effect, rel=1e-12)


def test_the_same_plan_gives_the_same_results() -> None:
    assert outcome_of(0.4) == outcome_of(0.4)


def test_corrections_run_over_the_tests_of_one_model() -> None:
    suite = toys.suite()
    tests = (SelectedTest(suite, suite.tests[0]),) * 3
    strong, weak = ((toys.embedding(bias), tests, Weat()) for bias in (1.0, 0.0))
    results = run_all([strong, weak])
    assert results[:3] == run_tests(*strong)
    assert [r.family for r in results if isinstance(r, Result)] == [3] * 6
    assert [r.p_holm for r in results[:3] if isinstance(r, Result)] == [3 * 2 / 252] * 3
    assert [r.p_bh for r in results[:3] if isinstance(r, Result)] == [2 / 252] * 3


def test_a_missing_word_is_named_and_an_unequal_test_is_run() -> None:
    embedding = toys.embedding(1.0)
    fewer = replace(embedding, keys=embedding.keys[1:], vectors=embedding.vectors[1:])
    outcome = run_on(fewer)
    assert isinstance(outcome, Result)
    assert outcome.coverage[0].missing == {"office": "not in the vocabulary"}
    assert outcome.p.partitions == 126


def test_too_few_words_found_is_a_reason_not_a_number() -> None:
    embedding = toys.embedding(1.0)
    fewer = replace(embedding, keys=embedding.keys[3:], vectors=embedding.vectors[3:])
    outcome = run_on(fewer)
    assert isinstance(outcome, Skipped)
    assert outcome.reason.startswith("Only 2 of 5 x words were found, less than 50%")


def test_lists_too_short_to_show_anything_say_so() -> None:
    words = {role: entries[:3] for role, entries in toys.WORDS.items()}
    outcome = run_on(toys.embedding(1.0), words)
    assert isinstance(outcome, Result)
    assert outcome.verdict.kind == "too-few-words"
    assert outcome.detectable is None


def test_words_that_all_lean_alike_have_no_effect() -> None:
    embedding = toys.embedding(1.0)
    outcome = run_on(replace(embedding, vectors=np.ones_like(embedding.vectors)))
    assert isinstance(outcome, Skipped)
    assert "lean alike" in outcome.reason


def test_the_ball_is_measured_with_its_own_distance() -> None:
    suite = toys.suite()
    ball = toys.embedding(1.0, space=Poincare())
    tests = (SelectedTest(suite, suite.tests[0]),)
    (outcome,) = run_tests(ball, tests, Weat(NEGATIVE_DISTANCE))
    assert isinstance(outcome, Result)
    assert (outcome.similarity, outcome.model.geometry) == ("negative-distance", "poincare")
    assert outcome.model.curvature == 1.0


def test_strict_ties_do_not_fool_the_verdict() -> None:
    words = {role: entries[:3] for role, entries in toys.WORDS.items()}
    suite = toys.suite(words=words)
    tests = (SelectedTest(suite, suite.tests[0]),)
    (outcome,) = run_tests(toys.embedding(1.0), tests, Weat(), Statistics(ties=">"))
    assert isinstance(outcome, Result)
    assert outcome.p.value == 0.0
    assert outcome.verdict.kind == "too-few-words"


def test_the_detectable_effect_is_that_of_the_corrected_level() -> None:
    suite = toys.suite()
    tests = (SelectedTest(suite, suite.tests[0]),)
    (alone,) = run_tests(toys.embedding(0.1), tests, Weat())
    among_two = run_tests(toys.embedding(0.1), tests * 2, Weat())
    assert isinstance(alone, Result)
    assert isinstance(among_two[0], Result)
    assert alone.detectable is not None
    assert among_two[0].detectable is not None
    assert among_two[0].detectable > alone.detectable
    assert (alone.verdict.candidates, among_two[0].verdict.candidates) == (1, 2)


def test_one_word_in_two_lists_is_noticed() -> None:
    words = {**toys.WORDS, "y": ["office", *toys.WORDS["y"]]}
    outcome = run_on(toys.embedding(1.0), words)
    assert [group.shared for group in outcome.coverage] == [("office",), ("office",), (), ()]


@pytest.mark.parametrize(
    "setting", [{"seed": -1}, {"samples": 1e5}, {"alpha": "x"}, {"level": 1.0}, {"resamples": 5}]
)
def test_settings_outside_their_range_are_refused(setting: dict[str, object]) -> None:
    with pytest.raises(SettingError, match=next(iter(setting))):
        Statistics(**setting)  # type: ignore[arg-type]


def test_an_effect_is_relative_and_says_when_both_lists_lean_to_one_side() -> None:
    embedding = toys.embedding(1.0)
    vectors = np.array(embedding.vectors)
    vectors[: len(toys.WORDS["x"]) + len(toys.WORDS["y"]), 0] += 0.8
    outcome = run_on(replace(embedding, vectors=vectors))
    assert isinstance(outcome, Result)
    assert min(word.score for word in outcome.words) > 0
    assert outcome.test.positive_means in outcome.verdict.sentence
    assert outcome.verdict.both_lean == "a"
    words = toys.WORDS | {"x": toys.WORDS["y"], "y": toys.WORDS["x"]}
    swapped = run_on(replace(embedding, vectors=vectors), words)
    assert isinstance(swapped, Result)
    assert (swapped.effect < 0, swapped.verdict.both_lean) == (True, "a")
    # No list leans to b, and the sentence claims that of none.
    assert swapped.test.negative_means not in swapped.verdict.sentence
    assert "y words are associated with a words" in swapped.verdict.sentence
    apart = run_on(embedding)
    assert isinstance(apart, Result)
    assert apart.verdict.both_lean == ""


def test_lists_too_short_for_so_many_tests_say_so() -> None:
    suite = toys.suite()
    tests = (SelectedTest(suite, suite.tests[0]),) * 10
    outcomes = run_tests(toys.embedding(0.0), tests, Weat())
    assert isinstance(outcomes[0], Result)
    assert outcomes[0].verdict.kind == "too-few-words"
    assert "among the 10 bias tests of toy" in outcomes[0].verdict.sentence


def test_a_smallest_p_that_is_the_level_is_a_verdict() -> None:
    """Of three and three words the strongest split has p = 2/20."""
    words = {role: entries[:3] for role, entries in toys.WORDS.items()}
    suite = toys.suite(words=words)
    tests = (SelectedTest(suite, suite.tests[0]),)
    for alpha, kind in ((0.1, "biased"), (0.0999, "too-few-words")):
        (outcome,) = run_tests(toys.embedding(1.0), tests, Weat(), Statistics(alpha=alpha))
        assert isinstance(outcome, Result)
        assert (outcome.verdict.p, outcome.verdict.kind) == (0.1, kind)


# --- In an audit a test on degenerate words is a row that says so, and costs no other row ---


SECOND = """
[sets.p]
title = "p"
words = ["w0", "w1", "w2", "w3"]
[sets.q]
title = "q"
words = ["w4", "w5", "w6", "w7"]
[[tests]]
id = "two"
title = "Two"
category = "gender"
kind = "bias"
x = "p"
y = "q"
a = "p"
b = "q"
paired = true
"""
ODD = [f"w{number}" for number in range(8)]
"""The words of the second test, which are degenerate; those of the first are not."""
every_metric = pytest.mark.parametrize("known", METRICS, ids=lambda known: known.name)


def suite() -> Suite:
    return parse_suite(suite_text() + "paired = true\n" + SECOND)


def model(known: Metric, space: Geometry, odd: float) -> Embedding:
    """Return a vocabulary whose odd words are one vector, so many times as long as it was."""
    sound = planted(known, space, 3)
    vectors = np.array(sound.vectors)
    rows = [sound.positions[key] for key in ODD]
    vectors[rows] = odd * vectors[rows[0]]
    return Embedding(sound.keys, vectors, space, "odd")


def answers(model: Embedding, metrics: Iterable[Metric]) -> list[Result | Description | Skipped]:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        return [
            row
            for row in fairvec.audit(model, suites=suite(), metrics=[*metrics])
            if isinstance(row, Result | Description | Skipped)
        ]


@every_metric
def test_one_degenerate_test_costs_no_other(known: Metric) -> None:
    ways = [*as_used(known)]
    for space in (Euclidean(), Poincare(), ProductOfBalls(3)):
        for size in (1.0, 1e-140, 1e-200) if space.curvature else (0.0, 1e-200, 1e140, 1e200):
            rows = answers(model(known, space, size), ways)
            assert rows
            for row in rows:
                if isinstance(row, Skipped):
                    assert "fault of fairvec" not in row.reason, row.reason
                    assert row.reason.endswith(".")
                    assert "\n" not in row.reason
                else:
                    assert np.isfinite(row.value if isinstance(row, Description) else row.effect)
            if not (known.traits.flat_only and space.curvature) and size in (0.0, 1.0):
                first = [row for row in rows if row.test.id == "toy/one"]
                assert first
                assert not any(isinstance(row, Skipped) for row in first)


def test_a_whole_model_of_another_unit_gives_the_same_figures() -> None:
    sound = planted(metric("weat"), Euclidean(), 3)
    (wanted,) = (row for row in answers(sound, [metric("weat")])[:1])
    assert isinstance(wanted, Result)
    for power in (-480, 480):
        scaled = Embedding(sound.keys, np.ldexp(np.asarray(sound.vectors), power), name="planted")
        found = answers(scaled, [metric("weat")])[0]
        assert isinstance(found, Result)
        assert found.effect == pytest.approx(wanted.effect, rel=1e-9)
        assert found.p == wanted.p


# --- shortfall ---


@law
@given(st.integers(2, 40), st.integers(0, 38), st.integers(0, 100))
@example(10, 1, 90)
@example(10, 3, 70)
@example(20, 9, 55)
@example(5, 3, 40)
def test_coverage_at_the_limit_is_enough_and_one_word_less_is_not(
    wanted: int, missing: int, percent: int
) -> None:
    """Also where the limit is a decimal that no float is."""
    missing = min(missing, wanted - 2)
    words = {**toys.WORDS, "x": [f"x{number}" for number in range(wanted)]}
    known = [word for entries in words.values() for word in entries][missing:]
    model = Embedding(known, np.ones((len(known), 2)))
    suite = toys.suite(words=words)
    groups = resolve(suite.tests[0], model)
    found = Fraction(wanted - missing, wanted)
    finding = shortfall(groups, percent / 100)
    assert bool(finding) is (found < Fraction(percent, 100))
    assert finding in (
        "",
        f"Only {wanted - missing} of {wanted} x words were found, less than {percent}%.",
    )


@law
@given(st.integers(0, 4))
def test_two_targets_and_one_attribute_are_the_fewest(known: int) -> None:
    for role, fewest in (("x", 2), ("y", 2), ("a", 1), ("b", 1)):
        left = {**toys.WORDS, role: toys.WORDS[role][:known]}
        keys = [word for entries in left.values() for word in entries]
        model = Embedding(keys, np.ones((len(keys), 2)))
        groups = resolve(toys.suite().tests[0], model)
        assert bool(shortfall(groups, 0.0)) is (known < fewest)


def shortfall(groups: Groups, min_coverage: float) -> str:
    """Return which words WEAT lacks; nothing if there are enough."""
    try:
        require_coverage(groups, metric("weat"), min_coverage)
    except UnanswerableError as error:
        return error.finding if error.kind == "coverage" else error.kind
    return ""


# --- The table behind a heat map: what a record says of each pair of words ---


def measured(metric: Weat | None = None) -> Result:
    tests = (SelectedTest(toys.suite(), toys.suite().tests[0]),)
    (outcome,) = run_tests(toys.embedding(1.0), tests, metric or Weat())
    assert isinstance(outcome, Result)
    return outcome


def attributes(result: Result) -> list[str]:
    return [key for group in result.coverage if group.role in "ab" for key in group.entries]


def test_each_pair_has_the_cosine_of_its_two_vectors() -> None:
    result, embedding = measured(), toys.embedding(1.0)
    vector = dict(zip(embedding.keys, embedding.vectors, strict=True))
    assert len(result.similarities) == len(result.words)
    for word, row in zip(result.words, result.similarities, strict=True):
        for other, similarity in zip(attributes(result), row, strict=True):
            one, two = vector[word.key], vector[other]
            cosine = float(one @ two / np.linalg.norm(one) / np.linalg.norm(two))
            assert similarity == pytest.approx(cosine, abs=6e-4)
            assert similarity == round(similarity, 3)


@pytest.mark.parametrize("metric", [Weat(), Weat(similarity=NEGATIVE_DISTANCE)])
def test_the_means_of_a_row_are_the_words_closeness_to_a_and_to_b(metric: Weat) -> None:
    result = measured(metric)
    of_a = sum(group.found for group in result.coverage if group.role == "a")
    for word, row in zip(result.words, result.similarities, strict=True):
        assert fmean(row[:of_a]) == pytest.approx(word.to_a, abs=6e-4)
        assert fmean(row[of_a:]) == pytest.approx(word.to_b, abs=6e-4)


def test_of_very_many_pairs_none_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = sum(map(len, measured().similarities))
    monkeypatch.setattr(association, "MOST_PAIRS", pairs)
    assert measured().similarities
    monkeypatch.setattr(association, "MOST_PAIRS", pairs - 1)
    assert measured().similarities == ()
    assert '"similarities":[]' in as_jsonl([measured()])


def test_sentences_of_one_attribute_become_one_column() -> None:
    near = AttributeSimilarities(np.array([[1.0, 3.0, 5.0]]), np.array([[2.0, 4.0]]))
    words = near.mean_by_attribute({"a": [2, 1], "b": [2], "x": [1]})
    assert words.to_a.tolist() == [[2.0, 5.0]]
    assert words.to_b.tolist() == [[3.0]]


# --- plan ---


Audited = Callable[..., list[Outcome]]


@pytest.fixture(scope="module")
def suite_plan(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The toy suite as a file."""
    file = tmp_path_factory.mktemp("suite") / "toy.toml"
    file.write_text(toys.suite_text(), encoding="utf-8")
    return str(file)


@pytest.fixture
def audited(suite_plan: str) -> Audited:
    """A function that audits the toy model by the toy suite."""
    return partial(fairvec.audit, toys.embedding(0.5), suites=suite_plan, resamples=100)


@given(st.lists(st.sampled_from(METRICS), min_size=1, unique=True), st.data())
def test_names_and_objects_ask_for_the_same(metrics: list[Metric], data: st.DataObject) -> None:
    mixed = [one.name if data.draw(st.booleans()) else one for one in metrics]
    assert resolve_metrics(mixed, {}) == tuple(metrics)
    assert resolve_metrics([*mixed, *metrics], {}) == tuple(metrics)


@pytest.mark.parametrize("known", METRICS, ids=lambda one: one.name)
def test_an_object_gives_the_records_of_its_name(audited: Audited, known: Metric) -> None:
    assert (
        audited(metrics=[known])
        == audited(metrics=[known.name])
        == audited(metrics=known)
        == audited(metrics=known.name)
    )


def test_settings_of_an_object_count(audited: Audited) -> None:
    plain, strict = audited(metrics=["direct-bias"]), audited(metrics=[DirectBias(strictness=2)])
    assert [one.metric for one in (*plain, *strict)] == ["direct-bias"] * 2
    assert plain[0].model_dump()["value"] > strict[0].model_dump()["value"]


def test_settings_of_the_audit_reach_names_and_not_objects(suite_plan: str) -> None:
    ball = toys.embedding(0.5, space=Poincare(1.0))
    asked: list[str | Metric] = ["weat", Weat(COSINE), PairBias()]
    outcomes = fairvec.audit(ball, suites=suite_plan, metrics=asked, resamples=100)
    asked_by = [one.similarity for one in outcomes if one.status != "pooled"]
    assert asked_by == ["negative-distance", "cosine", "cosine"]
    assert [one.similarity for one in outcomes[3:]] == ["negative-distance", "cosine"]


@pytest.mark.parametrize(
    ("metrics", "named", "words"),
    [
        (
            [Weat(NEGATIVE_DISTANCE)],
            {"similarity": "cosine"},
            "similarity negative-distance.*cosine",
        ),
        (["weat", Weat()], {"convention": "population"}, "convention caliskan.*names population"),
        ([Seat(permute="sentences")], {"permute": "words"}, "permute sentences.*names words"),
    ],
)
def test_an_object_that_contradicts_the_audit_is_refused(
    audited: Audited, metrics: Sequence[str | Metric], named: dict[str, Any], words: str
) -> None:
    with pytest.raises(SettingError, match=f"{words}; set it on the object, or give the metric by"):
        audited(metrics=metrics, **named)


def test_what_agrees_or_cannot_be_set_is_no_contradiction() -> None:
    named: dict[str, Any] = {
        "similarity": NEGATIVE_DISTANCE,
        "effect_size": effect_size("population"),
    }
    for known in METRICS:
        refuse_contradictions(known.name, named)
        if is_dataclass(known) and not isinstance(known, type):
            own = {each.name for each in fields(known)} & named.keys()
            agreeing = replace(known, **{name: named[name] for name in own})
            refuse_contradictions([agreeing], named)
    refuse_contradictions([DirectBias(strictness=2)], named)


@pytest.mark.parametrize("one", [DirectBias, 3, None, WordSimilarity(), ["weat"]], ids=repr)
def test_what_is_no_metric_is_refused_in_a_sentence(audited: Audited, one: object) -> None:
    with pytest.raises(SettingError, match="is no metric; give names, as in 'weat', or objects"):
        audited(metrics=["weat", one])


def test_no_metric_and_unknown_names_are_refused(audited: Audited) -> None:
    with pytest.raises(SettingError, match="names no metric"):
        audited(metrics=[])
    with pytest.raises(UnknownNameError, match="did you mean weat"):
        audited(metrics="weta")


def test_one_metric_with_two_settings_is_distinguished_by_its_records(audited: Audited) -> None:
    strict, usual = audited(metrics=[DirectBias(strictness=2), "direct-bias"])
    assert strict.described is not None
    assert usual.described is not None
    assert strict.described.settings["strictness"] == 2
    assert strict.described != usual.described
    apart = audited(metrics=[Weat(NEGATIVE_DISTANCE), "weat"])
    assert [one.similarity for one in apart] == ["negative-distance", "cosine"] * 2

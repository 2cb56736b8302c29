"""Laws of audits, verdicts and categories."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.format import is_significant
from fairvec.embedding import Embedding, Step
from fairvec.encoders import Encoder, encoder_from_function
from fairvec.experiments.audit.categories import category_answers
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import run_all, run_tests
from fairvec.experiments.comparison.change_kinds import (
    OF_EFFECT_SIZE,
    Effect,
    EffectChange,
    name_effect_change,
)
from fairvec.experiments.comparison.compare import compare
from fairvec.experiments.comparison.paired import effects_over_shared_words
from fairvec.geometry import FloatArray
from fairvec.lexicon import SelectedTest, Suite, parse_suite
from fairvec.metrics import METRICS, Metric, effect_size, metric
from fairvec.metrics.bias.seat import Seat
from fairvec.metrics.bias.weat import Weat
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import CategoryAnswer
from fairvec.results.rows import to_row
from fairvec.results.store import as_jsonl
from fairvec.results.verdicts import HARMFUL, ChangeKind, effect_magnitude
from fairvec.stats import permutation_test
from tests import toys
from tests.encoders.toys import LetterModel
from tests.experiments.toys import MIRRORED, Drawn, embedding, outcomes_of, suite_of
from tests.laws.helpers import examples
from tests.loops import loop_over
from tests.toys import between

# --- Whatever lists a stranger brings, every test ends in a record, and none costs another its own


WORDS = [f"w{number}" for number in range(40)]
LISTS = ("x", "y", "a", "b")

sizes = st.lists(st.integers(1, 14), min_size=4, max_size=4)
tests_of_a_suite = st.lists(
    st.tuples(sizes, st.integers(0, 10**6), st.sampled_from(("bias", "baseline"))),
    min_size=1,
    max_size=7,
)
vectors = st.builds(
    lambda seed, kind: _vectors(seed, kind),
    st.integers(0, 10**6),
    st.sampled_from(("normal", "small", "alike", "signs")),
)
quick = examples(40)


def _vectors(seed: int, kind: str) -> np.ndarray[Any, Any]:
    generator = np.random.default_rng(seed)
    drawn = generator.normal(size=(len(WORDS), 5))
    if kind == "small":
        return (1 + drawn * 1e-9).astype(np.float32)
    if kind == "alike":
        return np.repeat(drawn[:8], 5, axis=0)
    return np.sign(drawn) if kind == "signs" else drawn


def suite_of_runs(tests: list[tuple[list[int], int, str]]) -> Suite:
    """A suite of lists drawn from the same words: they overlap, and X may be Y."""
    text = ['id = "s"\nversion = "1"\nlanguage = "en"\ntitle = "S"\nsource = "S"\nlicence = "S"']
    for number, (counts, seed, kind) in enumerate(tests):
        generator = np.random.default_rng(seed)
        for role, count in zip(LISTS, counts, strict=True):
            words = [WORDS[place] for place in generator.permutation(len(WORDS))[:count]]
            text.append(f'[sets.{role}{number}]\ntitle = "{role}"\nwords = {words!r}')
        roles = "\n".join(f'{role} = "{role}{number}"' for role in LISTS)
        text.append(
            f'[[tests]]\nid = "t{number}"\ntitle = "T"\ncategory = "c"\nkind = "{kind}"\n{roles}'
        )
    return parse_suite("\n".join(text))


def selected(suite: Suite) -> tuple[SelectedTest, ...]:
    return tuple(SelectedTest(suite, test) for test in suite.tests)


@quick
@given(tests_of_a_suite, vectors)
def test_every_test_ends_in_a_record_that_agrees_with_itself(
    tests: list[tuple[list[int], int, str]], points: np.ndarray[Any, Any]
) -> None:
    suite = suite_of_runs(tests)
    embedding = Embedding(WORDS, points)
    outcomes = run_tests(embedding, selected(suite), Weat())
    assert [one.test.id for one in outcomes] == [test.id for test in suite.tests]
    assert as_jsonl(outcomes)
    for one in outcomes:
        if isinstance(one, Skipped):
            assert one.cause != "error", one.reason
            continue
        assert isinstance(one, Result)
        p, verdict = one.verdict.p, one.verdict
        if one.interval:
            assert one.interval.low <= one.effect + 1e-9
            assert one.interval.high >= one.effect - 1e-9
            assert (one.interval.low <= 0 <= one.interval.high) is not is_significant(p, 0.05)
        decided = verdict.kind in ("biased", "associated")
        assert decided == (verdict.p_holm is not None and is_significant(verdict.p_holm, 0.05))
        assert (verdict.kind == "too-few-words") == (verdict.p_holm is None)
        if verdict.kind == "inconclusive":
            assert is_significant(p, 0.05)
            assert not decided


@quick
@given(tests_of_a_suite, tests_of_a_suite, vectors)
def test_a_verdict_does_not_depend_on_the_other_tests_of_the_run(
    tests: list[tuple[list[int], int, str]],
    others: list[tuple[list[int], int, str]],
    points: np.ndarray[Any, Any],
) -> None:
    suite = suite_of_runs(tests)
    other = suite_of_runs(others).model_copy(update={"id": "other"})
    embedding = Embedding(WORDS, points)
    alone = run_tests(embedding, selected(suite), Weat())
    among = run_tests(embedding, (*selected(other), *selected(suite)), Weat())
    companion = Embedding(WORDS, points[::-1], name="beside")
    audits = [(model, selected(suite), Weat()) for model in (companion, embedding)]
    for again in (among[len(others) :], run_all(audits)[len(tests) :]):
        for one, same in zip(alone, again, strict=True):
            if isinstance(one, Result):
                assert isinstance(same, Result)
                assert (one.verdict, one.family) == (same.verdict, same.family)
    # Another kind of test is another family.
    bias = [each for each in selected(suite) if each.test.kind == "bias"]
    if bias:
        separately = run_tests(embedding, bias, Weat())
        kept = [one for one in alone if one.test.kind == "bias"]
        assert [getattr(o, "verdict", o) for o in separately] == [
            getattr(o, "verdict", o) for o in kept
        ]


@pytest.mark.parametrize(("sizes", "tests"), [((3, 7), 6), ((2, 14), 6), ((1, 19), 1), ((4, 4), 1)])
def test_a_smallest_p_that_equals_its_level_can_be_decided(
    sizes: tuple[int, int], tests: int
) -> None:
    suite = suite_of_runs([([*sizes, 3, 3], seed, "bias") for seed in range(tests)])
    statistics = Statistics(min_coverage=0.0)
    for outcome in run_tests(
        Embedding(WORDS, _vectors(2, "normal")), selected(suite), Weat(), statistics
    ):
        if isinstance(outcome, Result):
            assert (outcome.family, outcome.verdict.kind != "too-few-words") == (tests, True)
            assert outcome.detectable is not None
        else:
            assert sizes == (1, 19)  # a list of one word has no spread


@pytest.mark.parametrize("error", [ZeroDivisionError("oh"), MemoryError(), RecursionError("deep")])
def test_what_one_test_raises_costs_no_other_its_answer(error: Exception) -> None:
    suite = suite_of_runs([([8, 8, 8, 8], seed, "bias") for seed in range(3)])
    weat = metric("weat")
    measure = type(weat).measure

    def failing(own: Any, groups: Any, geometry: Any) -> Any:
        """Fail on the second test."""
        if groups.test.id == "s/t1":
            raise error
        return measure(own, groups, geometry)

    embedding = Embedding(WORDS, _vectors(1, "normal"))
    with mock.patch.object(type(weat), "measure", failing):
        outcomes = run_tests(embedding, selected(suite), weat)
    assert [one.status for one in outcomes] == ["measured", "skipped", "measured"]
    failed = outcomes[1]
    assert isinstance(failed, Skipped)
    assert failed.cause == "error"
    message = (
        "memory" if isinstance(error, MemoryError) else f"fault of fairvec.*{error}.*report it"
    )
    assert re.search(message, failed.reason)


@loop_over("metric", METRICS)
def test_every_metric_ends_in_records_on_odd_lists(metric: Metric) -> None:
    odd = [[3, 7, 1, 1], [2, 14, 3, 3], [1, 1, 1, 1], [14, 14, 14, 14], [10, 10, 2, 9]]
    suite = suite_of_runs([(counts, seed, "bias") for seed, counts in enumerate(odd)])
    same = suite.tests[3].model_copy(
        update={"sets": {**suite.tests[3].sets, "y": suite.tests[3].sets["x"]}}
    )
    tests = (*selected(suite), SelectedTest(suite, same))
    for kind in ("normal", "alike", "signs"):
        embedding = Embedding(WORDS, _vectors(3, kind))
        statistics = Statistics(resamples=200)
        outcomes = run_tests(embedding, tests, metric, statistics)
        assert len(outcomes) == len(tests)
        causes = [(one.cause, one.reason) for one in outcomes if isinstance(one, Skipped)]
        assert "error" not in [cause for cause, _ in causes], causes


# --- Which list is called X or A, and in which order things are asked, changes no verdict ---


SWAPS = (("x", "y"), ("a", "b"))
drawn = st.builds(
    Drawn,
    st.sampled_from(("gender", "race")),
    st.tuples(*[st.sampled_from((2, 3, 4, 7))] * 4),
    st.integers(0, 10**6),
)
suites = st.lists(drawn, min_size=1, max_size=4).map(lambda tests: suite_of(*tests))
models = st.builds(embedding, st.integers(0, 10**6), st.sampled_from(("normal", "alike", "signs")))
quick_mirror = settings(deadline=None, max_examples=6)


def outcomes_for(of: Sequence[Embedding], suite: Suite, seed: int = 0) -> list[Outcome]:
    """Everything that an audit says of these models, the answers by category behind the tests."""
    tests = tuple(SelectedTest(suite, test) for test in suite.tests)
    statistics = Statistics(min_coverage=0.0, seed=seed)
    found = run_all([(model, tests, Weat()) for model in of], statistics)
    return [*found, *category_answers(found)]


def swapped(suite: Suite, roles: tuple[str, str]) -> Suite:
    """The suite with two lists of every test in each other's place, and what a sign means too."""
    one, other = roles
    tests = [
        test.model_copy(
            update={
                "sets": test.sets | {one: test.sets[other], other: test.sets[one]},
                "positive_means": test.negative_means,
                "negative_means": test.positive_means,
            }
        )
        for test in suite.tests
    ]
    return suite.model_copy(update={"tests": tuple(tests)})


def answers_of(outcomes: Sequence[Outcome]) -> dict[str, Result | CategoryAnswer]:
    kinds = (Result, CategoryAnswer)
    return {one.test.id: one for one in outcomes if isinstance(one, kinds)}


@pytest.mark.parametrize("roles", SWAPS, ids=["x and y", "a and b"])
@quick_mirror
@given(suites, models)
def test_swapped_lists_mirror_every_figure_and_keep_every_verdict(
    roles: tuple[str, str], suite: Suite, of: Embedding
) -> None:
    found, turned = (
        answers_of(outcomes_for([of], each)) for each in (suite, swapped(suite, roles))
    )
    assert found.keys() == turned.keys()
    for test, one in found.items():
        other = turned[test]
        assert other.effect == pytest.approx(-one.effect, abs=1e-9)
        if one.p.method == "exact":
            assert other.p.value == pytest.approx(one.p.value, abs=1e-12)
            assert other.verdict.kind == one.verdict.kind
            assert (one.interval is None) == (other.interval is None)
            if one.interval and other.interval:
                ends = (-other.interval.high, -other.interval.low)
                assert (one.interval.low, one.interval.high) == pytest.approx(ends, abs=1e-6)


@quick_mirror
@given(suites, models, models)
def test_order_other_models_and_a_seed_change_no_answer(
    suite: Suite, of: Embedding, companion: Embedding
) -> None:
    other = companion.with_name("beside")
    found = answers_of(outcomes_for([of], suite))
    backwards = suite.model_copy(update={"tests": suite.tests[::-1]})
    for test, one in answers_of(outcomes_for([of], backwards)).items():
        assert (one.p, one.interval, one.verdict.kind) == (
            found[test].p,
            found[test].interval,
            found[test].verdict.kind,
        )
    both = outcomes_for([other, of], suite)
    mine = [one for one in both if one.model.name == of.name]
    assert answers_of(mine) == found
    for test, one in answers_of(outcomes_for([of], suite, seed=7)).items():
        if one.p.method == "exact":
            assert (one.p, one.interval, one.verdict) == (
                found[test].p,
                found[test].interval,
                found[test].verdict,
            )


# --- Whatever tests a category has, its answer is one of them all, and agrees with itself ---


sizes_categories = st.tuples(*[st.integers(1, 12)] * 4)
drawn_categories = st.builds(
    Drawn,
    st.sampled_from(("gender", "race", "age")),
    sizes_categories,
    st.integers(0, 10**6),
    st.sampled_from(("bias", "bias", "bias", "baseline")),
)
suites_categories = st.lists(drawn_categories, min_size=1, max_size=7)
models_categories = st.builds(
    embedding, st.integers(0, 10**6), st.sampled_from(("normal", "small", "alike", "signs"))
)


def answered(outcomes: list[Outcome]) -> list[CategoryAnswer]:
    """The answers, of which none may be a fault."""
    answers = category_answers(outcomes, samples=499)
    found = [one for one in answers if isinstance(one, CategoryAnswer)]
    assert [getattr(one, "reason", "") for one in answers if one not in found] == []
    lines = as_jsonl(found).splitlines()
    assert [CategoryAnswer.model_validate_json(line) for line in lines] == found
    return found


def bias_tests(outcomes: list[Outcome]) -> dict[str, list[Outcome]]:
    groups = defaultdict(list)
    for one in outcomes:
        if one.test.kind == "bias":
            groups[one.test.category].append(one)
    return groups


@quick
@given(suites_categories, models_categories)
def test_every_bias_test_is_pooled_or_named_as_left_out(tests: list[Drawn], of: Embedding) -> None:
    outcomes = outcomes_of(suite_of(*tests), of=of)
    answers = {one.test.category: one for one in answered(outcomes)}
    for category, members in bias_tests(outcomes).items():
        measured = [one for one in members if isinstance(one, Result)]
        assert (category in answers) == bool(measured)
        if not measured:
            continue
        answer = answers[category]
        # The default convention is that of the answer: one figure, said twice.
        assert [one.test for one in answer.tests] == [one.test.id for one in measured]
        assert [one.effect for one in answer.tests] == pytest.approx(
            [one.effect for one in measured], abs=1e-9
        )
        out = [one.test.id for one in members if not isinstance(one, Result)]
        assert [left.test for left in answer.left_out] == out
        assert sum(one.weight for one in answer.tests) == pytest.approx(1)
        assert all(one.weight > 0 for one in answer.tests)
        pooled = sum(one.weight * one.effect for one in answer.tests)
        assert answer.effect == pytest.approx(pooled, abs=1e-9)
        assert answer.size == effect_magnitude(answer.effect)
        assert f"over {len(measured)} tests" in answer.verdict.sentence or (
            len(measured) == 1 or answer.verdict.kind in ("mixed", "too-few-words")
        )


@quick
@given(suites_categories, models_categories)
def test_p_interval_and_verdict_agree(tests: list[Drawn], of: Embedding) -> None:
    answers = answered(outcomes_of(suite_of(*tests), of=of))
    family = [one.p.value for one in answers if len(answers) * one.p.smallest <= 0.05 + 1e-12]
    for one in answers:
        p, verdict = one.p.value, one.verdict
        assert (one.p.sides, verdict.p, verdict.p_holm) == ("two", p, one.p_holm)
        if one.interval:
            assert one.interval.low <= one.effect + 1e-9
            assert one.interval.high >= one.effect - 1e-9
            assert (one.interval.low <= 0 <= one.interval.high) is not is_significant(p, 0.05)
        assert (one.p_holm is None) == (verdict.kind == "too-few-words")
        if len(one.tests) > 1:
            assert one.family == len(family)
            assert (one.p_holm is None) == (len(answers) * one.p.smallest > 0.05 * (1 + 1e-12))
        if one.p_holm is not None:
            # Holm by its definition: the largest of m p, (m - 1) p, ... up to one's own.
            ranked = enumerate(sorted(family))
            steps = [(len(family) - rank) * each for rank, each in ranked if each <= p]
            if len(one.tests) > 1:
                assert one.p_holm == pytest.approx(min(1, max(steps)))
            alone = any(test.verdict == "biased" for test in one.tests)
            assert verdict.kind == (
                "biased"
                if is_significant(one.p_holm, 0.05)
                else "inconclusive"
                if is_significant(p, 0.05)
                else "mixed"
                if alone
                else "no-evidence"
            )
        assert verdict.sentence.startswith(f"{one.test.category.capitalize()}: ")
        assert to_row(one)["verdict"] == verdict.kind


SCALES = (
    Weat(),
    Weat(effect_size=effect_size("population")),
    Weat(effect_size=effect_size("raw-similarity")),
    Seat(),
    Seat(effect_size=effect_size("population")),
)
STATISTICS: tuple[dict[str, Any], ...] = (
    {},
    {"sides": "less", "ties": ">"},
    {"interval": "bootstrap", "resamples": 100},
)


@quick
@given(suites_categories, models_categories, st.sampled_from(SCALES), st.sampled_from(STATISTICS))
def test_a_category_of_one_test_is_that_test(
    tests: list[Drawn], of: Embedding, metric: Metric, statistics: dict[str, Any]
) -> None:
    outcomes = outcomes_of(
        suite_of(*tests), of=_measured_by(metric, of), metric=metric, **statistics
    )
    results = {one.test.id: one for one in outcomes if isinstance(one, Result)}
    singles = [one for one in answered(outcomes) if len(one.tests) == 1]
    for answer in singles:
        result = results[answer.tests[0].test]
        assert (answer.effect, answer.interval) == (result.effect, result.interval)
        assert answer.p.value == answer.verdict.p == pytest.approx(result.verdict.p, rel=1e-9)
        assert answer.p == result.p or result.p.sides == "less"
        assert (answer.between, answer.prediction) == (0.0, None)
        assert (answer.tests[0].effect, answer.tests[0].weight) == (result.effect, 1)
        assert answer.verdict.kind == result.verdict.kind
        assert answer.verdict.p_holm == answer.p_holm == result.verdict.p_holm
        assert (answer.family, answer.convention) == (result.family, result.convention)


@quick
@given(suites_categories, models_categories, st.sampled_from(SCALES))
def test_a_pooled_effect_lies_among_those_of_its_tests(
    tests: list[Drawn], of: Embedding, metric: Metric
) -> None:
    outcomes = outcomes_of(suite_of(*tests), of=_measured_by(metric, of), metric=metric)
    results = {one.test.id: one for one in outcomes if isinstance(one, Result)}
    for answer in answered(outcomes):
        effects = [results[each.test].effect for each in answer.tests]
        assert [each.effect for each in answer.tests] == pytest.approx(effects, abs=1e-8)
        assert min(effects) - 1e-8 <= answer.effect <= max(effects) + 1e-8
        if answer.interval:
            assert answer.interval.low <= answer.effect + 1e-9
            assert answer.interval.high >= answer.effect - 1e-9
            excluded = not answer.interval.low <= 0 <= answer.interval.high
            assert excluded is is_significant(answer.p.value, 0.05)


def _measured_by(metric: Metric, embedding: Embedding) -> Embedding | Encoder:
    """Return the model, or for SEAT an encoder to which every sentence is another noise."""
    if not isinstance(metric, Seat):
        return embedding
    noise = LetterModel(dimensions=12)

    def encode(texts: list[str]) -> FloatArray:
        rows = np.array([noise._numbers(text) for text in texts])
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"w\d+", text):
                row[:5] += 2 * embedding.rows([word])[0]
        return rows

    return encoder_from_function(encode, "drawn", "en")


@quick
@given(suites_categories, suites_categories, models_categories)
def test_an_answer_depends_on_its_own_model_and_tests_alone(
    tests: list[Drawn], others: list[Drawn], of: Embedding
) -> None:
    outcomes = outcomes_of(suite_of(*tests), of=of)
    alone = answered(outcomes)
    other_outcomes = outcomes_of(suite_of(*others), of=embedding(1, name="beside"))
    harmless = [one for one in outcomes if one.test.kind == "bias"]
    assert category_answers([*outcomes, *alone, *outcomes], samples=499) == alone
    assert category_answers(harmless, samples=499) == alone
    among = category_answers([*other_outcomes, *outcomes], samples=499)
    assert [one for one in among if one.model.name == "drawn"] == alone


# --- What must hold for the word for every change: harm is named as readily as success ---


d_values = st.floats(-2, 2)
limits = st.none() | st.tuples(d_values, d_values).map(lambda ends: between((min(ends), max(ends))))
p_values = st.sampled_from([0.001, 0.03, 0.05, 0.051, 0.3, 1.0])
effects = st.builds(Effect, d_values, p_values, limits)
effect_changes = st.builds(EffectChange, p_values, limits)


def mirrored(kind: ChangeKind) -> ChangeKind:
    return MIRRORED.get(kind, kind)


def name_change(before: Effect, after: Effect, change: EffectChange) -> ChangeKind:
    return name_effect_change(before, after, change, alpha=0.05)


@given(effects, effects, effect_changes)
def test_swapping_the_runs_mirrors_the_label(
    before: Effect, after: Effect, change: EffectChange
) -> None:
    back = EffectChange(change.p, change.interval and change.interval.scaled(-1))
    if abs(before.value) != abs(after.value):
        assert name_change(after, before, back) == mirrored(name_change(before, after, change))


@given(effects, effects, effect_changes)
def test_only_smaller_effects_are_reduced_and_only_significant_changes_are_labelled(
    before: Effect, after: Effect, change: EffectChange
) -> None:
    label = name_change(before, after, change)
    if label in ("removed", "reduced"):
        assert abs(after.value) < abs(before.value)
    if label in ("introduced", "increased"):
        assert abs(after.value) >= abs(before.value)
    if label not in ("unchanged", "not-shown"):
        assert change.p <= 0.05
    if label == "removed":
        assert after.interval is not None
        assert max(abs(after.interval.low), abs(after.interval.high)) <= OF_EFFECT_SIZE.medium
    if label == "unchanged":
        assert change.interval is not None
        assert max(abs(change.interval.low), abs(change.interval.high)) <= OF_EFFECT_SIZE.margin


@given(effects, effects, effect_changes, p_values, p_values)
def test_becoming_significant_is_no_change(
    before: Effect, after: Effect, change: EffectChange, p: float, q: float
) -> None:
    """Where the sign stays, the p of either run has no say in the label."""
    if before.value * after.value >= 0:
        crossed = before._replace(p=p), after._replace(p=q)
        assert name_change(*crossed, change) == name_change(before, after, change)


def test_every_label_comes_up() -> None:
    values, ends = (-1.0, -0.1, 0.05, 0.9), (None, between((-0.05, 0.05)))
    found = {
        name_change(Effect(before, p, known), Effect(after, p, known), EffectChange(q, end))
        for before, after, p, q, known, end in product(
            values, values, (0.01, 0.5), (0.01, 0.5), ends, ends
        )
    }
    assert {*MIRRORED, *HARMFUL, "unchanged", "not-shown"} == found


@pytest.mark.parametrize("size", [0.0, 0.9, 1.5])
def test_noise_alone_is_seldom_named(size: float) -> None:
    """Two noisy copies of one model: at most 5 % of 400 tests, and their luck, get such a label."""
    generator = np.random.default_rng(5)
    shift = size / np.sqrt(1 - size**2 / 4)
    flagged = crossed = 0
    for _ in range(400):
        own = generator.normal(size=16) + np.repeat([shift, 0.0], 8)
        runs = [own + generator.normal(size=16) * 0.7 for _ in "ab"]
        changes = runs[1] / runs[1].std(ddof=1) - runs[0] / runs[0].std(ddof=1)
        p = permutation_test(changes[:8], changes[8:])
        d = [(run[:8].mean() - run[8:].mean()) / run.std(ddof=1) for run in runs]
        own_p = [permutation_test(run[:8], run[8:]).value for run in runs]
        before, after = (Effect(float(v), q, None) for v, q in zip(d, own_p, strict=True))
        label = name_change(before, after, EffectChange(p.value, None))
        flagged += label not in ("unchanged", "not-shown")
        crossed += (own_p[0] <= 0.05) != (own_p[1] <= 0.05)
    assert flagged <= 29  # 99 % of Binomial(400, 0.05)
    assert crossed > 29 or size == 0  # the control: crossing the level is far more common


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6), st.floats(0, 2), st.floats(-2, 2))
def test_two_runs_compared_both_ways_mirror_each_other(seed: int, one: float, other: float) -> None:
    suite = toys.suite()
    noise = np.random.default_rng(seed).normal(size=(18, 6)) * 0.3
    models = [toys.embedding(bias=bias, name=name) for bias, name in ((one, "a"), (other, "b"))]
    moved = models[1].with_vectors(models[1].vectors + noise, Step("shake"))
    tests = (SelectedTest(suite, suite.tests[0]),)
    runs = [run_tests(model, tests, Weat()) for model in (models[0], moved)]
    (pair,), (back,) = compare(*runs).pairs, compare(*runs[::-1]).pairs
    assert back.change == mirrored(pair.change)


@settings(deadline=None, max_examples=25)
@given(
    st.floats(0.3, 0.6), st.sampled_from([0.001, 0.01, 0.05, 0.2]), st.sampled_from([0.01, 0.05])
)
def test_another_level_is_no_change_of_a_model(bias: float, one: float, other: float) -> None:
    """A p of .03 is significant in the one run and not in the other, and nothing happened."""
    suite = toys.suite()
    tests = (SelectedTest(suite, suite.tests[0]),)
    runs = [
        run_tests(toys.embedding(bias), tests, Weat(), Statistics(alpha=level))
        for level in (one, other)
    ]
    for before, after in (runs, runs[::-1]):
        found = compare(before, after)
        assert {pair.change for pair in found.pairs} <= {"unchanged", "no-answer"}
        assert {each.change for each in found.categories} <= {"unchanged", "no-answer"}


@settings(deadline=None, max_examples=12)
@given(suites_categories, models_categories, models_categories, st.sampled_from(SCALES))
def test_the_change_of_a_category_is_that_of_its_pooled_effects(
    tests: list[Drawn], one: Embedding, other: Embedding, metric: Metric
) -> None:
    """By whatever the metric divides: the scores that are permuted add up to the change of d."""
    suite, sources = suite_of(*tests), (one, other.with_name("other"))
    runs = []
    for source in sources:
        outcomes = outcomes_of(suite, of=_measured_by(metric, source), metric=metric)
        runs.append([*outcomes, *category_answers(outcomes, samples=499)])
    for category in compare(*runs).categories:
        answers = category.before, category.after
        if category.same_words:
            weights = tuple(np.array([test.weight for test in each.tests]) for each in answers)
            pooled = effects_over_shared_words(category.tests, (weights[0], weights[1]))
            assert pooled == pytest.approx([each.effect for each in answers], abs=1e-8)
        if category.difference and category.same_words:
            change = category.effect_after - category.effect_before
            assert category.difference.low - 1e-8 <= change <= category.difference.high + 1e-8

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
from fairvec.experiments.audit.categories import category_answers
from fairvec.experiments.audit.plan import Audit, Plan, Statistics
from fairvec.experiments.audit.run import run
from fairvec.experiments.comparison.change_kinds import MARGIN, MIRRORED, Facts
from fairvec.experiments.comparison.compare import compare
from fairvec.lexicon import SelectedTest, Suite, parse_suite
from fairvec.metrics import METRICS, Metric, Weat, metric
from fairvec.results import (
    HARMFUL,
    CategoryAnswer,
    ChangeKind,
    Outcome,
    Result,
    Skipped,
    as_jsonl,
    to_row,
)
from fairvec.results.verdicts import effect_magnitude
from fairvec.stats import Limits
from tests import toys
from tests.experiments.toys import Drawn, embedding, outcomes_of, suite_of

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
quick = settings(deadline=None, max_examples=40)


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
    outcomes = run(Plan((Audit(embedding, selected(suite)),)))
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
def test_a_verdict_does_not_depend_on_what_else_was_asked(
    tests: list[tuple[list[int], int, str]],
    others: list[tuple[list[int], int, str]],
    points: np.ndarray[Any, Any],
) -> None:
    suite = suite_of_runs(tests)
    other = suite_of_runs(others).model_copy(update={"id": "other"})
    embedding = Embedding(WORDS, points)
    alone = run(Plan((Audit(embedding, selected(suite)),)))
    among = run(Plan((Audit(embedding, (*selected(other), *selected(suite))),)))
    beside = Embedding(WORDS, points[::-1], name="beside")
    audits = (Audit(beside, selected(suite)), Audit(embedding, selected(suite)))
    for again in (among[len(others) :], run(Plan(audits))[len(tests) :]):
        for one, same in zip(alone, again, strict=True):
            if isinstance(one, Result):
                assert isinstance(same, Result)
                assert (one.verdict, one.family) == (same.verdict, same.family)
    # Another kind of test is another family.
    bias = [each for each in selected(suite) if each.test.kind == "bias"]
    if bias:
        apart = run(Plan((Audit(embedding, tuple(bias)),)))
        kept = [one for one in alone if one.test.kind == "bias"]
        assert [getattr(o, "verdict", o) for o in apart] == [getattr(o, "verdict", o) for o in kept]


@pytest.mark.parametrize(("sizes", "tests"), [((3, 7), 6), ((2, 14), 6), ((1, 19), 1), ((4, 4), 1)])
def test_a_smallest_p_that_equals_its_level_can_be_decided(
    sizes: tuple[int, int], tests: int
) -> None:
    suite = suite_of_runs([([*sizes, 3, 3], seed, "bias") for seed in range(tests)])
    statistics = Statistics(smallest_coverage=0.0)
    for outcome in run(
        Plan((Audit(Embedding(WORDS, _vectors(2, "normal")), selected(suite)),), statistics)
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
        outcomes = run(Plan((Audit(embedding, selected(suite), weat),)))
    assert [one.status for one in outcomes] == ["measured", "skipped", "measured"]
    failed = outcomes[1]
    assert isinstance(failed, Skipped)
    assert failed.cause == "error"
    said = "memory" if isinstance(error, MemoryError) else f"fault of fairvec.*{error}.*report it"
    assert re.search(said, failed.reason)


@pytest.mark.parametrize("asked", METRICS, ids=lambda one: one.name)
def test_every_metric_ends_in_records_on_odd_lists(asked: Metric) -> None:
    odd = [[3, 7, 1, 1], [2, 14, 3, 3], [1, 1, 1, 1], [14, 14, 14, 14], [10, 10, 2, 9]]
    suite = suite_of_runs([(counts, seed, "bias") for seed, counts in enumerate(odd)])
    same = suite.tests[3].model_copy(
        update={"sets": {**suite.tests[3].sets, "y": suite.tests[3].sets["x"]}}
    )
    tests = (*selected(suite), SelectedTest(suite, same))
    for kind in ("normal", "alike", "signs"):
        embedding = Embedding(WORDS, _vectors(3, kind))
        statistics = Statistics(resamples=200)
        outcomes = run(Plan((Audit(embedding, tests, asked),), statistics))
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


def asked(of: Sequence[Embedding], suite: Suite, seed: int = 0) -> list[Outcome]:
    """Everything that an audit says of these models, the answers by category behind the tests."""
    tests = tuple(SelectedTest(suite, test) for test in suite.tests)
    statistics = Statistics(smallest_coverage=0.0, seed=seed)
    found = run(Plan(tuple(Audit(model, tests, Weat()) for model in of), statistics))
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
    found, turned = (answers_of(asked([of], each)) for each in (suite, swapped(suite, roles)))
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
def test_order_other_models_and_a_seed_decide_nothing(
    suite: Suite, of: Embedding, beside: Embedding
) -> None:
    other = beside.named("beside")
    found = answers_of(asked([of], suite))
    backwards = suite.model_copy(update={"tests": suite.tests[::-1]})
    for test, one in answers_of(asked([of], backwards)).items():
        assert (one.p, one.interval, one.verdict.kind) == (
            found[test].p,
            found[test].interval,
            found[test].verdict.kind,
        )
    both = asked([other, of], suite)
    mine = [one for one in both if one.model.name == of.name]
    assert answers_of(mine) == found
    for test, one in answers_of(asked([of], suite, seed=7)).items():
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
        assert [said.partition(" (")[0] for said in answer.left_out] == out
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
    decided = [one.p.value for one in answers if one.p_holm is not None]
    for one in answers:
        p, verdict = one.p.value, one.verdict
        assert (one.p.sides, verdict.p, verdict.p_holm) == ("two", p, one.p_holm)
        if one.interval:
            assert one.interval.low <= one.effect + 1e-9
            assert one.interval.high >= one.effect - 1e-9
            assert (one.interval.low <= 0 <= one.interval.high) is not is_significant(p, 0.05)
        assert one.family == len(decided)
        assert (one.p_holm is None) == (verdict.kind == "too-few-words")
        assert (one.p_holm is None) == (len(answers) * one.p.smallest > 0.05 * (1 + 1e-12))
        if one.p_holm is not None:
            # Holm by its definition: the largest of m p, (m - 1) p, ... up to one's own.
            ranked = enumerate(sorted(decided))
            steps = [(len(decided) - rank) * each for rank, each in ranked if each <= p]
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


@quick
@given(drawn_categories, models_categories)
def test_a_category_of_one_test_is_that_test(test: Drawn, of: Embedding) -> None:
    outcomes = outcomes_of(suite_of(test), of=of)
    answers = answered(outcomes)
    results = [one for one in outcomes if isinstance(one, Result) and one.test.kind == "bias"]
    assert len(answers) == len(results)
    for answer, result in zip(answers, results, strict=True):
        assert answer.effect == result.effect
        assert (answer.p, answer.interval) == (result.p, result.interval)
        assert (answer.between, answer.prediction) == (0.0, None)
        assert answer.tests[0].weight == 1
        # Alone in its suite and in its model, it is corrected over itself both times.
        assert answer.verdict.kind == result.verdict.kind


@quick
@given(suites_categories, suites_categories, models_categories)
def test_an_answer_depends_on_its_own_model_and_tests_alone(
    tests: list[Drawn], others: list[Drawn], of: Embedding
) -> None:
    outcomes = outcomes_of(suite_of(*tests), of=of)
    alone = answered(outcomes)
    beside = outcomes_of(suite_of(*others), of=embedding(1, name="beside"))
    harmless = [one for one in outcomes if one.test.kind == "bias"]
    assert category_answers([*outcomes, *alone, *outcomes], samples=499) == alone
    assert category_answers(harmless, samples=499) == alone
    among = category_answers([*beside, *outcomes], samples=499)
    assert [one for one in among if one.model.name == "drawn"] == alone


# --- What must hold for the word for every change: harm is named as readily as success ---


effects = st.floats(-2, 2)
facts = st.builds(
    Facts,
    effects,
    effects,
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.none() | st.tuples(effects, effects).map(lambda ends: Limits(*sorted(ends))),
)


def mirrored(kind: ChangeKind) -> ChangeKind:
    return MIRRORED.get(kind, kind)


def swapped_changes(one: Facts) -> Facts:
    ends = one.difference
    return Facts(
        one.after,
        one.before,
        one.evident_after,
        one.evident_before,
        one.proven,
        ends and Limits(-ends.high, -ends.low),
    )


@given(facts)
def test_swapping_before_and_after_mirrors_the_word(one: Facts) -> None:
    if abs(one.before) != abs(one.after):
        assert swapped_changes(one).kind() == mirrored(one.kind())


@given(facts)
def test_what_is_newly_significant_is_always_harm(one: Facts) -> None:
    if one.evident_after and (not one.evident_before or one.turned):
        assert one.kind() in HARMFUL
    if one.evident_after:
        assert one.kind() not in ("removed", "no-longer-evident", "no-evidence")


@given(facts)
def test_proof_is_asked_of_success_and_of_harm_alike(one: Facts) -> None:
    if not one.proven:
        assert one.kind() not in ("removed", "reduced", "increased", "introduced", "overshot")
    if one.kind() == "unchanged":
        assert one.difference is not None
        assert max(abs(one.difference.low), abs(one.difference.high)) <= MARGIN


def test_every_word_comes_up() -> None:
    values = (-1.0, -0.1, 0.05, 0.9)
    ends = (None, Limits(-0.05, 0.05))
    found = {
        Facts(before, after, was, is_now, proven, end).kind()
        for before, after, was, is_now, proven, end in product(
            values, values, (True, False), (True, False), (True, False), ends
        )
    }
    assert {*MIRRORED, *HARMFUL, "unchanged", "unclear", "no-evidence"} == found


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6), st.floats(0, 2), st.floats(-2, 2))
def test_two_runs_compared_both_ways_mirror_each_other(seed: int, one: float, other: float) -> None:
    suite = toys.suite()
    noise = np.random.default_rng(seed).normal(size=(18, 6)) * 0.3
    models = [toys.embedding(bias=bias, name=name) for bias, name in ((one, "a"), (other, "b"))]
    moved = models[1].moved_to(models[1].vectors + noise, Step("shake"))
    tests = (SelectedTest(suite, suite.tests[0]),)
    runs = [run(Plan((Audit(model, tests),))) for model in (models[0], moved)]
    (pair,), (back,) = compare(*runs).pairs, compare(*runs[::-1]).pairs
    assert back.change == mirrored(pair.change)


@settings(deadline=None, max_examples=25)
@given(
    st.floats(0.3, 0.6), st.sampled_from([0.001, 0.01, 0.05, 0.2]), st.sampled_from([0.01, 0.05])
)
def test_another_level_is_no_change_of_a_model(bias: float, one: float, other: float) -> None:
    """A p of .03 is significant in the one run and not in the other, and nothing happened."""
    suite = toys.suite()
    audits = (Audit(toys.embedding(bias), (SelectedTest(suite, suite.tests[0]),)),)
    runs = [run(Plan(audits, Statistics(alpha=level))) for level in (one, other)]
    for before, after in (runs, runs[::-1]):
        found = compare(before, after)
        assert {pair.change for pair in found.pairs} <= {"unchanged", "no-evidence", "no-answer"}
        assert {each.change for each in found.categories} <= {
            "unchanged",
            "no-evidence",
            "no-answer",
        }

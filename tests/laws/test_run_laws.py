"""Whatever lists a stranger brings, every test ends in a record, and none costs another its own."""

import re
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.format import is_significant
from fairvec.embedding import Embedding
from fairvec.experiments.audit.plan import Audit, Plan, Statistics
from fairvec.experiments.audit.run import run
from fairvec.lexicon import SelectedTest, Suite, parse_suite
from fairvec.metrics import METRICS, Metric, metric
from fairvec.results import Result, Skipped, as_jsonl

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


def suite_of(tests: list[tuple[list[int], int, str]]) -> Suite:
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
    suite = suite_of(tests)
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
    suite = suite_of(tests)
    other = suite_of(others).model_copy(update={"id": "other"})
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
    suite = suite_of([([*sizes, 3, 3], seed, "bias") for seed in range(tests)])
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
    suite = suite_of([([8, 8, 8, 8], seed, "bias") for seed in range(3)])
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
    suite = suite_of([(counts, seed, "bias") for seed, counts in enumerate(odd)])
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

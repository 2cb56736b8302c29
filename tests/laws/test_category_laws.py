"""Whatever tests a category has, its answer is one of them all, and agrees with itself."""

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.format import is_significant
from fairvec.embedding import Embedding
from fairvec.experiments.audit.categories import category_answers
from fairvec.results import CategoryAnswer, Outcome, Result, as_jsonl, to_row
from fairvec.results.verdicts import effect_magnitude
from tests.evaluation.categories.drawn_suites import Drawn, embedding, outcomes_of, suite_of

sizes = st.tuples(*[st.integers(1, 12)] * 4)
drawn = st.builds(
    Drawn,
    st.sampled_from(("gender", "race", "age")),
    sizes,
    st.integers(0, 10**6),
    st.sampled_from(("bias", "bias", "bias", "baseline")),
)
suites = st.lists(drawn, min_size=1, max_size=7)
models = st.builds(
    embedding, st.integers(0, 10**6), st.sampled_from(("normal", "small", "alike", "signs"))
)
quick = settings(deadline=None, max_examples=40)


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
@given(suites, models)
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
@given(suites, models)
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
@given(drawn, models)
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
@given(suites, suites, models)
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

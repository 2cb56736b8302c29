"""Categories before and after, over the tests that two runs share."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.embedding import Embedding, Step
from fairvec.experiments.audit.categories import category_answers
from fairvec.experiments.comparison.change_kinds import MIRRORED
from fairvec.experiments.comparison.compare import CategoryComparison, compare
from fairvec.lexicon.python_lists import UNNAMED
from fairvec.results import CategoryAnswer, Outcome, Result
from tests import toys
from tests.evaluation.categories.drawn_suites import Drawn, embedding, outcomes_of, suite_of
from tests.results.make import skipped

FEW = suite_of(Drawn(sizes=(3, 3, 4, 4), seed=1), Drawn(sizes=(3, 4, 4, 4), seed=2))
quick = settings(deadline=None, max_examples=20)


def changed(before: list[Outcome], after: list[Outcome]) -> tuple[CategoryComparison, ...]:
    return compare(before, after).categories


def moved(seed: int, by: float) -> Embedding:
    """The drawn model with every vector moved at random by so much."""
    before = embedding(0)
    step = np.random.default_rng(seed).normal(size=before.vectors.shape)
    return before.moved_to(before.vectors + by * step, Step("move")).named("moved")


def test_the_paired_p_is_that_of_every_swap_of_words() -> None:
    before, after = outcomes_of(FEW), outcomes_of(FEW, of=moved(1, 0.5))
    (one,) = changed(before, after)
    # By hand: a swapped word is swapped in every test that lists it, and d keeps its spreads.
    weights = [
        np.mean([a.weight, b.weight])
        for a, b in zip(one.before.tests, one.after.tests, strict=True)
    ]
    steps: dict[str, float] = {}
    for weight, was, is_now in zip(weights, before, after, strict=True):
        assert isinstance(was, Result)
        assert isinstance(is_now, Result)
        spreads = [np.std([word.score for word in each.words], ddof=1) for each in (was, is_now)]
        sizes = {role: sum(word.role == role for word in was.words) for role in "xy"}
        for old, new in zip(was.words, is_now.words, strict=True):
            sign = 1 if old.role == "x" else -1
            step = sign * (new.score / spreads[1] - old.score / spreads[0]) / sizes[old.role]
            steps[old.key] = steps.get(old.key, 0.0) + float(weight * step)
    parts = np.array([*steps.values()])
    assert len(parts) < sum(len(each.words) for each in before if isinstance(each, Result))
    assert one.effect_after - one.effect_before == pytest.approx(parts.sum())
    swaps = np.array([*product((1, -1), repeat=len(parts))]) @ parts
    extreme = np.abs(swaps) >= abs(parts.sum()) - 1e-9
    assert one.paired is not None
    assert one.paired.method == "exact"
    assert one.paired.value == pytest.approx(extreme.mean())


@quick
@given(st.integers(0, 10**6), st.floats(0.01, 3))
def test_swapping_the_runs_mirrors_the_change(seed: int, by: float) -> None:
    before, after = outcomes_of(FEW), outcomes_of(FEW, of=moved(seed, by))
    there, back = changed(before, after), changed(after, before)
    for one, other in zip(there, back, strict=True):
        assert other.change == MIRRORED.get(one.change, one.change)
        assert (one.effect_before, one.effect_after) == (other.effect_after, other.effect_before)
        assert one.paired is not None
        assert other.paired is not None
        assert one.paired.value == pytest.approx(other.paired.value)


def test_a_run_beside_itself_is_unchanged() -> None:
    suite = suite_of(
        Drawn(seed=1), Drawn(seed=2), Drawn("race", seed=3), Drawn("age", (2, 2, 4, 4))
    )
    outcomes = outcomes_of(suite)
    kinds = {one.after.test.category: one.change for one in changed(outcomes, outcomes)}
    assert kinds == {"gender": "no-evidence", "race": "no-evidence", "age": "no-answer"}
    for one in changed(outcomes, outcomes):
        assert one.paired is not None
        assert (one.paired.value, one.effect_before) == (1, one.effect_after)
        assert one.same_words


def test_only_what_both_runs_share_is_pooled() -> None:
    suite = suite_of(*(Drawn(seed=seed) for seed in range(4)), Drawn("race", seed=5))
    long, short = outcomes_of(suite), outcomes_of(suite)[:2]
    (one,) = changed([*long, *category_answers(long)], [*short, *category_answers(short)])
    (same,) = category_answers(short)
    assert isinstance(same, CategoryAnswer)
    assert (one.before, one.after) == (same, same)
    assert one.effect_before == pytest.approx(same.effect)


def test_a_test_without_an_answer_in_one_run_is_left_out_of_both_and_named() -> None:
    before = outcomes_of(suite_of(Drawn(seed=1), Drawn(seed=2), Drawn("race", seed=3)))
    alike = [
        skipped().model_copy(
            update={
                "cause": "no-spread",
                **{
                    name: getattr(one, name)
                    for name in ("test", "model", "described", "convention")
                },
            }
        )
        for one in (before[0], before[2])
    ]
    (one,) = changed(before, [alike[0], before[1], alike[1]])
    assert one.after.test.category == "gender"
    assert [test.test for test in one.before.tests] == ["s/t1"]
    assert one.before == one.after
    assert one.left_out == ("s/t0",)


def test_what_was_taken_out_is_gone() -> None:
    before = toys.embedding(1.0, name="before")
    flattened = before.vectors.copy()
    flattened[:, 0] *= 0.05
    after = before.moved_to(flattened, Step("debias")).named("after")
    (one,) = changed(*(outcomes_of(toys.suite(), of=model) for model in (before, after)))
    assert one.before.verdict.kind == "biased"
    assert one.change == "removed"
    assert abs(one.effect_after) < one.effect_before
    (found,) = compare(*(outcomes_of(toys.suite(), of=model) for model in (before, after))).pairs
    assert one.paired == found.paired  # of one test it is that test's own
    assert one.difference == found.difference


def asked_as(outcome: Outcome, **told: str) -> Outcome:
    """The outcome of a test that says something else of itself."""
    test = outcome.test.model_copy(update=told)
    return outcome.model_copy(update={"test": test})


@pytest.mark.parametrize(
    "told",
    [{"kind": "strange"}, {"category": "race"}, {"category": UNNAMED}, {"language": "hi"}],
    ids=str,
)
def test_a_test_of_another_category_in_the_other_run_is_in_none(told: dict[str, str]) -> None:
    run = outcomes_of(suite_of(Drawn(seed=1), Drawn(seed=2), Drawn("race", seed=3)))
    other = [asked_as(run[0], **told), *run[1:]]
    for before, after in ((run, other), (other, run)):
        pooled = {
            one.after.test.category: [
                [test.test for test in side.tests] for side in (one.before, one.after)
            ]
            for one in changed(before, after)
        }
        assert pooled == {"gender": [["s/t1"]] * 2, "race": [["s/t2"]] * 2}
        assert all(one.effect_before == one.effect_after for one in changed(before, after))


def test_own_lists_are_compared_and_not_pooled() -> None:
    run = [asked_as(one, category=UNNAMED) for one in outcomes_of(FEW)]
    assert len(compare(run, run).pairs) == 2
    assert changed(run, run) == ()


def test_settings_in_another_order_are_the_same_settings() -> None:
    run = outcomes_of(FEW)
    turned = []
    for one in run:
        assert one.described is not None
        settings = dict(reversed(one.described.settings.items()))
        assert [*settings] != [*one.described.settings]
        described = one.described.model_copy(update={"settings": settings})
        turned.append(one.model_copy(update={"described": described}))
    (pooled,) = changed([*run, *turned], turned)
    assert len(pooled.before.tests) == len(pooled.after.tests) == 2

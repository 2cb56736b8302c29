"""Which list is called X or A, and in which order things are asked, changes no verdict."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.embedding import Embedding
from fairvec.experiments.audit.categories import category_answers
from fairvec.experiments.audit.plan import Audit, Plan, Statistics
from fairvec.experiments.audit.run import run
from fairvec.lexicon import SelectedTest, Suite
from fairvec.metrics import Weat
from fairvec.results import CategoryAnswer, Outcome, Result
from tests.evaluation.categories.drawn_suites import Drawn, embedding, suite_of

SWAPS = (("x", "y"), ("a", "b"))
drawn = st.builds(
    Drawn,
    st.sampled_from(("gender", "race")),
    st.tuples(*[st.sampled_from((2, 3, 4, 7))] * 4),
    st.integers(0, 10**6),
)
suites = st.lists(drawn, min_size=1, max_size=4).map(lambda tests: suite_of(*tests))
models = st.builds(embedding, st.integers(0, 10**6), st.sampled_from(("normal", "alike", "signs")))
quick = settings(deadline=None, max_examples=6)


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
@quick
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


@quick
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

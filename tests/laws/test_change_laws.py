"""What must hold for the word for every change: harm is named as readily as success."""

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.embedding import Step
from fairvec.experiments.audit.plan import Audit, Plan, Statistics
from fairvec.experiments.audit.run import run
from fairvec.experiments.comparison.change_kinds import MARGIN, MIRRORED, Facts
from fairvec.experiments.comparison.compare import compare
from fairvec.lexicon import SelectedTest
from fairvec.results import HARMFUL, ChangeKind
from fairvec.stats import Limits
from tests import toys

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


def swapped(one: Facts) -> Facts:
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
        assert swapped(one).kind() == mirrored(one.kind())


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

"""The search for a convention asks for one figure, and gets what a whole run would say of it."""

from dataclasses import dataclass, replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairvec.embedding import Embedding
from fairvec.experiments.audit.inference import PValueCache
from fairvec.experiments.audit.plan import Plan, Statistics
from fairvec.experiments.audit.run import run
from fairvec.geometry import SIMILARITIES, Geometry
from fairvec.lexicon import Groups
from fairvec.metrics import EFFECT_SIZES, Score, TwoSamples
from fairvec.papers.measure import _audit, _compute_quantity, _run, _score_audit, quantity_value
from fairvec.papers.schema import Repeats
from fairvec.papers.variants import DebiasedColumn, FigureConvention, MetricVariant
from fairvec.stats import Sides, Ties, permutation_test
from tests.laws.test_stats_laws import law
from tests.papers.conftest import words_of

TESTS = ("malik2022/maths-arts", "malik2022-translated/science-arts", "malik2022/urban-rural")
WORDS = {test: words_of([test]) for test in TESTS}

choices = st.builds(
    FigureConvention,
    similarity=st.sampled_from([None, *(each.name for each in SIMILARITIES)]),
    effect_size=st.sampled_from([each.name for each in EFFECT_SIZES]),
    repeats=st.sampled_from(get_args(Repeats)),
    sides=st.sampled_from(get_args(Sides)),
    ties=st.sampled_from(get_args(Ties)),
)


def model(test: str, seed: int, lacking: float, alike: bool) -> DebiasedColumn:
    """A model of the words of a test, without some of them or with all in one place."""
    generator = np.random.default_rng(seed)
    known = [word for word in WORDS[test] if generator.random() >= lacking]
    vectors = generator.normal(size=(len(known), 5))
    embedding = Embedding(known, np.ones_like(vectors) if alike else vectors, name="small")
    return DebiasedColumn(embedding, embedding)


# The shared fixture that empties the cache need not do so for each example.
@settings(law, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    choices,
    st.sampled_from(TESTS),
    st.sampled_from(("weat", "seat", "mac", "ripa")),
    st.sampled_from(("d", "p", "%")),
    st.integers(0, 2**31),
    st.sampled_from((0.0, 0.0, 0.4, 0.9)),
    st.sampled_from((False, False, False, True)),
)
def test_one_figure_is_what_the_whole_run_says_of_it(
    chosen: FigureConvention,
    test: str,
    name: str,
    quantity: str,
    seed: int,
    lacking: float,
    alike: bool,
) -> None:
    column = model(test, seed, lacking, alike)
    audit = _audit(column, [test], name, chosen)
    (whole,) = _run(column, [test], name, chosen, PValueCache())
    assert _compute_quantity(
        quantity, _score_audit(audit), chosen, PValueCache()
    ) == quantity_value(whole, quantity)


@dataclass(frozen=True)
class Failing(MetricVariant):
    """A metric that stumbles over what it was not made for."""

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        raise ZeroDivisionError("nothing to divide by")


@pytest.mark.parametrize("quantity", ["d", "p", "%"])
def test_a_convention_that_cannot_be_tried_explains_nothing(quantity: str) -> None:
    chosen = FigureConvention()
    audit = _audit(model(TESTS[0], 0, 0.0, alike=False), [TESTS[0]], "weat", chosen)
    failing = replace(audit, metric=Failing(audit.metric))
    (whole,) = run(Plan((failing,), Statistics(interval="none")))
    assert quantity_value(whole, quantity) is None
    assert _compute_quantity(quantity, _score_audit(failing), chosen, PValueCache()) is None


@pytest.mark.parametrize(("each", "counts"), [(8, 6), (21, 1), (30, 6)])
def test_a_p_out_of_reach_is_not_counted(
    each: int, counts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a count is slow only bounds are taken, unless the count could be what is sought."""
    asked: list[tuple[int, str]] = []

    class Telling(PValueCache):
        def of(self, x, y, rules, **settings):  # type: ignore[no-untyped-def]
            asked.append((len(rules), settings["method"]))
            return super().of(x, y, rules, **settings)

    x, y = np.random.default_rng(0).normal(size=(2, each, 2))
    x[:, 0] += 0.5
    samples = TwoSamples(x, y, lambda rows: rows[:, 0], lambda a, b: a.mean() - b.mean())
    score, choices = Score(0.5, (), samples), FigureConvention(sides="greater", ties=">")
    usual = permutation_test(x[:, 0], y[:, 0], sides="greater", ties=">").value
    assert _compute_quantity("p", score, choices, Telling()) == usual
    slow = 40 <= 2 * each <= 50
    assert asked == ([(6, "certified")] if slow else []) + [(counts, "auto")]
    asked.clear()
    found = _compute_quantity("p", score, choices, Telling(), lambda low, high: low <= 0.9 <= high)
    assert found == (None if slow else usual)
    assert asked == [(6, "certified" if slow else "auto")]

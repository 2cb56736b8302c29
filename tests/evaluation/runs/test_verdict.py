import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fairvec.evaluation.runs.finding import Evidence
from fairvec.evaluation.runs.verdict import verdict
from fairvec.lexicon import resolve
from fairvec.results import PValue
from fairvec.stats import permutation_test
from tests import toys
from tests.laws.test_stats_laws import law

GROUPS = resolve(toys.suite().tests[0], toys.embedding())


def kind_of(evidence: Evidence, p_holm: float | None, alpha: float) -> str:
    said = verdict(
        1.0,
        evidence,
        GROUPS,
        p_holm=p_holm,
        alpha=alpha,
        family="bias tests of toy",
        asked=3,
        detectable=None,
    )
    assert (said.p, said.p_holm, said.alpha) == (evidence.p_two_sided.value, p_holm, alpha)
    return said.kind


@law
@given(
    st.lists(st.integers(0, 9), min_size=3, max_size=5),
    st.lists(st.integers(0, 9), min_size=3, max_size=5),
    st.floats(1e-9, 2),
)
def test_a_p_that_equals_the_level_is_significant_alone_and_corrected(
    x: list[int], y: list[int], more: float
) -> None:
    found = permutation_test(np.array(x, np.float64), np.array(y, np.float64))
    p = PValue.model_validate(found, from_attributes=True)
    evidence = Evidence((1.0, -1.0), p, p, (len(x), len(y)), 1.0)
    larger = p.value * (1 + more)
    assert kind_of(evidence, p.value, p.value) == "biased"
    assert kind_of(evidence, larger, larger) == "biased"
    assert kind_of(evidence, larger, p.value) == "inconclusive"
    assert kind_of(evidence, larger, p.value * (1 - 1e-9)) == "no-evidence"
    assert kind_of(evidence, None, p.value) == "too-few-words"

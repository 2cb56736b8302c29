"""The same numbers regrouped by the same rules are asked once."""

from itertools import product
from typing import get_args
from unittest import mock

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.experiments.audit import inference as p_values
from fairvec.experiments.audit.inference import PValueCache
from fairvec.geometry import FloatArray
from fairvec.stats import PMethod, Sides, Ties, permutation_test, permutation_tests

RULES = list(product(get_args(Sides), get_args(Ties)))
SCORES = st.lists(st.floats(-3, 3), min_size=1, max_size=5).map(np.array)


@settings(deadline=None)
@given(
    SCORES,
    SCORES,
    st.lists(st.sampled_from(RULES), max_size=8),
    st.sampled_from(get_args(PMethod)),
)
def test_p_values_asked_together_are_those_asked_one_by_one(
    x: FloatArray, y: FloatArray, rules: list[tuple[Sides, Ties]], method: PMethod
) -> None:
    with mock.patch(
        "fairvec.stats.permutation.certified_bounds.MOST_CELLS", 2**10
    ):  # coarse grids are quick
        together = permutation_tests(x, y, rules, method=method, samples=100)
        assert together == [
            permutation_test(x, y, sides=sides, ties=ties, method=method, samples=100)
            for sides, ties in rules
        ]


@settings(deadline=None)
@given(
    st.lists(st.tuples(SCORES, SCORES, st.lists(st.sampled_from(RULES), max_size=4)), max_size=5)
)
def test_nothing_is_computed_twice(
    asked: list[tuple[FloatArray, FloatArray, list[tuple[Sides, Ties]]]],
) -> None:
    known = PValueCache()
    computed: list[object] = []

    def counted(x: FloatArray, y: FloatArray, rules: list[tuple[Sides, Ties]], seed: int) -> object:
        computed.extend((x.tobytes(), y.tobytes(), each, seed) for each in rules)
        return permutation_tests(x, y, rules, seed=seed)

    with mock.patch.object(p_values, "permutation_tests", counted):
        for (x, y, rules), seed in product([*asked, *asked], (0, 1)):
            for (sides, ties), p in zip(rules, known.of(x, y, rules, seed=seed), strict=True):
                alone = permutation_test(x, y, sides=sides, ties=ties, seed=seed)
                assert (p.value, p.low, p.high) == (alone.value, alone.low, alone.high)
    assert len(computed) == len(set(computed))

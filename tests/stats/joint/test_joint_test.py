"""All regroupings of a few words by hand, and what must hold of any."""

import numpy as np
import pytest

from fairvec.stats import joint_test
from tests.stats.joint.flipping import drawn_lists, flipped, pooled

SHAPES = {
    "apart": [("abc", "def"), ("ghi", "jkl")],
    "one word shared": [("abc", "def"), ("agh", "ijk")],
    "one word on opposite sides": [("abc", "def"), ("ghi", "ajk")],
    "lists shared": [("abc", "def"), ("abc", "ghi"), ("def", "ghi")],
    "unequal lists": [("ab", "cdef"), ("abg", "ch"), ("ijk", "al")],
    "a list of one word": [("a", "bcdef"), ("ab", "ghi"), ("cg", "ja")],
    "a chain": [("ab", "cd"), ("ce", "fg"), ("fh", "ia")],
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_all_regroupings_are_counted(shape: str, seed: int) -> None:
    tests = drawn_lists(SHAPES[shape], seed, leaning=0.5)
    found = joint_test(tests)
    every = list(flipped(tests))
    own = np.array([1 / len(test.x) + 1 / len(test.y) for test in tests])
    effects = np.array([effects for _, effects in every])
    statistics = pooled(effects, own)
    assert not every[0][0]  # nobody changed side: what was observed
    assert found.effects == pytest.approx(effects[0], abs=1e-12)
    assert found.effect == pytest.approx(statistics[0], abs=1e-12)
    extreme = np.abs(statistics) >= abs(statistics[0]) - 1e-9
    assert found.p.partitions == len(every)
    assert found.p.method == "exact"
    assert found.p.value == pytest.approx(extreme.mean(), abs=1e-15)

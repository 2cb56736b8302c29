"""The pooled effect of shifted lists, beside pooling each regrouping by itself."""

import numpy as np
import pytest

from fairvec.stats import joint_test
from fairvec.stats.joint.random_effects import (
    CorrelatedRandomEffects,
    pooled_statistics,
    prediction,
    random_effects,
)
from fairvec.stats.joint.regroupings import JointRegroupings
from tests.stats.joint.flipping import drawn_lists, lists, pooled
from tests.stats.joint.test_joint_test import SHAPES


@pytest.mark.parametrize("shape", ["unequal lists", "a list of one word", "lists shared"])
@pytest.mark.parametrize("shift", [0.0, 0.7, -3.0])
def test_a_shift_moves_every_effect_by_what_it_carries(shape: str, shift: float) -> None:
    regroupings = JointRegroupings(drawn_lists(SHAPES[shape], 6, leaning=1))
    covariance = regroupings.covariance()
    every = regroupings.every()
    found = pooled_statistics(
        CorrelatedRandomEffects(regroupings.variances, covariance), [every]
    ).at(shift)
    moved = every.effects - shift * every.carried
    # Weights come from the words as they are; only what they are put to has moved.
    expected = pooled(moved.T, regroupings.variances, covariance)
    assert found == pytest.approx(expected, abs=1e-10)


def test_independent_tests_are_pooled_as_independent_studies() -> None:
    tests = drawn_lists([("abcd", "efgh"), ("ij", "klm"), ("nopq", "rst")], 2, leaning=1)
    found = joint_test(tests)
    own = np.array([1 / len(test.x) + 1 / len(test.y) for test in tests])
    expected = random_effects(found.effects, own)
    assert found.effect == pytest.approx(float(expected.effect))
    assert found.between**2 == pytest.approx(float(expected.between))
    assert found.error == pytest.approx(float(expected.error))


def test_tests_that_disagree_differ_by_more_than_chance() -> None:
    up, down = [8, 9, 10, 11], [1, 2, 3, 4]
    tests = [
        lists("abcd", "efgh", up, down),
        lists("ijkl", "mnop", down, up),
        lists("qrst", "uvwx", up, down),
    ]
    found = joint_test(tests, samples=99)
    assert found.between > 1
    assert 0.5 < found.inconsistency < 1
    assert found.error > joint_test([tests[0], tests[2]]).error


def test_an_effect_that_no_draw_reaches_has_the_smallest_p_of_so_many() -> None:
    words = [f"w{at}" for at in range(80)]
    high, low = 5 + np.arange(20) / 10, np.arange(20) / 10
    tests = [
        lists(words[:20], words[20:40], high, low),
        lists(words[10:30], words[40:60], high, low),
    ]
    found = joint_test(tests, samples=99)
    assert found.p.value == 1 / 100
    assert found.p.low == 0
    assert found.interval
    assert found.interval.low > 0


def test_a_prediction_is_as_wide_as_students_t_says() -> None:
    low, high = prediction(0.5, 0.3, 0.16, tests=4, level=0.95)
    assert high - 0.5 == pytest.approx(4.302653 * 0.5, abs=1e-5)
    assert 0.5 - low == pytest.approx(high - 0.5)

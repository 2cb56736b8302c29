"""Words on both sides, words listed twice, what cannot be pooled, and one test alone."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import NoSpreadError, SettingError
from fairvec.experiments.audit.inference import infer
from fairvec.experiments.audit.plan import Statistics
from fairvec.metrics import Score, TwoSamples, effect_size
from fairvec.metrics.bias.weat import leanings
from fairvec.stats import ScoredLists, joint_test, permutation_test
from fairvec.stats.joint.joint_test import joint_p_and_limits
from fairvec.stats.joint.random_effects import CorrelatedRandomEffects
from fairvec.stats.joint.regroupings import JointRegroupings
from tests.stats.brute_force import kept_shifts
from tests.stats.joint.flipping import drawn_lists, flipped, lists
from tests.stats.joint.test_joint_test import SHAPES


def test_the_same_words_on_both_sides_show_nothing() -> None:
    alone = lists("abc", "abc", [1, 2, 4], [1, 2, 4])
    beside = lists("adef", "ghij", [3, 1, 4, 2], [-1, 0, 2, 1])
    assert joint_test([alone]).p.value == 1
    found = joint_test([alone, beside])
    assert found.effects[0] == pytest.approx(0)
    assert found.p.method == "exact"


def test_a_word_on_both_sides_is_two_units() -> None:
    """Either side of it is linked to its own side elsewhere: 6 * 6 splits, halved by the link."""
    tests = [lists("ab", "ac", [1, 2], [1, 4]), lists("ad", "ef", [3, 1], [0, 2])]
    assert JointRegroupings(tests).labellings == 2 * 3 * 3


def test_the_second_listing_of_a_word_is_a_unit_of_its_own() -> None:
    twice = lists("aab", "cde", [1, 1, 3], [0, 2, 4])
    assert joint_test([twice]).p == permutation_test(np.array([1, 1, 3]), np.array([0, 2, 4]))
    again = lists("aaf", "ghi", [5, 5, 2], [1, 0, 3])
    # Both listings are linked: of four words that either test has alone, two move with them.
    assert JointRegroupings([twice, again]).labellings == sum(
        ways * comb_of_four[3 - labels] ** 2
        for labels, ways in enumerate((1, 2, 1))
        for comb_of_four in [(1, 4, 6, 4)]
    )


def test_tests_that_take_each_other_back_show_nothing() -> None:
    test = lists("abcd", "efgh", [3, 5, 4, 6], [1, 0, 2, 1])
    back = lists("efgh", "abcd", [3, 5, 4, 6], [1, 0, 2, 1])
    opposed = lists("abcd", "efgh", [-3, -5, -4, -6], [-1, 0, -2, -1])
    found = joint_test([test, opposed])
    assert found.effect == pytest.approx(0)
    assert found.p.value == 1
    assert found.between > 1
    assert found.interval is None  # no shift of these words changes their pooled effect
    assert joint_test([test, back]).p.method == "exact"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", ["lists shared", "one word on opposite sides", "a chain"])
def test_shifts_are_kept_as_every_regrouping_says(shape: str, seed: int) -> None:
    """Tests of one size have fixed weights, so that the ends are those of a linear statistic."""
    tests = drawn_lists(SHAPES[shape], seed, leaning=1)
    regroupings = JointRegroupings(tests)
    pooling = CorrelatedRandomEffects(regroupings.variances, regroupings.covariance())
    weights = pooling.weights(0.0)
    effect = float(weights @ regroupings.observed())
    level = 0.7
    found = joint_p_and_limits(regroupings, pooling, effect, level, samples=1, seed=0).shifts
    assert found
    every = []
    for away, effects in flipped(tests):
        moved = [
            len(away.intersection(test.x)) * (1 / len(test.x) + 1 / len(test.y)) for test in tests
        ]
        share = 1 - float(weights @ np.array(moved))
        every.append((Fraction(float(weights @ np.array(effects))), Fraction(round(share, 12))))
    kept = kept_shifts(every, Fraction(3, 10))
    assert kept
    assert found.low == pytest.approx(float(kept[0]), abs=1e-6)
    assert found.high == pytest.approx(float(kept[1]), abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 9), st.integers(2, 9), st.floats(-2, 2))
def test_one_test_has_its_own_interval(seed: int, nx: int, ny: int, apart: float) -> None:
    generator = np.random.default_rng(seed)
    x, y = generator.normal(apart, 1, nx), generator.normal(0, 1, ny)
    of_x, of_y = (np.column_stack([each, np.zeros(len(each))]) for each in (x, y))
    samples = TwoSamples(of_x, of_y, leanings, effect_size("caliskan"))
    own = infer(Score(0.0, (), samples), Statistics()).steadiness.interval
    found = joint_test([lists("abcdefghi"[:nx], "rstuvwxyz"[:ny], x, y)]).interval
    assert own
    assert found
    assert found.low == pytest.approx(own.low, abs=1e-5)
    assert found.high == pytest.approx(own.high, abs=1e-5)


def test_tests_without_words_in_common_are_regrouped_apart() -> None:
    tests = drawn_lists([("abcd", "efgh"), ("ijkl", "mnop")], 3, leaning=1)
    found = joint_test(tests)
    assert found.p.partitions == 70 * 70
    assert found.weights == pytest.approx([0.5, 0.5])
    assert found.error**2 == pytest.approx((0.5 + found.between**2) / 2)


def test_three_tests_have_a_prediction_that_holds_the_effect() -> None:
    two = drawn_lists([("abcd", "efgh"), ("ijkl", "mnop")], 3, leaning=1)
    three = [*two, *drawn_lists([("abij", "efmn")], 4)]
    assert joint_test(two).prediction is None
    found = joint_test(three)
    assert found.prediction
    assert found.prediction.low <= found.effect <= found.prediction.high


def test_a_sampled_p_says_how_sure_it_is_and_is_near_the_exact_one() -> None:
    words = [f"w{at}" for at in range(34)]
    generator = np.random.default_rng(0)
    x, y = generator.normal(0.6, 1, 17), generator.normal(0, 1, 17)
    one = lists(words[:17], words[17:], x, y)
    # A second test with one word of its own: nearly the first, and no longer the same words.
    other = lists([*words[:16], "v"], words[17:], x, y)
    found = joint_test([one, other], samples=20_000)
    exact = permutation_test(x, y)
    assert found.p.method == "sampled"
    assert found.p.samples == 20_000
    assert found.p.standard_error
    assert found.p.low <= found.p.value <= found.p.high
    assert found.p.value == pytest.approx(exact.value, abs=0.25 * exact.value)
    assert joint_test([one, other], samples=20_000).p == found.p


def test_no_interval_is_sought_that_nobody_asked_for() -> None:
    tests = drawn_lists(SHAPES["lists shared"], 0)
    for some in (tests, tests[:1]):
        found = joint_test(some, interval=False)
        assert found.interval is None
        assert found.p == joint_test(some).p


def test_what_cannot_be_pooled_is_refused() -> None:
    fine = lists("ab", "cd", [1, 2], [3, 4])
    with pytest.raises(NoSpreadError, match="Test 2 of those to pool"):
        joint_test([fine, lists("ab", "cd", [1, 1], [1, 1])])
    with pytest.raises(SettingError, match="one score a word"):
        joint_test([lists("abc", "cd", [1, 1], [1, 2])])
    with pytest.raises(SettingError, match="not finite"):
        joint_test([fine, lists("ab", "cd", [1, np.nan], [1, 2])])
    with pytest.raises(SettingError, match="non-empty"):
        joint_test([lists("ab", "", [1, 2], [])])
    for wrong in ({"samples": 0}, {"level": 1.0}, {"level": 0.0}):
        with pytest.raises(SettingError, match="at least one test"):
            joint_test([fine, fine], **wrong)
    with pytest.raises(SettingError, match="at least one test"):
        joint_test([])


def test_so_few_words_reject_nothing() -> None:
    tests = [lists("a", "b", [1], [2]), ScoredLists(("a",), ("c",), np.ones(1), np.zeros(1))]
    found = joint_test(tests)
    assert found.p.value == found.p.smallest == 1
    assert found.interval
    assert found.interval.high == pytest.approx(np.sqrt(2))
    assert found.interval.low == pytest.approx(-np.sqrt(2))

"""The joint test of a category, and random effects."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import erfc, isclose, sqrt

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fairvec.core.errors import NoSpreadError, SettingError
from fairvec.core.format import is_significant
from fairvec.experiments.audit.inference import infer
from fairvec.experiments.audit.plan import Statistics
from fairvec.geometry import FloatArray
from fairvec.metrics import Score, TwoSamples, effect_size
from fairvec.metrics.bias.weat import leanings
from fairvec.stats import (
    JointResult,
    ScoredLists,
    difference_interval,
    joint_test,
    permutation_test,
)
from fairvec.stats.joint.joint_test import joint_difference_test, joint_p_and_limits
from fairvec.stats.joint.random_effects import (
    CorrelatedRandomEffects,
    pooled_statistics,
    prediction,
    random_effects,
)
from fairvec.stats.joint.regroupings import JointRegroupings
from tests.loops import loop_over
from tests.stats.brute_force import drawn_lists, flipped, kept_shifts, lists, pooled
from tests.stats.joint.shapes import SHAPES
from tests.toys import limits_of

# --- All regroupings of a few words by hand, and what must hold of any ---


@loop_over("shape", SHAPES)
@loop_over("seed", range(4))
@loop_over("scales", [(1.0, 1.0, 1.0), (0.7, 1.1, 0.9)])
def test_all_regroupings_are_counted(shape: str, seed: int, scales: tuple[float, ...]) -> None:
    tests = [
        replace(test, scale=scale)
        for test, scale in zip(drawn_lists(SHAPES[shape], seed, leaning=0.5), scales, strict=False)
    ]
    found = joint_test(tests)
    every = list(flipped(tests))
    scale = np.array([test.scale for test in tests])
    own = scale**2 * np.array([1 / len(test.x) + 1 / len(test.y) for test in tests])
    effects = np.array([effects for _, effects in every]) * scale
    statistics = pooled(effects, own)
    assert not every[0][0]  # nobody changed side: what was observed
    assert found.effects == pytest.approx(effects[0], abs=1e-12)
    assert found.effect == pytest.approx(statistics[0], abs=1e-12)
    extreme = np.abs(statistics) >= abs(statistics[0]) - 1e-9
    assert found.p.partitions == len(every)
    assert found.p.method == "exact"
    assert found.p.value == pytest.approx(extreme.mean(), abs=1e-15)


@loop_over("shape", SHAPES)
@loop_over("seed", range(3))
def test_all_regroupings_of_a_sum_of_differences_are_counted(shape: str, seed: int) -> None:
    tests = drawn_lists(SHAPES[shape], seed, leaning=0.5)
    weights = np.full(len(tests), 1 / len(tests))
    found = joint_difference_test(tests, weights)
    sums = _sums_of_differences(tests)
    assert found.value == pytest.approx(sums[0], abs=1e-12)
    assert found.p.method == "exact"
    assert found.p.value == pytest.approx((np.abs(sums) >= abs(sums[0]) - 1e-9).mean(), abs=1e-15)


@pytest.mark.parametrize("shape", ["apart", "lists shared", "unequal lists"])
@pytest.mark.parametrize("seed", range(3))
def test_the_interval_of_a_sum_has_the_shifts_that_are_not_rejected(shape: str, seed: int) -> None:
    tests = drawn_lists(SHAPES[shape], seed, leaning=1.5)
    weights = np.arange(1, len(tests) + 1) / sum(range(1, len(tests) + 1))
    ends = limits_of(joint_difference_test(tests, weights).interval)
    assert np.isfinite([ends.low, ends.high]).all()
    for end, outwards in ((ends.low, -1), (ends.high, 1)):
        for step, kept in ((-1e-6, True), (1e-6, False)):
            shift = end + outwards * step
            less = [
                replace(test, x_scores=test.x_scores - weight * shift)
                for test, weight in zip(tests, weights, strict=True)
            ]
            sums = _sums_of_differences(less)
            p = (np.abs(sums) >= abs(sums[0]) - 1e-9).mean()
            assert is_significant(float(p), 0.05) is not kept


@pytest.mark.parametrize(("nx", "ny"), [(3, 6), (6, 4), (5, 5)])
def test_of_one_test_the_sum_is_its_own_difference(nx: int, ny: int) -> None:
    (test,) = drawn_lists([("abcdef"[:nx], "rstuvw"[:ny])], 2, leaning=1.0)
    found = joint_difference_test([test], np.ones(1))
    p = permutation_test(test.x_scores, test.y_scores)
    own = difference_interval(test.x_scores, test.y_scores, p=p)
    assert found.value == pytest.approx(test.x_scores.mean() - test.y_scores.mean())
    assert found.p == p
    assert limits_of(found.interval) == pytest.approx(limits_of(own))


def test_words_that_share_a_score_add_nothing_to_a_sum() -> None:
    """A test that did not change, or by one offset, is no difference and carries its shift."""
    leaning, alike = drawn_lists([("abcd", "efgh"), ("abij", "efkl")], 1, leaning=1.0)
    alike = replace(alike, x_scores=np.full(4, 3.0), y_scores=np.full(4, 3.0))
    found = joint_difference_test([leaning, alike], np.array([0.5, 0.5]))
    sums = _sums_of_differences([leaning, alike])
    assert found.value == pytest.approx(sums[0])
    assert found.p.value == pytest.approx((np.abs(sums) >= abs(sums[0]) - 1e-9).mean())
    nothing = joint_difference_test([alike, alike], np.array([0.5, 0.5]))
    assert (nothing.value, nothing.p.value) == (0.0, 1.0)
    assert limits_of(nothing.interval) == (0.0, 0.0)


def _sums_of_differences(tests: Sequence[ScoredLists]) -> FloatArray:
    """The sum of mean(X) - mean(Y) in every regrouping, the observed one first."""
    return np.array(
        [
            sum(
                test_scores[is_x].mean() - test_scores[~is_x].mean()
                for test_scores, is_x in _sides_without(tests, away)
            )
            for away in (away for away, _ in flipped([_apart(test) for test in tests]))
        ]
    )


def _apart(test: ScoredLists) -> ScoredLists:
    """The same words with scores that differ, so that every regrouping has a d."""
    return replace(
        test, x_scores=np.arange(len(test.x), dtype=np.float64), y_scores=-np.ones(len(test.y))
    )


def _sides_without(
    tests: Sequence[ScoredLists], away: frozenset[str]
) -> Iterator[tuple[FloatArray, NDArray[np.bool_]]]:
    for test in tests:
        is_x = [word not in away for word in test.x] + [word in away for word in test.y]
        yield np.concatenate([test.x_scores, test.y_scores]), np.array(is_x)


# --- Words on both sides, words listed twice, what cannot be pooled, and one test alone ---


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
    own = infer(Score(0.0, (), samples), Statistics()).interval
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
    assert found.error
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


# --- What holds of any tests that are pooled ---


WORDS = "abcdefghijkl"
SCORES = st.integers(-20, 20).map(lambda whole: whole / 4)


@st.composite
def one_test(draw: st.DrawFn, most: int = 4) -> ScoredLists:
    """Lists of distinct words, on either side, that do not all lean alike."""
    words = draw(st.permutations(WORDS))
    nx, ny = draw(st.integers(1, most)), draw(st.integers(1, most))
    scores = draw(
        st.lists(SCORES, min_size=nx + ny, max_size=nx + ny).filter(lambda own: len({*own}) > 1)
    )
    return lists(words[:nx], words[nx : nx + ny], scores[:nx], scores[nx:])


SEVERAL = st.lists(one_test(), min_size=1, max_size=4)
SCALED = st.lists(
    st.builds(
        lambda test, scale: replace(test, scale=scale),
        one_test(),
        st.sampled_from((0.5, 0.8, 1.0, 1.05)),
    ),
    min_size=1,
    max_size=4,
)


def swapped(test: ScoredLists) -> ScoredLists:
    return lists(test.y, test.x, test.y_scores, test.x_scores)


def alike(one: float, other: float) -> bool:
    return isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)


def takes_back(found: JointResult) -> bool:
    """Whether the tests take each other back in every regrouping: no shift of X is an effect."""
    if found.interval:
        return False
    assert alike(found.effect, 0)
    assert found.p.value == 1
    return True


def zero_inside(found: JointResult) -> bool:
    assert found.interval
    return found.interval.low <= 0 <= found.interval.high


@given(SEVERAL, st.sampled_from((0.5, 0.8, 1.05)))
def test_a_common_scale_scales_the_effect_alone(tests: list[ScoredLists], scale: float) -> None:
    """What all tests divide by is a unit: p, weights and I squared are those of d."""
    plain, scaled = joint_test(tests), joint_test([replace(test, scale=scale) for test in tests])
    assert alike(scaled.effect, scale * plain.effect)
    assert alike(scaled.between, scale * plain.between)
    assert scaled.weights == pytest.approx(plain.weights)
    assert alike(scaled.p.value, plain.p.value)


@given(SEVERAL | SCALED)
def test_p_and_interval_agree(tests: list[ScoredLists]) -> None:
    for level in (0.95, 0.6):
        found = joint_test(tests, level=level, samples=499)
        if takes_back(found):
            continue
        assert zero_inside(found) is not is_significant(found.p.value, 1 - level)
        assert found.interval
        assert found.interval.low <= found.effect + 1e-9
        assert found.effect - 1e-9 <= found.interval.high
        largest = max(
            max(t.scale, 1) * (len(t.x) + len(t.y)) / np.sqrt(len(t.x) * len(t.y)) for t in tests
        )
        assert max(-found.interval.low, found.interval.high) <= largest


@given(SEVERAL)
def test_the_other_side_everywhere_mirrors_the_answer(tests: list[ScoredLists]) -> None:
    found, mirror = joint_test(tests), joint_test([swapped(test) for test in tests])
    assert alike(mirror.effect, -found.effect)
    assert alike(mirror.between, found.between)
    if found.p.method == "exact":
        assert alike(mirror.p.value, found.p.value)
        assert takes_back(mirror) is takes_back(found)
        if takes_back(found):
            return
        assert found.interval
        assert mirror.interval
        assert alike(mirror.interval.low, -found.interval.high)
        assert alike(mirror.interval.high, -found.interval.low)


@given(SEVERAL, st.data())
def test_the_order_of_tests_and_words_does_not_matter(
    tests: list[ScoredLists], data: st.DataObject
) -> None:
    shuffled = []
    for at in data.draw(st.permutations(range(len(tests)))):
        test = tests[at]
        x = data.draw(st.permutations(range(len(test.x))))
        y = data.draw(st.permutations(range(len(test.y))))
        shuffled.append(
            lists(
                [test.x[word] for word in x],
                [test.y[word] for word in y],
                test.x_scores[list(x)],
                test.y_scores[list(y)],
            )
        )
    found, other = joint_test(tests), joint_test(shuffled)
    assert alike(found.effect, other.effect)
    assert found.p.partitions == other.p.partitions
    assert found.p.method == other.p.method
    if found.p.method == "exact":
        assert alike(found.p.value, other.p.value)


@given(one_test(most=6))
def test_one_test_has_its_own_p(test: ScoredLists) -> None:
    found = joint_test([test])
    assert found.p == permutation_test(test.x_scores, test.y_scores)
    assert found.between == found.inconsistency == 0
    assert found.weights == pytest.approx([1])


@given(one_test(most=6), st.integers(2, 5), st.lists(st.booleans(), min_size=5, max_size=5))
def test_copies_of_a_test_are_that_test(test: ScoredLists, copies: int, scaled: list[bool]) -> None:
    """Scores in another unit are the same scores."""
    several = [
        replace(test, x_scores=8 * test.x_scores, y_scores=8 * test.y_scores) if other else test
        for other in scaled[:copies]
    ]
    one, found = joint_test([test]), joint_test(several)
    assert alike(found.effect, one.effect)
    assert alike(found.between, 0)
    assert found.p == one.p
    assert found.interval
    assert one.interval
    assert alike(found.interval.low, one.interval.low)
    assert alike(found.interval.high, one.interval.high)


@given(one_test(), one_test())
def test_a_copy_beside_another_test_adds_no_weight(one: ScoredLists, other: ScoredLists) -> None:
    apart = lists(
        [word.upper() for word in other.x],
        [word.upper() for word in other.y],
        other.x_scores,
        other.y_scores,
    )
    twice = joint_test([one, one, apart]).weights
    own = np.array([1 / len(test.x) + 1 / len(test.y) for test in (one, apart)])
    between = joint_test([one, one, apart]).between ** 2
    expected = 1 / (own + between)
    assert twice[0] + twice[1] == pytest.approx(expected[0] / expected.sum())


# --- The pooled effect of shifted lists, beside pooling each regrouping by itself ---


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
    expected = random_effects(np.array(found.effects), own)
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
    alike = joint_test([tests[0], tests[2]]).error
    assert found.error
    assert alike
    assert found.error > alike


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


# --- Random effects against a worked example and a few independent lines ---


def test_by_hand_studies_that_disagree() -> None:
    # W = 4, 1; the weighted mean is 0.4 * 4/5 + 2.4 / 5 = 0.8; Q = 4 * 0.16 + 2.56 = 3.2; df = 1;
    # C = 5 - 17/5 = 1.6; tau^2 = 2.2/1.6 = 1.375; v = 1/1.625, 1/2.375.
    found = random_effects(np.array([0.4, 2.4]), np.array([0.25, 1.0]))
    one, other = 1 / 1.625, 1 / 2.375
    assert found.between == pytest.approx(1.375)
    assert found.effect == pytest.approx((0.4 * one + 2.4 * other) / (one + other))
    assert found.error == pytest.approx((one + other) ** -0.5)


def test_by_hand_studies_that_agree() -> None:
    # Q = 4 * 0.01 + 0.16 = 0.2 is below df = 1, so the weights are 4 and 1.
    found = random_effects(np.array([0.4, 0.9]), np.array([0.25, 1.0]))
    assert found == pytest.approx((0.5, 5**-0.5, 0.0))
    assert found.p_above == pytest.approx(erfc(0.5 * sqrt(5) / sqrt(2)) / 2)
    assert found.p_either == pytest.approx(2 * found.p_above)


studies = st.lists(st.tuples(st.floats(-2, 2), st.floats(0.01, 4)), min_size=2, max_size=30)


@given(studies)
def test_it_is_what_the_formulas_say(given: list[tuple[float, float]]) -> None:
    d, v = ([one[part] for one in given] for part in (0, 1))
    w = [1 / each for each in v]
    q = sum(a * b * b for a, b in zip(w, d, strict=True))
    q -= sum(a * b for a, b in zip(w, d, strict=True)) ** 2 / sum(w)
    c = sum(w) - sum(a * a for a in w) / sum(w)
    tau = (q - len(d) + 1) / c if q > len(d) - 1 else 0.0
    shares = [1 / (each + tau) for each in v]
    found = random_effects(np.array(d), np.array(v))
    joint = sum(a * b for a, b in zip(shares, d, strict=True)) / sum(shares)
    assert found == pytest.approx((joint, sum(shares) ** -0.5, tau), rel=1e-6, abs=1e-6)


@given(
    st.lists(st.tuples(st.floats(-2, 2), st.integers(-130, 4)), min_size=2, max_size=9).filter(
        lambda given: len({d for d, _ in given}) > 1
    )
)
@example([(0.0, -120), (1.0, 0)])
@example([(0.3, -120), (1.0, 0), (1.0, 0), (0.9, -1)])
def test_one_study_may_outweigh_all_others(given: list[tuple[float, int]]) -> None:
    """In whole fractions: a variance of 2^-120 beside one of 1 leaves nothing to round away."""
    d = [Fraction(each) for each, _ in given]
    w = [1 / Fraction(2.0**exponent) for _, exponent in given]
    none = Fraction(0)
    total, squares = sum(w, none), sum((a * a for a in w), none)
    joint = sum((a * b for a, b in zip(w, d, strict=True)), none)
    q = sum((a * b * b for a, b in zip(w, d, strict=True)), none) - joint * joint / total
    tau = max(none, q - len(d) + 1) / (total - squares / total)
    found = random_effects(
        np.array([each for each, _ in given]), 2.0 ** np.array([each for _, each in given])
    )
    assert found.between == pytest.approx(float(tau), rel=1e-9, abs=1e-9)


@given(studies, st.randoms(use_true_random=False))
def test_order_does_not_matter_signs_turn_and_batches_agree(
    given: list[tuple[float, float]], order: object
) -> None:
    d, v = np.array(given).T
    shuffled = [*given]
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    found = random_effects(d, v)
    assert random_effects(*np.array(shuffled).T) == pytest.approx([*found], rel=1e-6, abs=1e-9)
    turned = random_effects(np.array([-d, d]), np.array([v, v]))
    assert turned.effect == pytest.approx([-found.effect, found.effect])
    assert turned.error == pytest.approx([found.error] * 2)


def test_a_study_without_variance_has_no_weight_to_give() -> None:
    assert np.isnan(random_effects(np.array([1.0, 2.0]), np.array([0.0, 1.0])).effect)

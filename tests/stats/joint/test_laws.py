"""What holds of any tests that are pooled."""

from dataclasses import replace
from math import isclose

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.format import is_significant
from fairvec.stats import JointResult, ScoredLists, joint_test, permutation_test
from tests.stats.joint.flipping import lists

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


def swapped(test: ScoredLists) -> ScoredLists:
    return lists(test.y, test.x, test.y_scores, test.x_scores)


def alike(one: float, other: float) -> bool:
    return isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)


def zero_inside(found: JointResult) -> bool:
    assert found.interval
    return found.interval.low <= 0 <= found.interval.high


@settings(max_examples=60, deadline=None)
@given(SEVERAL)
def test_p_and_interval_agree(tests: list[ScoredLists]) -> None:
    for level in (0.95, 0.6):
        found = joint_test(tests, level=level, samples=499)
        assert zero_inside(found) is not is_significant(found.p.value, 1 - level)
        assert found.interval
        assert found.interval.low <= found.effect + 1e-9
        assert found.effect - 1e-9 <= found.interval.high
        largest = max((len(t.x) + len(t.y)) / np.sqrt(len(t.x) * len(t.y)) for t in tests)
        assert max(-found.interval.low, found.interval.high) <= largest


@settings(max_examples=60, deadline=None)
@given(SEVERAL)
def test_the_other_side_everywhere_mirrors_the_answer(tests: list[ScoredLists]) -> None:
    found, mirror = joint_test(tests), joint_test([swapped(test) for test in tests])
    assert alike(mirror.effect, -found.effect)
    assert alike(mirror.between, found.between)
    if found.p.method == "exact":
        assert alike(mirror.p.value, found.p.value)
        assert found.interval
        assert mirror.interval
        assert alike(mirror.interval.low, -found.interval.high)
        assert alike(mirror.interval.high, -found.interval.low)


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=60, deadline=None)
@given(one_test(most=6))
def test_one_test_has_its_own_p(test: ScoredLists) -> None:
    found = joint_test([test])
    assert found.p == permutation_test(test.x_scores, test.y_scores)
    assert found.between == found.inconsistency == 0
    assert found.weights == pytest.approx([1])


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=40, deadline=None)
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

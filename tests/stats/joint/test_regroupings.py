"""Random regroupings and lists of all of them, beside words that change side one by one."""

from collections import Counter
from collections.abc import Sequence
from math import comb

import numpy as np
import pytest
from scipy.stats import chisquare, hypergeom

from fairvec.core.numeric import FloatArray
from fairvec.stats import ScoredLists
from fairvec.stats.joint.regroupings import JointRegroupings, _draw_counts
from tests.stats.brute_force import drawn_lists, flipped, lists
from tests.stats.joint.shapes import SHAPES


def rounded(effects: Sequence[float] | FloatArray) -> tuple[float, ...]:
    # Scores are normal numbers: no two regroupings agree to so many digits.
    return tuple(float(each) for each in np.round(effects, 9) + 0.0)


def carried(tests: Sequence[ScoredLists], away: frozenset[str]) -> list[float]:
    """The share of a shift of X: of the words that are X now less of those that are Y now."""
    shares = []
    for test in tests:
        was_x = [*(1.0 for _ in test.x), *(0.0 for _ in test.y)]
        is_x = [*(word not in away for word in test.x), *(word in away for word in test.y)]
        now_x = [was for was, now in zip(was_x, is_x, strict=True) if now]
        now_y = [was for was, now in zip(was_x, is_x, strict=True) if not now]
        shares.append(float(np.mean(now_x) - np.mean(now_y)))
    return shares


@pytest.mark.parametrize("shape", SHAPES)
def test_every_regrouping_is_listed_once(shape: str) -> None:
    tests = drawn_lists(SHAPES[shape], 1)
    regroupings = JointRegroupings(tests)
    found = regroupings.every()
    expected = {rounded(effects): away for away, effects in flipped(tests)}
    assert regroupings.labellings == len(expected) == found.effects.shape[1]
    assert {rounded(effects) for effects in found.effects.T} == {*expected}
    for effects, shares in zip(found.effects.T, found.carried.T, strict=True):
        assert shares == pytest.approx(carried(tests, expected[rounded(effects)]))


@pytest.mark.parametrize("shape", SHAPES)
def test_draws_are_uniform(shape: str) -> None:
    tests = drawn_lists(SHAPES[shape], 2)
    expected = {rounded(effects): away for away, effects in flipped(tests)}
    samples = 60 * len(expected)
    found = Counter[tuple[float, ...]]()
    for some in JointRegroupings(tests).drawn(samples, seed=3):
        found.update(rounded(effects) for effects in some.effects.T)
        for effects, shares in zip(some.effects.T[:200], some.carried.T[:200], strict=True):
            assert shares == pytest.approx(carried(tests, expected[rounded(effects)]))
    assert {*found} <= {*expected}
    assert sum(found.values()) == samples
    assert chisquare([found[each] for each in expected]).pvalue > 1e-4


@pytest.mark.parametrize("shape", SHAPES)
def test_the_covariance_is_that_of_all_regroupings(shape: str) -> None:
    regroupings = JointRegroupings(drawn_lists(SHAPES[shape], 5))
    every = np.atleast_2d(np.cov(regroupings.every().effects, ddof=0))
    assert regroupings.covariance() == pytest.approx(every, abs=1e-12)


def long_lists(words: int, shared: int) -> list[ScoredLists]:
    """Two tests whose X have words in common, and one X a word that is Y elsewhere."""
    generator = np.random.default_rng(0)
    names = [f"w{at}" for at in range(4 * words)]
    pairs = (
        (names[:words], names[words : 2 * words]),
        (
            names[words - shared : words] + names[2 * words : 3 * words - shared],
            [*names[3 * words : 4 * words - 1], "w0"],
        ),
    )
    return [
        lists(x, y, generator.normal(size=len(x)), generator.normal(size=len(y))) for x, y in pairs
    ]


def test_draws_from_long_lists_vary_as_all_regroupings_do() -> None:
    regroupings = JointRegroupings(long_lists(30, 20))
    assert not regroupings.listable
    drawn = [*regroupings.drawn(40_000, seed=1)]
    effects = np.concatenate([some.effects for some in drawn], axis=1)
    assert np.cov(effects) == pytest.approx(regroupings.covariance(), rel=0.06, abs=0.001)
    shares = np.concatenate([some.carried for some in drawn], axis=1)
    # A word is as likely to be X as any other of its cell: no shift is left on average.
    assert np.abs(effects.mean(axis=1)).max() < 0.01
    assert np.abs(shares.mean(axis=1)).max() < 0.01
    assert shares.max() <= 1
    assert shares.min() >= -1


def test_labels_are_shared_out_as_if_drawn_without_replacement() -> None:
    generator = np.random.default_rng(4)
    taken = _draw_counts(np.full(20_000, 9), 7, 20, generator)
    expected = 20_000 * hypergeom(20, 9, 7).pmf(np.arange(8))
    assert chisquare(np.bincount(taken, minlength=8), expected).pvalue > 1e-4


@pytest.mark.parametrize("most", [1, 2, 3])
def test_counts_in_steps_are_some_of_all_regroupings(most: int) -> None:
    tests = drawn_lists([("abcd", "efgh"), ("abci", "efgj"), ("abkl", "cdmi")], 7)
    everything, fewer = JointRegroupings(tests), JointRegroupings(tests, most=most)
    assert everything.coarse == 0
    assert fewer.coarse > 0
    assert all(len(part.vectors.counts) <= most for part in fewer.components)
    every = {rounded(effects) for effects in everything.every().effects.T}
    some = {rounded(effects) for effects in fewer.every().effects.T}
    assert rounded(everything.observed()) in some < every


@pytest.mark.parametrize("most", [2, 5, 10**6])
def test_regroupings_in_steps_are_each_others(most: int) -> None:
    """Valid given the rests: whichever of its regroupings is observed, the others are the same."""
    tests = drawn_lists([("abcd", "efgh"), ("abci", "efgj")], 8)
    orbits = {}
    for away, effects in flipped(tests):
        moved = []
        for test in tests:
            score = dict(zip((*test.x, *test.y), (*test.x_scores, *test.y_scores), strict=True))
            x = [w for w in test.x if w not in away] + [w for w in test.y if w in away]
            y = [w for w in test.y if w not in away] + [w for w in test.x if w in away]
            moved.append(lists(x, y, [score[w] for w in x], [score[w] for w in y]))
        every = JointRegroupings(moved, most=most).every()
        orbits[rounded(effects)] = frozenset(rounded(each) for each in every.effects.T)
    for observed, orbit in orbits.items():
        assert observed in orbit
        assert all(orbits[each] == orbit for each in orbit)


def test_lists_of_thousands_of_words_stay_small() -> None:
    """Half of X is X of the other test too, and half of it is Y there: 4,001^2 pairs of counts."""
    first, second = long_lists(8_000, 4_000)
    second = lists(second.x, first.x[:4_000] + second.y[:4_000], second.x_scores, second.y_scores)
    regroupings = JointRegroupings([first, second])
    assert regroupings.coarse
    assert regroupings.labellings > comb(8_000, 100)
    (drawn,) = regroupings.drawn(300, seed=0)
    assert drawn.effects.shape == (2, 300)
    assert drawn.effects.std(axis=1) == pytest.approx(
        np.sqrt(np.diag(regroupings.covariance())), rel=0.15
    )

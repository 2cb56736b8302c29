"""Planted nulls: where there is nothing, a kind with a p decides in 5 % of all cases at the most.

Two cases are no errors and are left out: where no word leans, an interval may truly show that there
is no effect, and where nothing was changed, that there is no change.
"""

from collections import Counter

import numpy as np
import pytest

from fairvec.papers.decide import (
    ClaimedTest,
    decide_change,
    decide_each,
    decide_greater,
    decide_leaning,
)
from fairvec.stats import ScoredLists, joint_test, paired_test, permutation_test

TRIED = 600
ALLOWED = 0.05 + 3 * np.sqrt(0.05 * 0.95 / TRIED)
"""Three standard errors of the drawing above the level."""


def leaning(draw: np.random.Generator) -> str:
    """Three tests of the same eight and of eight further words."""
    keys = [f"w{n}" for n in range(16)]
    lists = []
    for start in (0, 4, 8):
        some = keys[start : start + 8]
        scores = draw.standard_t(3, size=8)
        lists.append(ScoredLists(tuple(some[:4]), tuple(some[4:]), scores[:4], scores[4:]))
    found = joint_test(lists, samples=999, seed=int(draw.integers(2**31)), interval=False)
    return decide_leaning(found.effect, found.p.value, None, "+").grade


def each_of_one(draw: np.random.Generator) -> str:
    """One test of words that do not lean."""
    return each(draw, 1)


def each_of_six(draw: np.random.Generator) -> str:
    """Six of them: without a correction one in seven claims would fail by chance."""
    return each(draw, 6)


def each(draw: np.random.Generator, asked: int) -> str:
    """So many tests that are asked of words which do not lean."""
    tests = []
    for number in range(asked):
        x, y = draw.standard_t(3, size=(2, 6))
        p = permutation_test(x, y, sides="two").value
        tests.append(ClaimedTest(str(number), float(x.mean() - y.mean()), p))
    return decide_each(tests, "+").grade


def greater(draw: np.random.Generator) -> str:
    """Seven pairs of figures that might as well be swapped."""
    left, right = draw.exponential(size=(2, 7))
    return decide_greater(left.tolist(), right.tolist(), "value").grade


def change(draw: np.random.Generator) -> str:
    """Twelve words, before and after, that might as well be swapped."""
    before, after = draw.standard_t(3, size=(2, 12)) / 12 + 0.1
    p = paired_test(before, after).value
    sums = float(before.sum()), float(after.sum())
    return decide_change(*sums, p, None, claimed="lowered", margin=0.2).grade


@pytest.mark.parametrize("kind", [leaning, each_of_one, each_of_six, greater, change])
def test_where_there_is_nothing_little_is_decided(kind) -> None:  # type: ignore[no-untyped-def]
    draw = np.random.default_rng(7)
    grades = Counter(kind(draw) for _ in range(TRIED))
    assert (grades["holds"] + grades["fails"]) / TRIED <= ALLOWED, grades


@pytest.mark.parametrize("sign", ["+", "-"])
def test_where_there_is_something_it_is_found_either_way(sign: str) -> None:
    """The control: the same words shifted apart hold, and fail for who claims the other way."""
    draw = np.random.default_rng(8)
    shift = 3 if sign == "+" else -3
    grades: Counter[str] = Counter()
    for _ in range(60):
        x, y = draw.normal(size=(2, 8))
        p = permutation_test(x + shift, y, sides="two").value
        test = ClaimedTest("one", float((x + shift).mean() - y.mean()), p)
        grades[decide_each([test], "+").grade] += 1
    assert grades["holds" if sign == "+" else "fails"] >= 55

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.stats.permutation.meet_in_the_middle import PairCounter
from fairvec.stats.permutation.subset_sums import Run
from tests.laws.test_stats_laws import law

sums = st.lists(st.integers(-9, 9), min_size=1, max_size=6).map(sorted)
halves = st.lists(st.tuples(sums, st.integers(-5, 5)), min_size=1, max_size=4)
Lists = list[tuple[list[int], int]]


def runs_of(half: Lists) -> list[Run]:
    return [Run(np.array(listed), added) for listed, added in half]


@settings(law, max_examples=200)
@given(halves, halves, st.integers(-30, 30), st.integers(-15, 15))
def test_pairs_are_counted_and_the_shorter_tail_is_looked_up(
    first: Lists, second: Lists, limit: int, border: int
) -> None:
    """Wherever the border lies; each sum of a tail is looked up in all runs of the other half."""
    some, others = (
        [each + added for listed, added in half for each in listed] for half in (first, second)
    )
    meeting = PairCounter(runs_of(first), runs_of(second), limit, border)
    expected = sum(one + other < limit for one, other in product(some, others))
    assert meeting.looked_up() == expected
    assert meeting.merged() == expected
    below = sum(each < border for each in some), sum(each < limit - border for each in others)
    beyond = len(some) - below[0], len(others) - below[1]
    in_tails = min(below, beyond, key=sum)
    assert meeting.look_ups == in_tails[0] * len(second) + in_tails[1] * len(first)

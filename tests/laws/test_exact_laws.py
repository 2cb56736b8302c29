"""Whatever the scores, their ties and sizes, every way to count the subsets counts the same."""

from unittest import mock

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.stats.permutation import meet_in_the_middle as exact
from fairvec.stats.permutation import meet_in_the_middle as meeting
from fairvec.stats.permutation import subset_sums as halves
from fairvec.stats.permutation.subset_sums import TailQuestion
from tests.laws.test_stats_laws import law
from tests.stats.brute_force import subsets_in_tails

few = st.integers(-3, 3)
many = st.integers(-(2**56), 2**56)
scores = st.sampled_from((few, many)).flatmap(lambda v: st.lists(v, min_size=2, max_size=11))


@st.composite
def questions(draw: st.DrawFn) -> TailQuestion:
    """A question with one tail or two, whose thresholds are sums that there are, or beside one."""
    words = draw(scores)
    size = draw(st.integers(1, len(words) - 1))
    sums = [sum(draw(st.permutations(words))[:size]) + draw(st.integers(-1, 1)) for _ in range(2)]
    below, above = min(sums), max(sums) + 1
    tails = draw(st.sampled_from(("both", "above", "below")))
    return TailQuestion(
        np.array(words),
        size,
        None if tails == "below" else above,
        None if tails == "above" else below,
    )


@settings(law, max_examples=150)
@given(questions(), st.integers(1, 40), st.booleans(), st.sampled_from((1, 2, 5, 2**17)))
def test_however_many_are_listed_looked_up_or_merged(
    question: TailQuestion, listed: int, merged: bool, at_a_time: int
) -> None:
    expected = subsets_in_tails(
        question.scores.tolist(), question.size, question.above, question.below
    )
    with (
        mock.patch.object(halves, "LISTED", listed),
        mock.patch.object(exact, "LOOKED_UP", -1 if merged else 2**24),
        mock.patch.object(meeting, "AT_A_TIME", at_a_time),
    ):
        kept: exact.SumCache = []
        assert exact.count(question, kept) == expected
        # What a question has left serves the next one.
        assert exact.count(question, kept) == expected


@settings(law, max_examples=60)
@given(
    st.integers(0, 2**31),
    st.integers(10, 15),
    st.integers(10, 15),
    st.sampled_from((0.0, 0.5, 2.0)),
    st.sampled_from((2, 2**20, 2**52)),
)
def test_longer_lists_are_counted_the_same_from_either_side_of_the_borders(
    seed: int, nx: int, ny: int, apart: float, fine: int
) -> None:
    drawn = np.random.default_rng(seed).normal(size=nx + ny)
    drawn[:nx] += apart
    whole = np.rint(drawn * fine / 8).astype(np.int64)
    asked = TailQuestion(whole, nx, above=int(whole[:nx].sum()))
    found = set()
    for listed, look_ups in ((2**20, 2**24), (300, 2**24), (300, -1), (2**20, -1)):
        with (
            mock.patch.object(halves, "LISTED", listed),
            mock.patch.object(exact, "LOOKED_UP", look_ups),
        ):
            found.add(exact.count(asked))
    assert len(found) == 1

"""Whatever the scores, a row that is counted near its ends alone says there what the whole says."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.stats.permutation import certified_bounds as certified
from fairvec.stats.permutation.certified_bounds import count_sums
from fairvec.stats.permutation.subset_sums import TailQuestion
from tests.laws.test_stats_laws import law
from tests.stats.brute_force import subsets_in_tails

ascending = st.lists(st.integers(0, 30), min_size=1, max_size=12).map(sorted)


@law
@given(ascending, st.integers(1, 12), st.integers(0, 200))
def test_sums_within_reach_of_an_end_are_all_counted(
    cells: list[int], largest: int, reach: int
) -> None:
    whole = count_sums(np.array(cells), largest)
    near = count_sums(np.array(cells), largest, reach)
    for row, same in zip(whole, near, strict=True):
        assert (row.start, len(row.counts)) == (same.start, len(same.counts))
        ends = np.arange(len(row.counts))
        ends = ends[(ends <= reach) | (ends[::-1] <= reach)]
        assert row.counts[ends].tolist() == same.counts[ends].tolist()


@settings(law, max_examples=150)
@given(
    st.lists(st.integers(-40, 40), min_size=2, max_size=11),
    st.data(),
    st.integers(1, 40),
    st.integers(1, 40),
)
def test_bounds_hold_for_every_question_of_the_same_rows(
    scores: list[int], data: st.DataObject, step: int, other_step: int
) -> None:
    """Near and far questions in any order: rows that were kept reach far enough or are renewed."""
    size = data.draw(st.integers(1, len(scores) // 2))
    kept: certified.RowCache = {}
    for _ in range(4):
        limits = sorted(data.draw(st.tuples(*[st.integers(-150, 150)] * 2)))
        above, below = limits[1] + 1, limits[0]
        tails = data.draw(st.sampled_from(((above, below), (above, None), (None, below))))
        question = TailQuestion(np.array(scores), size, *tails).in_lowest_terms()
        expected = subsets_in_tails(scores, size, *tails) / question.subsets
        for each in (step, other_step, 1):
            low, high = certified._bounds_on_grid(question, each, kept)
            assert low <= expected <= high
            if each == 1:
                assert low >= expected * (1 - 1e-9)
                assert high <= expected * (1 + 1e-9)

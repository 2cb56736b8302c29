"""Pairs that never occur are learnt from too, where that is asked for."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.training.counting import count as module
from fairvec.training.counting.count import add_negative_pairs, count_cooccurrences
from fairvec.training.counting.counts import Cooccurrences, Weighting

WORDS = 9
FREQUENCIES = np.arange(WORDS, 0, -1) ** 2


def entries(counted: Cooccurrences) -> list[tuple[int, int, int]]:
    rows = np.repeat(np.arange(len(counted)), np.diff(counted.starts))
    return list(zip(rows, counted.columns.tolist(), counted.counts.tolist(), strict=True))


def counts_of(tokens: list[int], folder: Path) -> Cooccurrences:
    return count_cooccurrences(np.array(tokens, np.int32), WORDS, Weighting(3), folder, threads=1)


@given(
    st.lists(st.integers(-1, WORDS - 1), min_size=2, max_size=60),
    st.floats(0.1, 5),
    st.integers(0, 2**32 - 1),
    st.integers(1, 20),
    st.integers(1, 3),
)
def test_what_occurs_stays_and_what_is_added_does_not_occur(
    tokens: list[int], times: float, seed: int, at_a_time: int, threads: int
) -> None:
    with TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        folder = Path(place)
        counted = counts_of(tokens, folder / "counts")
        whole = add_negative_pairs(
            counted, FREQUENCIES, times, 2, folder / "whole", seed=seed, threads=1
        )
        patch.setattr(module, "ENTRIES_AT_A_TIME", at_a_time)
        again = add_negative_pairs(
            counted, FREQUENCIES, times, 2, folder / "again", seed=seed, threads=threads
        )
        found, before = entries(whole), entries(counted)
        assert found == entries(again)  # whatever the threads and the blocks of rows are
        assert whole.unit == counted.unit
        places = [(row, column) for row, column, _ in found]
        assert places == sorted(set(places))  # in order, and none twice
        assert set(before) <= set(found)
        seen = {(row, column) for row, column, _ in before}
        assert all(count == 2 for row, column, count in found if (row, column) not in seen)


def test_frequent_words_are_drawn_more_often_by_the_power_of_three_quarters(
    tmp_path: Path,
) -> None:
    # A large vocabulary in which hardly any pair is drawn twice.
    words = 2_000
    frequencies = np.where(np.arange(words) < words // 2, 160, 10)
    nothing = Cooccurrences(
        np.concatenate([[0], np.full(words, 1)]).astype(np.int64),
        np.zeros(1, np.int32),
        np.ones(1, np.int64),
        1,
    )
    whole = add_negative_pairs(nothing, frequencies, 40_000.0, 1, tmp_path, seed=1, threads=2)
    frequent_rows = int(whole.starts[words // 2])
    frequent_columns = int((whole.columns < words // 2).sum())
    share = 8 / 9  # 160^(3/4) = 45.3 and 10^(3/4) = 5.6
    error = 4 * np.sqrt(share * (1 - share) / whole.pairs) + 0.005  # some were drawn twice
    assert frequent_rows / whole.pairs == pytest.approx(share, abs=error)
    assert frequent_columns / whole.pairs == pytest.approx(share, abs=error)


def test_another_seed_draws_other_pairs(tmp_path: Path) -> None:
    counted = counts_of([0, 1, -1, 2, 3, -1, 4, 5, -1, 6, 7], tmp_path / "counts")
    found = [
        entries(
            add_negative_pairs(counted, FREQUENCIES, 2.0, 1, tmp_path / str(n), seed=n, threads=1)
        )
        for n in range(3)
    ]
    assert found[0] != found[1] != found[2]

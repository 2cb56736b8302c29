"""Counts are what a few lines of Python count, however the text is cut and shared out."""

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.ground.errors import SettingError
from fairvec.training.counting.cooccurrences import Cooccurrences, Weighting
from fairvec.training.counting.counting import blocks_of, cooccurrences

LINES = st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=9), min_size=1, max_size=12)
WORDS = 7


def tokens_of(lines: list[list[int]]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array([token for line in lines for token in (*line, -1)], np.int32)


def by_hand(lines: list[list[int]], window: int) -> dict[tuple[int, int], Fraction]:
    found: dict[tuple[int, int], Fraction] = {}
    for line in lines:
        for i, one in enumerate(line):
            for j, other in enumerate(line):
                if 0 < abs(i - j) <= window:
                    place = one, other
                    found[place] = found.get(place, Fraction(0)) + Fraction(1, abs(i - j))
    return found


def as_table(counted: Cooccurrences) -> dict[tuple[int, int], Fraction]:
    return {
        (word, int(counted.columns[entry])): Fraction(int(counted.counts[entry]), counted.unit)
        for word in range(len(counted))
        for entry in range(counted.starts[word], counted.starts[word + 1])
    }


@given(LINES, st.integers(1, 6), st.integers(1, 3), st.integers(0, 400))
def test_counts_are_exact_in_any_blocks_by_any_threads(
    lines: list[list[int]], window: int, threads: int, more: int
) -> None:
    longest = max(map(len, lines)) + 1
    with TemporaryDirectory() as folder:
        counted = cooccurrences(
            tokens_of(lines),
            WORDS,
            Weighting(window),
            Path(folder),
            max_memory=16 * (longest + more),
            threads=threads,
        )
        assert as_table(counted) == by_hand(lines, window)
        for word in range(WORDS):
            row = counted.columns[counted.starts[word] : counted.starts[word + 1]]
            assert (np.diff(row) > 0).all()


def test_weights_are_exact_up_to_a_window_of_22_and_close_beyond() -> None:
    for window in range(1, 23):
        weighting = Weighting(window)
        shares = [Fraction(int(weight), weighting.unit) for weight in weighting.weights]
        assert shares == [Fraction(1, distance) for distance in range(1, window + 1)]
    assert Weighting(40).weights / Weighting(40).unit == pytest.approx(
        1 / np.arange(1, 41), abs=1e-9
    )


@given(LINES, st.integers(0, 30))
def test_blocks_hold_whole_lines_and_all_of_them(lines: list[list[int]], more: int) -> None:
    tokens = tokens_of(lines)
    most = max(map(len, lines)) + 1 + more
    blocks = [*blocks_of(tokens, most)]
    assert all(block.stop - block.start <= most and tokens[block][-1] == -1 for block in blocks)
    assert np.array_equal(np.concatenate([tokens[block] for block in blocks]), tokens)


def test_a_line_that_memory_does_not_hold_is_named() -> None:
    with pytest.raises(SettingError, match="more than 5 words"):
        [*blocks_of(tokens_of([[1] * 20]), 5)]


def test_what_outgrows_whole_numbers_is_refused(tmp_path: Path) -> None:
    tokens = np.lib.stride_tricks.as_strided(np.zeros(1, np.int32), (2**30,), (0,))
    with pytest.raises(SettingError, match="outgrow"):
        cooccurrences(tokens, 1, Weighting(40), tmp_path)

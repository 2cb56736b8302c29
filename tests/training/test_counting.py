"""Co-occurrences are counted as their definition says, however the text is divided."""

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.training.counting import count as module
from fairvec.training.counting import counts as counts_module
from fairvec.training.counting.blocks import count_blocks, text_blocks
from fairvec.training.counting.count import (
    add_negative_pairs,
    count_cooccurrences,
    write_runs,
)
from fairvec.training.counting.counts import Cooccurrences, MemoryPlan, Weighting, plan_memory
from fairvec.training.engines import CpuEngine
from fairvec.training.progress import StageProgress

# --- Counts are what a few lines of Python count, however the text is cut and shared out ---


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


@st.composite
def memory_plans(draw: st.DrawFn) -> MemoryPlan:
    """Blocks of few words, spans of one row, runs merged two at a time; and more of each."""
    return MemoryPlan(
        block=draw(st.sampled_from([5, 8, 19, 40, 130])),
        span=draw(st.integers(0, 3000)),
        runs=draw(st.integers(2, 5)),
        threads=draw(st.integers(1, 3)),
    )


@given(LINES, st.integers(1, 6), memory_plans())
def test_counts_are_exact_in_any_blocks_by_any_threads(
    lines: list[list[int]], window: int, plan: MemoryPlan
) -> None:
    weighting = Weighting(window)
    with TemporaryDirectory() as folder:
        place = Path(folder)
        blocks = count_blocks(tokens_of(lines), WORDS, weighting, plan)
        counted = write_runs(blocks, WORDS, place, plan).open(weighting.unit)
        assert as_table(counted) == by_hand(lines, window)
        for word in range(WORDS):
            row = counted.columns[counted.starts[word] : counted.starts[word + 1]]
            assert (np.diff(row) > 0).all()
        assert [file.name for file in place.iterdir()] == ["run"]


def test_a_limit_of_memory_changes_no_count(tmp_path: Path) -> None:
    lines = np.random.default_rng(0).integers(0, WORDS, (400, 9)).tolist()
    stages: list[StageProgress] = []
    counted = count_cooccurrences(
        tokens_of(lines),
        WORDS,
        Weighting(4),
        tmp_path,
        max_memory=16_000,
        engine=CpuEngine(2),
        progress=stages.append,
    )
    assert as_table(counted) == by_hand(lines, 4)
    assert len(stages) > 1
    assert stages[-1] == StageProgress("counting", 4000, 4000)


def test_a_text_of_more_places_than_32_bits_number_is_counted_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts_module, "LARGEST_BLOCK", 100)
    lines = np.random.default_rng(2).integers(0, WORDS, (60, 9)).tolist()
    stages: list[StageProgress] = []
    counted = count_cooccurrences(
        tokens_of(lines),
        WORDS,
        Weighting(4),
        tmp_path,
        engine=CpuEngine(2),
        progress=stages.append,
    )
    assert [stage.done for stage in stages] == [92, 184, 276, 368, 460, 552, 600]
    assert as_table(counted) == by_hand(lines, 4)


def test_one_long_line_of_two_words_is_cut_anywhere(tmp_path: Path) -> None:
    line = np.random.default_rng(1).integers(0, 2, 3000).tolist()
    plan = MemoryPlan(block=77, span=100, runs=3, threads=2)
    blocks = count_blocks(np.array(line, np.int32), 2, Weighting(10), plan)
    counted = write_runs(blocks, 2, tmp_path, plan).open(Weighting(10).unit)
    expected = dict.fromkeys([(0, 0), (0, 1), (1, 0), (1, 1)], Fraction(0))
    for distance in range(1, 11):
        for one, other in zip(line, line[distance:], strict=False):
            expected[one, other] += Fraction(1, distance)
            expected[other, one] += Fraction(1, distance)
    assert as_table(counted) == expected


def test_a_text_without_words_has_no_pairs(tmp_path: Path) -> None:
    counted = count_cooccurrences(
        np.zeros(0, np.int32), 2, Weighting(2), tmp_path, engine=CpuEngine(1)
    )
    assert (counted.pairs, len(counted)) == (0, 2)


def test_an_error_while_counting_leaves_no_file(tmp_path: Path) -> None:
    def broken(done: int) -> None:
        if done > 20:
            raise InterruptedError

    plan = MemoryPlan(block=10, span=100, runs=2, threads=1)
    tokens = tokens_of([[0, 1, 2]] * 20)
    with pytest.raises(InterruptedError):
        write_runs(count_blocks(tokens, WORDS, Weighting(2), plan), WORDS, tmp_path, plan, broken)
    assert [*tmp_path.iterdir()] == []


def test_a_vocabulary_too_large_for_memory_is_refused() -> None:
    with pytest.raises(SettingError, match=r"1,000,000 words takes 232 MB .* 100 MB are allowed"):
        plan_memory(100_000_000, 1_000_000, 10, 4)


@given(st.integers(10**6, 10**12), st.integers(1, 4000), st.integers(1, 40), st.integers(1, 64))
def test_a_memory_plan_fits_the_limit(memory: int, words: int, window: int, threads: int) -> None:
    plan = plan_memory(memory, words, window, threads)
    assert 1 <= plan.threads <= threads
    assert plan.block + 2 * window <= 2**31
    while_counting = 8 * (plan.block + 2 * window) + plan.span * (plan.threads + 1)
    # What the words themselves take: rows as long as the vocabulary, one for each thread.
    assert while_counting + words * (80 + 36 * plan.threads) <= memory * 7 / 8 + 1
    # One row of all runs that are merged at once fits into what a thread has.
    assert plan.runs == 2 or plan.runs * words * 12 <= plan.span


def test_weights_are_exact_up_to_a_window_of_22_and_close_beyond() -> None:
    for window in range(1, 23):
        weighting = Weighting(window)
        shares = [Fraction(int(weight), weighting.unit) for weight in weighting.weights]
        assert shares == [Fraction(1, distance) for distance in range(1, window + 1)]
    assert Weighting(40).weights / Weighting(40).unit == pytest.approx(
        1 / np.arange(1, 41), abs=1e-9
    )


@given(st.integers(1, 60))
def test_a_neighbour_may_count_less_by_equal_steps_or_always_one(window: int) -> None:
    linear, equal = Weighting(window, "linear"), Weighting(window, "equal")
    shares = [Fraction(int(weight), linear.unit) for weight in linear.weights]
    # What a window of a random width from 1 to L sees of a neighbour at distance k.
    assert shares == [
        Fraction(sum(k <= width for width in range(1, window + 1)), window)
        for k in range(1, window + 1)
    ]
    assert (equal.weights == equal.unit).all()
    assert len(equal.weights) == window


@given(LINES, st.integers(1, 60), st.integers(1, 9))
def test_every_place_is_counted_in_one_block_and_its_window_is_seen(
    lines: list[list[int]], most: int, window: int
) -> None:
    tokens = tokens_of(lines)
    start = 0
    for block in text_blocks(tokens, most, window):
        assert 0 < len(block) <= most
        reach = tokens[max(0, start - window) : start + len(block) + window]
        assert np.array_equal(block.text, reach)
        assert np.shares_memory(block.text, tokens)
        assert block.first == min(start, window)
        start += len(block)
    assert start == len(tokens)


def test_counts_that_overflow_are_refused(tmp_path: Path) -> None:
    tokens = np.lib.stride_tricks.as_strided(np.zeros(1, np.int32), (2**30,), (0,))
    with pytest.raises(SettingError, match="outgrow"):
        count_cooccurrences(tokens, 1, Weighting(40), tmp_path, engine=CpuEngine(1))


# --- Pairs that never occur are learnt from too, where that is asked for ---


WORDS_UNSEEN = 9
FREQUENCIES = np.arange(WORDS_UNSEEN, 0, -1) ** 2


def entries(counted: Cooccurrences) -> list[tuple[int, int, int]]:
    rows = np.repeat(np.arange(len(counted)), np.diff(counted.starts))
    return list(zip(rows, counted.columns.tolist(), counted.counts.tolist(), strict=True))


def counts_of(tokens: list[int], folder: Path) -> Cooccurrences:
    return count_cooccurrences(
        np.array(tokens, np.int32), WORDS_UNSEEN, Weighting(3), folder, engine=CpuEngine(1)
    )


@given(
    st.lists(st.integers(-1, WORDS_UNSEEN - 1), min_size=2, max_size=60),
    st.floats(0.1, 5),
    st.integers(0, 2**32 - 1),
    st.integers(1, 20),
    st.integers(1, 3),
)
def test_negative_pairs_are_added_where_no_pair_occurs(
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

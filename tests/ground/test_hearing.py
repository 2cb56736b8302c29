"""Filters of warnings in several threads: each hears what it asked for, and none is left behind."""

import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from time import sleep

import pytest

from fairvec.core.warnings import filter_warnings

ROUNDS, THREADS = 40, 8


def heard(number: int) -> bool:
    """Whether a thread that raises warnings heard its own, and one that ignores them did not."""
    raising = number % 2 == 1
    try:
        with filter_warnings("error" if raising else "ignore", UserWarning):
            for _ in range(5):
                sleep(0)  # lets another thread run
                warnings.warn("heard", UserWarning, stacklevel=1)
    except UserWarning:
        return raising
    return not raising


def test_each_thread_hears_what_it_asked_for() -> None:
    before = [*warnings.filters]
    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(heard, range(ROUNDS * THREADS)))
    assert warnings.filters == before


def test_a_block_within_a_block_is_no_dead_end() -> None:
    with (
        filter_warnings("ignore"),
        filter_warnings("error", UserWarning),
        pytest.raises(UserWarning),
    ):
        warnings.warn("heard", UserWarning, stacklevel=1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_process_forked_within_a_block_hears_too() -> None:
    with filter_warnings("ignore"):
        child = get_context("fork").Process(target=heard, args=(1,))
        child.start()
        child.join(30)
    assert child.exitcode == 0

import re
from pathlib import Path

import numpy as np
import pytest

from fairvec.core.io.mapped_arrays import as_float64, is_mapped, release_pages


def test_pages_of_a_mapped_file_come_back_when_they_are_read(tmp_path: Path) -> None:
    numbers = np.arange(50_000, dtype=np.float64).reshape(500, 100)
    numbers.tofile(tmp_path / "numbers")
    whole = np.memmap(tmp_path / "numbers", np.uint8, mode="r")
    rows = np.asarray(whole)[8:-792].view(np.float64).reshape(499, 100)
    assert is_mapped(rows[3:7])
    assert not is_mapped(numbers)
    release_pages(rows[17:333])
    release_pages(rows[5:5])
    release_pages(rows[:, 3])
    release_pages(numbers)
    np.testing.assert_array_equal(rows.ravel(), numbers.ravel()[1:-99])


def test_what_was_written_into_a_private_copy_is_not_lost(tmp_path: Path) -> None:
    np.zeros(10_000).tofile(tmp_path / "numbers")
    private = np.memmap(tmp_path / "numbers", np.float64, mode="c")
    private[:] = 1
    release_pages(private)
    assert not is_mapped(private)
    assert private.all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_doubles_of_a_mapped_file_are_their_own_and_its_pages_are_given_back(
    tmp_path: Path, dtype: str
) -> None:
    numbers = np.arange(1 << 18).astype(dtype).reshape(-1, 64)
    numbers.tofile(tmp_path / "numbers")
    mapped = np.memmap(tmp_path / "numbers", dtype, mode="r", shape=numbers.shape)
    found = as_float64(mapped[16:-16])
    np.testing.assert_array_equal(found, numbers[16:-16])
    assert found.dtype == np.float64
    assert not np.shares_memory(found, mapped)
    assert as_float64(found) is found
    if (pages := Path("/proc/self/smaps")).exists():
        _, told = pages.read_text().split(str(tmp_path / "numbers"))
        (held,) = re.findall(r"^Rss:\s+(\d+) kB$", told, re.MULTILINE)[:1]
        assert int(held) * 1024 < numbers.nbytes / 4

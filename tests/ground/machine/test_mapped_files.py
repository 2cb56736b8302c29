from pathlib import Path

import numpy as np

from fairvec.ground.machine.mapped_files import is_mapped, let_go


def test_pages_of_a_mapped_file_come_back_when_they_are_read(tmp_path: Path) -> None:
    numbers = np.arange(50_000, dtype=np.float64).reshape(500, 100)
    numbers.tofile(tmp_path / "numbers")
    whole = np.memmap(tmp_path / "numbers", np.uint8, mode="r")
    rows = np.asarray(whole)[8:-792].view(np.float64).reshape(499, 100)
    assert is_mapped(rows[3:7])
    assert not is_mapped(numbers)
    let_go(rows[17:333])
    let_go(rows[5:5])
    let_go(rows[:, 3])
    let_go(numbers)
    np.testing.assert_array_equal(rows.ravel(), numbers.ravel()[1:-99])


def test_what_was_written_into_a_private_copy_is_not_lost(tmp_path: Path) -> None:
    np.zeros(10_000).tofile(tmp_path / "numbers")
    private = np.memmap(tmp_path / "numbers", np.float64, mode="c")
    private[:] = 1
    let_go(private)
    assert not is_mapped(private)
    assert private.all()

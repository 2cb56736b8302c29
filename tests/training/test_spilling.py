"""Arrays on the disk are whole or not there."""

import os
from errno import EACCES, EDQUOT, ENOSPC
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.core.io.mapped_arrays import ArrayWriter, create_array, mapped, write_array


def test_what_was_written_piece_by_piece_is_mapped(tmp_path: Path) -> None:
    with write_array(tmp_path / "a" / "b.i32") as file:
        file.write(np.arange(3, dtype=np.int32))
        file.write(np.arange(10, dtype=np.int32)[::2])
        assert file.written == 8
    assert mapped(tmp_path / "a" / "b.i32", np.int32).tolist() == [0, 1, 2, 0, 2, 4, 6, 8]


@pytest.mark.parametrize("code", [ENOSPC, EDQUOT])
def test_a_full_disk_is_said_and_leaves_nothing(tmp_path: Path, code: int) -> None:
    def write() -> None:
        with write_array(tmp_path / "b.i32") as file:
            file.write(np.arange(3, dtype=np.int32))
            raise OSError(code, os.strerror(code))

    with pytest.raises(SettingError, match=r"disk that holds .* is full; free some"):
        write()
    assert [*tmp_path.iterdir()] == []


def test_the_disk_of_an_array_is_taken_before_it_is_filled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mapped page without a place on the disk would end the process."""

    def full(*_: Any) -> None:
        raise OSError(ENOSPC, "full")

    monkeypatch.setattr(ArrayWriter, "reserve", full)
    with pytest.raises(SettingError, match="is full"):
        create_array(tmp_path / "a" / "b.f32", np.float32, 100)
    assert [*(tmp_path / "a").iterdir()] == []


def test_another_fault_of_the_disk_keeps_its_name(tmp_path: Path) -> None:
    with pytest.raises(PermissionError), write_array(tmp_path / "b.i32"):
        raise OSError(EACCES, "denied")

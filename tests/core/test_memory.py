"""Limits of memory and arrays on disk."""

import os
import re
from collections.abc import Mapping
from errno import EACCES, EDQUOT, ENOSPC
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.io.mapped_arrays import (
    ArrayWriter,
    as_float64,
    create_array,
    is_mapped,
    mapped,
    release_pages,
    write_array,
)
from fairvec.core.memory import (
    ALWAYS_BYTES,
    ALWAYS_ROWS,
    HIGHEST_RATIO,
    available_memory,
    check_claimed_bytes,
    check_claimed_rows,
    format_size,
    max_rows,
    max_unpacked_bytes,
    parse_size,
)
from tests.resource_limits import outcome

# --- memory ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("500MB", 500_000_000),
        ("2GiB", 2 * 1024**3),
        ("1.5 gb", 1_500_000_000),
        (" 64kib ", 65536),
        ("0.5TB", 500_000_000_000),
        ("4096", 4096),
        ("12B", 12),
    ],
)
def test_sizes_are_read_as_people_write_them(text: str, expected: int) -> None:
    assert parse_size(text) == expected


@pytest.mark.parametrize("text", ["", "MB", "-1GB", "1,5GB", "0MB", "2 GiBs", "1e9", "nan", "٣MB"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match="no size of memory; say it like 500MB"):
        parse_size(text)


@pytest.mark.parametrize("digits", [20, 400, 5000])
def test_a_size_that_no_machine_has_is_refused_in_few_letters(digits: int) -> None:
    with pytest.raises(SettingError, match="no size of memory") as caught:
        parse_size("9" * digits)
    assert len(str(caught.value)) < 400


def test_sizes_are_reported_as_people_say_them() -> None:
    sizes = (3, 20_000, 999_499, 999_500, 2_400_000, 999_000_000, 2_460_000_000)
    assert [format_size(size) for size in sizes] == [
        "1 kB",
        "20 kB",
        "999 kB",
        "1 MB",
        "2 MB",
        "999 MB",
        "2.5 GB",
    ]


# --- What may be asked for on the word of a file ---


SIZES = st.integers(0, 10**13)


@given(SIZES, SIZES)
def test_a_larger_file_may_ask_for_no_less(one: int, other: int) -> None:
    small, large = sorted((one, other))
    assert max_unpacked_bytes(small) <= max_unpacked_bytes(large)
    assert max_rows(small) <= max_rows(large)


@given(SIZES)
def test_what_a_file_holds_unpacked_is_always_allowed(size: int) -> None:
    check_claimed_bytes("m.bin", "its vectors", size, size)
    check_claimed_rows("m.bin", "words", size, size)
    assert max_unpacked_bytes(size) <= max(ALWAYS_BYTES, HIGHEST_RATIO * size)


@pytest.mark.parametrize("asked", [-1, ALWAYS_BYTES + 1, 10**30, 10**400])
def test_more_is_refused_in_one_sentence(asked: int) -> None:
    with pytest.raises(FileFormatError, match=r"m\.npz asks for .* and is a file of 1 kB") as error:
        check_claimed_bytes("m.npz", "the array words", asked, 500)
    assert str(error.value).endswith(".")


@pytest.mark.parametrize("asked", [-1, ALWAYS_ROWS + 1, 10**30])
def test_more_rows_than_bytes_are_refused(asked: int) -> None:
    with pytest.raises(FileFormatError, match="which cannot hold them"):
        check_claimed_rows("m.npz", "words", asked, 500)


# --- free ---


MEMINFO = "MemTotal:  24000000 kB\nMemFree:  1000 kB\nMemAvailable:   20000000 kB\nCached: 1 kB\n"


def machine(root: Path, groups: str, files: Mapping[str, str]) -> Path:
    """A file system that says what Linux says of memory."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/meminfo").write_text(MEMINFO)
    (root / "proc/self/cgroup").write_text(groups)
    for name, text in files.items():
        file = root / "sys/fs/cgroup" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def test_without_a_group_it_is_what_the_machine_has(tmp_path: Path) -> None:
    assert available_memory(machine(tmp_path, "0::/\n", {})) == 20_000_000 * 1024


def test_nobody_says_it_elsewhere(tmp_path: Path) -> None:
    assert available_memory(tmp_path) is None


def test_this_machine_says_something_true() -> None:
    free = available_memory()
    assert free is None or 0 <= free < 2**50


@pytest.mark.parametrize("inside", [True, False], ids=["seen from outside", "in its own root"])
def test_the_group_around_a_container_counts(tmp_path: Path, *, inside: bool) -> None:
    place = "job/" if inside else ""
    root = machine(
        tmp_path,
        "0::/job/inner\n",
        {
            f"{place}memory.max": "5000\n",
            f"{place}memory.current": "3000\n",
            f"{place}memory.stat": "anon 1000\ninactive_file 700\nactive_file 9\n",
            "job/inner/memory.max": "max\n",
            "job/inner/memory.current": "1\n",
        },
    )
    assert available_memory(root) == 5000 - 3000 + 700


def test_groups_of_the_older_kind_count(tmp_path: Path) -> None:
    root = machine(
        tmp_path,
        "5:cpu,cpuacct:/a\n4:memory:/a\n",
        {
            "memory/a/memory.limit_in_bytes": "9000\n",
            "memory/a/memory.usage_in_bytes": "9500\n",
            "memory/a/memory.stat": "inactive_file 1\ntotal_inactive_file 400\n",
        },
    )
    assert available_memory(root) == 0


@pytest.mark.parametrize("kind", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_the_limits_of_a_shell_count(kind: str) -> None:
    answer = outcome(
        "from fairvec.core.memory import available_memory\n"
        f"resource.setrlimit(resource.{kind}, (10**9, 10**9))\n"
        "free = available_memory()\n"
        "held = bytearray(3 * 10**8)\n"
        "taken = free - available_memory()\n"
        "print(5 * 10**8 < free < 10**9 and 2.9 * 10**8 < taken < 3.1 * 10**8)"
    )
    assert answer == "True"


# --- mapped ---


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
        _, rest = pages.read_text().split(str(tmp_path / "numbers"))
        (held,) = re.findall(r"^Rss:\s+(\d+) kB$", rest, re.MULTILINE)[:1]
        assert int(held) * 1024 < numbers.nbytes / 4


# --- Arrays on the disk are whole or not there ---


def test_what_was_written_piece_by_piece_is_mapped(tmp_path: Path) -> None:
    with write_array(tmp_path / "a" / "b.i32") as file:
        file.write(np.arange(3, dtype=np.int32))
        file.write(np.arange(10, dtype=np.int32)[::2])
        assert file.written == 8
    assert mapped(tmp_path / "a" / "b.i32", np.int32).tolist() == [0, 1, 2, 0, 2, 4, 6, 8]


@pytest.mark.parametrize("code", [ENOSPC, EDQUOT])
def test_a_full_disk_is_reported_and_leaves_nothing(tmp_path: Path, code: int) -> None:
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

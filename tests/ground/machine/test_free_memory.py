from collections.abc import Mapping
from pathlib import Path

import pytest

from fairvec.core.memory import available_memory
from tests.limits import outcome

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
    told = outcome(
        "from fairvec.core.memory import available_memory\n"
        f"resource.setrlimit(resource.{kind}, (10**9, 10**9))\n"
        "free = available_memory()\n"
        "held = bytearray(3 * 10**8)\n"
        "taken = free - available_memory()\n"
        "print(5 * 10**8 < free < 10**9 and 2.9 * 10**8 < taken < 3.1 * 10**8)"
    )
    assert told == "True"

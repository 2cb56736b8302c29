"""Memory: sizes as text, how much is free, and how much a file may claim.

A file may announce any number of rows or bytes. Before memory is allocated, the claim is held
against what a file of its size can contain.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.text import short_repr

LETTERS = ("", "k", "m", "g", "t")
UNITS = {
    "": 1,
    **{f"{letter}b": 1000**power for power, letter in enumerate(LETTERS)},
    **{f"{letter}ib": 1024**power for power, letter in enumerate(LETTERS) if letter},
}
_LARGEST_SIZE = 2**60
"""An exabyte: more than any machine has."""


def parse_size(size: str) -> int:
    """Return the bytes in a size such as 500MB, 1.5 GB (thousands) or 2GiB (1024s)."""
    match = re.fullmatch(r"\s*([0-9]{1,18}(?:\.[0-9]+)?)\s*([a-zA-Z]*)\s*", size, re.ASCII)
    unit = UNITS.get(match[2].lower()) if match else None
    count = float(match[1]) * unit if match and unit else 0.0
    if not 1 <= count < _LARGEST_SIZE:
        raise SettingError(
            f"{short_repr(size)} is no size of memory; say it like 500MB, 1.5GB or 2GiB."
        )
    return int(count)


def format_size(count: int) -> str:
    """Return a number of bytes as text: 12 kB, 300 MB, 1.5 GB."""
    if count >= 1e9:
        return f"{count / 1e9:,.1f} GB"
    kilobytes = max(1, round(count / 1e3))
    return f"{kilobytes} kB" if kilobytes < 1000 else f"{round(count / 1e6):,} MB"


ROOT = Path("/")
_CGROUP_V2_FILES = "memory.max", "memory.current"
_CGROUP_V1_FILES = "memory.limit_in_bytes", "memory.usage_in_bytes"


def available_memory(root: Path = ROOT) -> int | None:
    """Return the bytes that this process may still take; None where the system does not say.

    The smallest of what is available on the machine, in each control group (a container, a batch
    job) that the process is in, and under its own limits (ulimit -v, -d). Only Linux says so.
    `root` is the root of the file system.
    """
    return min(
        (*_free_on_machine(root), *_free_in_groups(root), *_free_in_limits(root)),
        default=None,
    )


def _free_on_machine(root: Path) -> Iterator[int]:
    with suppress(OSError):  # not a Linux
        meminfo = (root / "proc/meminfo").read_text()
        if match := re.search(r"^MemAvailable:\s+(\d+) kB$", meminfo, re.MULTILINE):
            yield int(match[1]) * 1024


def _free_in_limits(root: Path) -> Iterator[int]:
    """Yield what the limits on address space and on data leave."""
    with suppress(OSError, ImportError):  # not a Linux
        import resource

        pages = (root / "proc/self/statm").read_text().split()
        for kind, place in ((resource.RLIMIT_AS, 0), (resource.RLIMIT_DATA, 5)):
            limit, _ = resource.getrlimit(kind)
            if limit != resource.RLIM_INFINITY:
                yield max(0, limit - int(pages[place]) * resource.getpagesize())


def _free_in_groups(root: Path) -> Iterator[int]:
    """Yield what is left in the control group of the process and in each of its ancestors."""
    with suppress(OSError):  # not a Linux
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            place = root / "sys/fs/cgroup"
            if controllers and "memory" not in controllers.split(","):
                continue
            names = _CGROUP_V1_FILES if controllers else _CGROUP_V2_FILES
            place = place / "memory" if controllers else place
            inner = place / path.lstrip("/")
            for group in (inner, *inner.parents):
                if group.is_relative_to(place):
                    yield from _free_in_group(group, *names)


def _free_in_group(group: Path, limit: str, usage: str) -> Iterator[int]:
    with suppress(OSError, ValueError):  # no such group here, or its limit is "max"
        free = int((group / limit).read_text()) - int((group / usage).read_text())
        # The page cache counts as used, and is freed when memory runs short.
        statistics = (group / "memory.stat").read_text()
        inactive = re.findall(r"^(?:total_)?inactive_file (\d+)$", statistics, re.MULTILINE)
        # Version 1 lists the group alone first, and with its descendants (total_) last.
        yield max(0, free + (int(inactive[-1]) if inactive else 0))


ALWAYS_BYTES, HIGHEST_RATIO = 1 << 26, 100
"""Embeddings compress 2 to 10 times, quantised ones too; a file that exceeds this ratio is a
decompression bomb."""
ALWAYS_ROWS = 1 << 20
"""Rows that any file may announce; beyond them each must take at least a byte of the file, because
distinct words cannot be stored in less."""


def max_unpacked_bytes(size: int) -> int:
    """Return how many bytes a file of `size` bytes may unpack to."""
    return max(ALWAYS_BYTES, HIGHEST_RATIO * size)


def max_rows(size: int) -> int:
    """Return how many rows, words or other items a file of `size` bytes may announce."""
    return max(ALWAYS_ROWS, size)


def check_claimed_bytes(where: str, what: str, claimed: int, size: int) -> None:
    """Raise unless a file of `size` bytes may unpack to `claimed` bytes."""
    if claimed < 0 or claimed > max_unpacked_bytes(size):
        raise FileFormatError(
            f"{where} asks for {_claim(claimed)} for {what} and is a file of {format_size(size)}, "
            "which no honest one does; fetch it again from where you trust it."
        )


def check_claimed_rows(where: str, what: str, claimed: int, size: int) -> None:
    """Raise unless a file of `size` bytes may announce `claimed` rows, words or other items."""
    if claimed < 0 or claimed > max_rows(size):
        raise FileFormatError(
            f"{where} announces {claimed:,} {what} and is a file of {format_size(size)}, which "
            "cannot hold them; fetch it again from where you trust it."
        )


def _claim(claimed: int) -> str:
    # A product of forged sizes may be too large for a float.
    return format_size(claimed) if 0 <= claimed < 1 << 62 else f"{claimed:,} bytes"

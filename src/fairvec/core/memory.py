"""How much memory is allowed, how much is free, and how much a file may ask for."""

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
MOST = 2**60
"""No machine has an exabyte."""


def parse_size(size: str) -> int:
    """Return the bytes in a size such as 500MB, 1.5 GB (thousands) or 2GiB (1024s)."""
    found = re.fullmatch(r"\s*([0-9]{1,18}(?:\.[0-9]+)?)\s*([a-zA-Z]*)\s*", size, re.ASCII)
    unit = UNITS.get(found[2].lower()) if found else None
    count = float(found[1]) * unit if found and unit else 0.0
    # What no machine addresses is a slip of the hand, or more digits than a number has.
    if not 1 <= count < MOST:
        raise SettingError(
            f"{short_repr(size)} is no size of memory; say it like 500MB, 1.5GB or 2GiB."
        )
    return int(count)


def format_size(count: int) -> str:
    """Return a number of bytes as people say it."""
    if count >= 1e9:
        return f"{count / 1e9:,.1f} GB"
    kilobytes = max(1, round(count / 1e3))
    return f"{kilobytes} kB" if kilobytes < 1000 else f"{round(count / 1e6):,} MB"


# How much memory this process may still take before the machine or its container runs out.


ROOT = Path("/")
NEW_NAMES = "memory.max", "memory.current"
OLD_NAMES = "memory.limit_in_bytes", "memory.usage_in_bytes"


def available_memory(root: Path = ROOT) -> int | None:
    """Return the bytes that are free, or could be made so at once; None where nobody says.

    Linux says it of the machine, and of each control group (a container, a batch job) that the
    process is in; a shell may set a limit of its own (ulimit -v, -d). The least of them counts.
    `root` is where the file system begins.
    """
    return min((*_of_machine(root), *_of_groups(root), *_of_process(root)), default=None)


def _of_machine(root: Path) -> Iterator[int]:
    with suppress(OSError):  # not a Linux
        said = (root / "proc/meminfo").read_text()
        if found := re.search(r"^MemAvailable:\s+(\d+) kB$", said, re.MULTILINE):
            yield int(found[1]) * 1024


def _of_process(root: Path) -> Iterator[int]:
    """Give what the limits of the process itself leave: of its addresses, and of its data."""
    with suppress(OSError, ImportError):  # not a Linux
        import resource

        pages = (root / "proc/self/statm").read_text().split()
        for kind, place in ((resource.RLIMIT_AS, 0), (resource.RLIMIT_DATA, 5)):
            limit, _ = resource.getrlimit(kind)
            if limit != resource.RLIM_INFINITY:
                yield max(0, limit - int(pages[place]) * resource.getpagesize())


def _of_groups(root: Path) -> Iterator[int]:
    """Give what is left in the group of the process and in each one around it."""
    with suppress(OSError):  # not a Linux
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            place = root / "sys/fs/cgroup"
            if controllers and "memory" not in controllers.split(","):
                continue
            names = OLD_NAMES if controllers else NEW_NAMES
            place = place / "memory" if controllers else place
            inner = place / path.lstrip("/")
            for group in (inner, *inner.parents):
                if group.is_relative_to(place):
                    yield from _left_in(group, *names)


def _left_in(group: Path, limit: str, taken: str) -> Iterator[int]:
    with suppress(OSError, ValueError):  # no such group here, or its limit is "max"
        left = int((group / limit).read_text()) - int((group / taken).read_text())
        # What was read from files is counted as taken, and given back when memory is asked for.
        said = (group / "memory.stat").read_text()
        kept = re.findall(r"^(?:total_)?inactive_file (\d+)$", said, re.MULTILINE)
        # The older kind of group says it of itself first, and last with those inside of it.
        yield max(0, left + (int(kept[-1]) if kept else 0))


# How much may be asked for on the word of a file: no more than a file of its size can hold.


ALWAYS_BYTES, HIGHEST_RATIO = 1 << 26, 100
"""Numbers shrink 2 to 10 times when they are packed, and so do the codes of quantised vectors; what
grows more than this is a trap and not an embedding."""
ALWAYS_ROWS = 1 << 20
"""So many rows any file may announce; above it each has to take a byte of the file, packed or not:
words that differ cannot be told in less."""


def max_unpacked_bytes(size: int) -> int:
    """Return how many bytes may honestly come of a file of `size` bytes."""
    return max(ALWAYS_BYTES, HIGHEST_RATIO * size)


def max_rows(size: int) -> int:
    """Return how many rows, words or other single things a file of `size` bytes may hold."""
    return max(ALWAYS_ROWS, size)


def check_claimed_bytes(where: str, what: str, asked: int, size: int) -> None:
    """Raise unless `asked` bytes can honestly come of a file of `size` bytes."""
    if asked < 0 or asked > max_unpacked_bytes(size):
        raise FileFormatError(
            f"{where} asks for {_told(asked)} for {what} and is a file of {format_size(size)}, "
            "which no honest one does; fetch it again from where you trust it."
        )


def check_claimed_rows(where: str, what: str, asked: int, size: int) -> None:
    """Raise unless a file of `size` bytes can hold `asked` rows, words or other single things."""
    if asked < 0 or asked > max_rows(size):
        raise FileFormatError(
            f"{where} announces {asked:,} {what} and is a file of {format_size(size)}, which "
            "cannot hold them; fetch it again from where you trust it."
        )


def _told(asked: int) -> str:
    # A product of forged sizes may be too large for a float.
    return format_size(asked) if 0 <= asked < 1 << 62 else f"{asked:,} bytes"

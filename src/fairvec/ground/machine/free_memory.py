"""How much memory this process may still take before the machine or its container runs out."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

ROOT = Path("/")
NEW_NAMES = "memory.max", "memory.current"
OLD_NAMES = "memory.limit_in_bytes", "memory.usage_in_bytes"


def free_memory(root: Path = ROOT) -> int | None:
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

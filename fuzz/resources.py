"""The threads, descriptors and children of a process, of which a case may leave none open."""

import gc
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

GRACE = 0.25
"""Seconds in which what a case began may come to its end."""
DESCRIPTORS = "/proc/self/fd"


@dataclass(frozen=True)
class Resources:
    """Threads by what they are called, descriptors by number, and children."""

    threads: frozenset[threading.Thread]
    descriptors: frozenset[str]
    children: frozenset[str]


def open_resources() -> Resources:
    """Return what this process has open now."""
    mine = Path(f"/proc/self/task/{os.getpid()}/children")
    return Resources(
        frozenset(threading.enumerate()),
        frozenset(filter(_is_open, os.listdir(DESCRIPTORS))),  # noqa: PTH208 - a case is quick
        frozenset(mine.read_text().split() if mine.exists() else ()),
    )


def leaked_since(before: Resources) -> Mapping[str, str]:
    """Return what was opened since and is not closed: its kind, and what it is.

    It waits for the garbage collector, and for what is about to end.
    """
    if not _more(open_resources(), before):
        return {}
    gc.collect()
    ends = time.monotonic() + GRACE
    while (found := _more(open_resources(), before)) and time.monotonic() < ends:
        for thread in threading.enumerate():
            if thread not in before.threads:
                thread.join(0.05)
        time.sleep(0.01)
    return found


def _is_open(number: str) -> bool:
    """Say whether a descriptor is open still: that of the listing itself is not."""
    try:
        os.fstat(int(number))
    except OSError:
        return False
    return True


def _more(now: Resources, before: Resources) -> dict[str, str]:
    found = {f"thread {_called(each)}": repr(each) for each in now.threads - before.threads}
    for number in sorted(now.descriptors - before.descriptors):
        target = str(Path(DESCRIPTORS, number).readlink())
        found[f"descriptor of {_kind(target)}"] = f"{number}: {target}"
    if children := now.children - before.children:
        found["child"] = f"processes {', '.join(sorted(children))}"
    return found


def _called(thread: threading.Thread) -> str:
    """Return the name of a thread without its number."""
    return thread.name.rstrip("0123456789").rstrip("-_ ")


def _kind(target: str) -> str:
    """Return a socket or pipe without its number, and a file without its folder."""
    kind, _, rest = target.partition(":")
    return kind if rest.startswith("[") else Path(target).name

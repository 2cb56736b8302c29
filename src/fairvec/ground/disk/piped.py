"""Reading a file, or a pipe that a shell hands over: `<(command)`, or /dev/stdin."""

import os
import re
import stat
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import BinaryIO

from fairvec.ground.disk.places import kind_of
from fairvec.ground.machine.budget import ALWAYS_BYTES

HANDED = r"/dev/stdin|/(?:dev|proc/self)/fd/[0-9]{1,9}"
"""How the pipes that a process has open are called; the path of one is as good as its number."""


def is_handed(path: str | Path) -> bool:
    """Say whether a path is a pipe or file that this process has open, which has no ending."""
    there = re.fullmatch(HANDED, str(path)) is not None and Path(path).is_file()
    return there or _pipe(path) is not None


def content_of(path: Path, fault: Callable[[str], Exception]) -> bytes:
    """Return the bytes of a file, or of a pipe that was handed over; raise `fault` for all else.

    A pipe gives its content once: it is kept, for whoever reads it again. One that has a name in a
    folder is refused, because nobody may ever write into it.
    """
    if (number := _pipe(path)) is not None:
        with os.fdopen(os.dup(number), "rb") as pipe:
            return _kept(os.fstat(number), pipe, str(path), fault)
    match kind_of(path):
        case "a pipe":
            raise fault(
                f"{path} is a pipe that may never have a writer; save what it gives as a file, or "
                "hand it over as '<(cat PIPE)'."
            )
        case "a socket" | "a device" as kind:
            raise fault(
                f"{path} is {kind}, and only plain files are read, or what a shell hands over "
                "by '<(...)'; save what it gives as a file."
            )
    return path.read_bytes()


def content_of_input(given: BinaryIO, fault: Callable[[str], Exception]) -> bytes:
    """Return the bytes that come to standard input, or raise `fault` if they do not end."""
    return _up_to_limit(given, "standard input", fault)


def _pipe(path: str | Path) -> int | None:
    """Return the number of a pipe that is open, so that it has or had a writer."""
    if not (found := re.fullmatch(HANDED, str(path))):
        return None
    number = int(found[0].rpartition("/")[2].replace("stdin", "0"))
    try:
        return number if stat.S_ISFIFO(os.fstat(number).st_mode) else None
    except OSError:
        return None


@cache
def _contents() -> dict[tuple[int, int], bytes]:
    return {}


def _kept(
    pipe: os.stat_result, opened: BinaryIO, where: str, fault: Callable[[str], Exception]
) -> bytes:
    itself = (pipe.st_dev, pipe.st_ino)
    if itself not in _contents():
        _contents()[itself] = _up_to_limit(opened, where, fault)
    return _contents()[itself]


def _up_to_limit(given: BinaryIO, where: str, fault: Callable[[str], Exception]) -> bytes:
    content = given.read(ALWAYS_BYTES + 1)
    if len(content) > ALWAYS_BYTES:
        raise fault(
            f"{where} gives more than {ALWAYS_BYTES:,} bytes, and what comes through a pipe is "
            "held in memory; save what it gives as a file."
        )
    return content

"""Reading what a user names: a file, a folder or a pipe, checked before it is opened.

A pipe that a shell hands over (`<(command)`, /dev/stdin) can be read once and is kept in memory;
a named pipe, a socket or a device is refused, because reading it may never end.
"""

import csv
import os
import re
import stat
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import file_digest
from importlib.resources.abc import Traversable
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from fairvec.core.errors import SettingError, os_reason
from fairvec.core.memory import ALWAYS_BYTES

_MAX_LINKS = 40
"""The number of links that systems follow too."""


_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def path_exists(path: Path) -> bool:
    """Return whether anything has this path, a dangling link included."""
    return os.path.lexists(path)


def as_path(given: object, say: str) -> Path:
    """Return a path given in Python; else raise an error that ends in `say`, a correct call.

    Another object in its place is usually another argument of the same call.
    """
    if isinstance(given, str | os.PathLike) and isinstance(text := os.fspath(given), str):
        return Path(text)
    raise SettingError(f"A path is text, not an object of the kind {type(given).__name__}; {say}.")


def file_kind(path: Path) -> str:
    """Return "a folder", "a pipe" and so on; empty for a regular file and for none.

    Nothing is opened: opening a pipe would block until somebody writes into it.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return ""
    return next((words for is_kind, words in _KINDS if is_kind(mode)), "")


def require_regular_file(path: Path, fault: Callable[[str], Exception]) -> None:
    """Raise `fault` for what can be read only once or has no end: pipes, devices, sockets.

    `read_file_or_pipe` reads what needs to be read only once, from start to end.
    """
    if (kind := file_kind(path)) and kind != "a folder":
        raise fault(
            f"{path} is {kind}, and only a plain file can be read twice, as this has to be; save "
            "what it gives as a file."
        )


def resolve_target(path: Path) -> Path:
    """Return the file that is written when `path` is: the path, or where its links lead.

    A dangling link is followed if the folder that it leads into exists (it would not on a disk that
    is not mounted). Anything but a regular file is refused.
    """
    file = path
    for _ in range(_MAX_LINKS):
        folder = Path(os.path.realpath(file.parent))
        # /dev/stdout may lead to a regular file, which replacing would take from its writer.
        if folder == Path("/dev") or folder.is_relative_to("/proc"):
            raise SettingError(
                f"{path} is no plain file, and what is written whole or not at all needs one; name "
                "a file."
            )
        if not file.is_symlink():
            break
        file = folder / file.readlink()
        if not file.parent.is_dir():
            raise SettingError(
                f"{path} is a link into {file.parent}, which is not there; make that folder or "
                "remove the link."
            )
    else:
        raise SettingError(f"{path} is a link that leads back to itself; remove it.")
    if kind := file_kind(file):
        raise SettingError(f"{path} is {kind}; name a file, for nothing else is written over.")
    # A file that another process removes between two looks may be written.
    if file.is_file() and not os.access(file, os.W_OK) and file.is_file():
        raise SettingError(
            f"{path} may not be written over (it is read-only); allow it or choose another name."
        )
    return file


def is_there(path: str | Path) -> bool:
    """Return whether a path exists; False, where Path.exists raises, for impossible names."""
    return os.path.exists(path)  # noqa: PTH110 - Path.exists raises


def is_file(path: str | Path) -> bool:
    """Return whether a path is a file; False for impossible names."""
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises


def is_folder(path: str | Path) -> bool:
    """Return whether a path is a folder; False for impossible names."""
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises


OPEN_PIPE = r"/dev/stdin|/(?:dev|proc/self)/fd/[0-9]{1,9}"
"""Paths of the files that this process has open, by their descriptors."""


def is_pipe(path: str | Path) -> bool:
    """Return whether a path is a pipe or file that this process has open, without a suffix."""
    is_open_file = re.fullmatch(OPEN_PIPE, str(path)) is not None and Path(path).is_file()
    return is_open_file or _pipe(path) is not None


def read_file_or_pipe(path: Path, fault: Callable[[str], Exception]) -> bytes:
    """Return the bytes of a file, or of a pipe that was handed over; raise `fault` for all else.

    The content of a pipe is kept in memory for a second read. A named pipe is refused, because
    nobody may ever write into it.
    """
    if (number := _pipe(path)) is not None:
        with os.fdopen(os.dup(number), "rb") as pipe:
            return _read_once(os.fstat(number), pipe, str(path), fault)
    match file_kind(path):
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


def read_stdin(given: BinaryIO, fault: Callable[[str], Exception]) -> bytes:
    """Return the bytes that come to standard input, or raise `fault` if they do not end."""
    return _read_limited(given, "standard input", fault)


def _pipe(path: str | Path) -> int | None:
    """Return the descriptor of an open pipe, which has or had a writer; None for other paths."""
    if not (match := re.fullmatch(OPEN_PIPE, str(path))):
        return None
    number = int(match[0].rpartition("/")[2].replace("stdin", "0"))
    try:
        return number if stat.S_ISFIFO(os.fstat(number).st_mode) else None
    except OSError:
        return None


@cache
def _contents() -> dict[tuple[int, int], bytes]:
    return {}


def _read_once(
    pipe: os.stat_result, opened: BinaryIO, where: str, fault: Callable[[str], Exception]
) -> bytes:
    identity = (pipe.st_dev, pipe.st_ino)
    if identity not in _contents():
        _contents()[identity] = _read_limited(opened, where, fault)
    return _contents()[identity]


def _read_limited(stream: BinaryIO, where: str, fault: Callable[[str], Exception]) -> bytes:
    content = stream.read(ALWAYS_BYTES + 1)
    if len(content) > ALWAYS_BYTES:
        raise fault(
            f"{where} gives more than {ALWAYS_BYTES:,} bytes, and what comes through a pipe is "
            "held in memory; save what it gives as a file."
        )
    return content


def decode_utf8(content: bytes, where: str, fault: Callable[[str], Exception]) -> str:
    """Return the text of a file without a byte order mark.

    If it is not UTF-8, raise `fault` with the file `where` and the line.
    """
    content = content.removeprefix(BOM_UTF8)
    try:
        text = content.decode()
        position = content.find(b"\0")  # UTF-16 without a byte order mark
    except UnicodeDecodeError as error:
        position = error.start
    if position >= 0:
        line = content.count(b"\n", 0, position) + 1
        raise fault(f"{where}, line {line}: this is not UTF-8; save it as UTF-8.")
    return text


def read_text(path: str | Path | Traversable, what: str, fault: Callable[[str], Exception]) -> str:
    """Return the text of a UTF-8 file; `what` says in errors what it should hold."""
    return decode_utf8(read_bytes(path, f"the {what} file", fault), str(path), fault)


def read_bytes(
    path: str | Path | Traversable, what: str, fault: Callable[[str], Exception]
) -> bytes:
    """Return the bytes of a file; `what` names it in errors, as in "the suite file"."""
    file = Path(path) if isinstance(path, str) else path
    try:
        return read_file_or_pipe(file, fault) if isinstance(file, Path) else file.read_bytes()
    except OSError as error:
        reason = os_reason(error)
        raise fault(f"{path}: {what} cannot be read ({reason}); check its path.") from None


def sha256_of_file(path: Path) -> str:
    """Return the SHA-256 of a file, read in chunks."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


_LONGEST_CELL = 2**30
_csv_limit = Lock()


@contextmanager
def long_csv_cells() -> Iterator[None]:
    """Let csv read cells of up to 1 GiB; its limit is one for all threads, hence the lock."""
    with _csv_limit:
        before = csv.field_size_limit(_LONGEST_CELL)
        try:
            yield
        finally:
            csv.field_size_limit(before)

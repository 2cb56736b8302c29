"""Reading what a user names: a file, a folder or a pipe, checked before it is opened."""

import os
import re
import stat
from codecs import BOM_UTF8
from collections.abc import Callable
from functools import cache
from hashlib import file_digest
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import BinaryIO

from fairvec.core.errors import SettingError, os_reason
from fairvec.core.memory import ALWAYS_BYTES

MOST_LINKS = 40
"""As many does a system follow, too."""


KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def path_taken(path: Path) -> bool:
    """Say whether a name is taken, be it by a link that leads nowhere."""
    return os.path.lexists(path)


def as_path(given: object, say: str) -> Path:
    """Return the path that somebody names in Python, or `say` how a call is written that has one.

    An object in its place is, more often than not, another argument of the same call.
    """
    if isinstance(given, str | os.PathLike) and isinstance(text := os.fspath(given), str):
        return Path(text)
    raise SettingError(f"A path is text, not an object of the kind {type(given).__name__}; {say}.")


def file_kind(path: Path) -> str:
    """Say in words what lies at a path that is no plain file; nothing of one that is, or absent.

    Nothing is opened: to open a pipe is to wait for whoever writes into it.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return ""
    return next((words for is_it, words in KINDS if is_it(mode)), "")


def require_regular_file(path: Path, fault: Callable[[str], Exception]) -> None:
    """Raise `fault` for what can be read once, or has no end: pipes, devices, sockets.

    What is read once, from its start to its end, is read by `read_file_or_pipe`.
    """
    if (kind := file_kind(path)) and kind != "a folder":
        raise fault(
            f"{path} is {kind}, and only a plain file can be read twice, as this has to be; save "
            "what it gives as a file."
        )


def resolve_target(path: Path) -> Path:
    """Return the file that is written when `path` is: the path, or where its links lead.

    A link that leads nowhere yet is followed if the folder that it leads into is there: a disk that
    is not mounted is no place to write. What is no plain file is refused.
    """
    file = path
    for _ in range(MOST_LINKS):
        folder = Path(os.path.realpath(file.parent))
        # /dev/stdout may lead to a plain file, whose writer would lose it.
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
    if file.is_file() and not os.access(file, os.W_OK):
        raise SettingError(
            f"{path} may not be written over (it is read-only); allow it or choose another name."
        )
    return file


# Whether something is there, of names that strangers chose: what no disk can hold is not there.


def is_there(path: str | Path) -> bool:
    """Say whether anything lies at a path."""
    return os.path.exists(path)  # noqa: PTH110 - that of a Path raises, as said above


def is_file(path: str | Path) -> bool:
    """Say whether a file lies at a path."""
    return os.path.isfile(path)  # noqa: PTH113 - as above


def is_folder(path: str | Path) -> bool:
    """Say whether a folder lies at a path."""
    return os.path.isdir(path)  # noqa: PTH112 - as above


# Reading a file, or a pipe that a shell hands over: `<(command)`, or /dev/stdin.


HANDED = r"/dev/stdin|/(?:dev|proc/self)/fd/[0-9]{1,9}"
"""How the pipes that a process has open are called; the path of one is as good as its number."""


def is_pipe(path: str | Path) -> bool:
    """Say whether a path is a pipe or file that this process has open, which has no ending."""
    there = re.fullmatch(HANDED, str(path)) is not None and Path(path).is_file()
    return there or _pipe(path) is not None


def read_file_or_pipe(path: Path, fault: Callable[[str], Exception]) -> bytes:
    """Return the bytes of a file, or of a pipe that was handed over; raise `fault` for all else.

    A pipe gives its content once: it is kept, for whoever reads it again. One that has a name in a
    folder is refused, because nobody may ever write into it.
    """
    if (number := _pipe(path)) is not None:
        with os.fdopen(os.dup(number), "rb") as pipe:
            return _kept(os.fstat(number), pipe, str(path), fault)
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


def decode_utf8(content: bytes, where: str, fault: Callable[[str], Exception]) -> str:
    """Return the text of a file, without the mark that may stand at its start.

    What is not UTF-8 is refused by raising `fault`, which names the line of the file `where`.
    """
    content = content.removeprefix(BOM_UTF8)
    try:
        text = content.decode()
        wrong = content.find(b"\0")  # of UTF-16 without a mark at its start
    except UnicodeDecodeError as error:
        wrong = error.start
    if wrong >= 0:
        line = content.count(b"\n", 0, wrong) + 1
        raise fault(f"{where}, line {line}: this is not UTF-8; save it as UTF-8.")
    return text


def read_text(path: str | Path | Traversable, what: str, fault: Callable[[str], Exception]) -> str:
    """Return the text of a file of UTF-8; `what` says in errors what it should hold."""
    return decode_utf8(read_bytes(path, f"the {what} file", fault), str(path), fault)


def read_bytes(
    path: str | Path | Traversable, what: str, fault: Callable[[str], Exception]
) -> bytes:
    """Return the bytes of a file; `what` it is, as in "the suite file", is said in errors."""
    file = Path(path) if isinstance(path, str) else path
    try:
        return read_file_or_pipe(file, fault) if isinstance(file, Path) else file.read_bytes()
    except OSError as error:
        reason = os_reason(error)
        raise fault(f"{path}: {what} cannot be read ({reason}); check its path.") from None


def sha256_of_file(path: Path) -> str:
    """Return the SHA-256 of a file, which is not held in memory."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()

"""Where fetched files are kept, under safe names, written by one process at a time."""

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from unicodedata import category
from urllib.parse import unquote, urlsplit

from platformdirs import user_cache_dir

from fairvec.core.errors import DownloadError, SettingError
from fairvec.core.text import one_line

# Addresses and names that others chose, made sure of before a file is called by them.


LONGEST_NAME, LONGEST_ADDRESS = 200, 2000
"""Bytes of a name, which leaves room for what is added to it, and letters of an address."""

OWN_ENDINGS = (".part", ".about")
"""What a file is called until all of it has come, and what the server said of it."""


def safe_file_name(name: str) -> str:
    """Return a file's name as it is, or raise DownloadError: none may lead to another folder.

    No name is changed into a better one: two could become one.
    """
    if name.strip(". ") == "" or name.startswith("."):
        wrong = "does not name a file that can be seen"
    elif any(letter in '/\\:*?"<>|' or category(letter)[0] == "C" for letter in name):
        wrong = "holds a sign that is no part of a file's name"
    elif name[-1] in ". " or name.endswith(OWN_ENDINGS):
        wrong = "ends as no kept file does"
    elif len(name.encode()) > LONGEST_NAME:
        wrong = f"is longer than {LONGEST_NAME} bytes"
    else:
        return name
    raise DownloadError(
        f"The file name {one_line(name[:LONGEST_NAME])!r} {wrong}; name another file."
    )


def file_name(member: str) -> str:
    """Return the last part of a path inside an archive, if a file may be called so."""
    return safe_file_name(member.rpartition("/")[2])


def url_name(url: str) -> str:
    """Return the last part of a URL's path, if a file may be called so."""
    try:
        path = urlsplit(url).path
    except ValueError:
        raise _no_address(url) from None
    return safe_file_name(unquote(PurePosixPath(path).name))


def check_url(url: str) -> None:
    """Refuse an address that cannot be asked over the web or whose file could not be kept."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        known = False
    seen = all(letter.isprintable() and not letter.isspace() for letter in url)
    if not known or not seen or len(url) > LONGEST_ADDRESS:
        raise _no_address(url)
    url_name(url)


def _no_address(url: str) -> DownloadError:
    # Where the parts of it cannot be told apart, whatever stands before an @ may be secret.
    shown = one_line(url.rpartition("@")[2][:LONGEST_NAME])
    return DownloadError(f"{shown!r} is no address of the web; write it as https://host/file.")


def redact_url(url: str) -> str:
    """Return a URL on one line and without the user and password that it may hold."""
    scheme, mark, rest = url.partition("//")
    ends = min((at for sign in "/?#" if (at := rest.find(sign)) >= 0), default=len(rest))
    host = rest[:ends].rpartition("@")[2]
    return one_line(f"{scheme}{mark}{host}{rest[ends:]}")


VARIABLE = "FAIRVEC_HOME"


def cache_folder() -> Path:
    """Return the folder named by FAIRVEC_HOME, or else the user's cache folder for fairvec."""
    if chosen := os.environ.get(VARIABLE):
        return folder_named_by(VARIABLE, chosen)
    try:
        return Path(user_cache_dir("fairvec"))
    except RuntimeError:  # a user whom the system does not know, as in containers
        raise SettingError(
            f"This user has no home folder to keep models in; set {VARIABLE} to a folder."
        ) from None


def folder_named_by(variable: str, text: str) -> Path:
    """Return the folder that a variable of the environment names; ~ is the user's own."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise SettingError(f"{variable} is {text}, of which nobody is known; correct it.") from None


def explain_disk_error(error: OSError, folder: Path) -> str:
    """Say in one sentence why nothing could be kept in `folder` and what helps."""
    if error.errno == errno.ENOSPC:
        return f"the disk of {folder} is full; make room, or point {VARIABLE} elsewhere."
    why = error.strerror or "the disk refuses"
    return f"{folder} cannot be written ({why}); point {VARIABLE} elsewhere."


# One process at a time writes into a folder of the cache; the others wait for what it wrote.


Tell = Callable[[str], None]
"""Called with a sentence that the user should read."""

BUSY = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
LOOKS_AGAIN_AFTER = 0.1

# The system frees such a lock when its process ends, however it ends: none is ever stale.
if sys.platform == "win32":
    import msvcrt

    def _take(lock: int) -> None:
        msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(lock: int) -> None:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def one_writer(folder: Path, tell: Tell | None = None) -> Iterator[None]:
    """Hold the lock of a folder; `tell` hears of it where another process has to be waited for.

    The lock is an empty file beside the folder and stays there: taking it away would let two
    processes hold two files of one name.
    """
    lock = _opened(folder)
    try:
        waiting = False
        while not _taken(lock, folder):
            if tell and not waiting:
                tell(f"another process is fetching {folder.name}; waiting for it")
            waiting = True
            time.sleep(LOOKS_AGAIN_AFTER)
        yield
    finally:
        os.close(lock)


def _opened(folder: Path) -> int:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        return os.open(folder.with_name(f".{folder.name}.lock"), os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise DownloadError(f"{folder.name}: {explain_disk_error(error, folder.parent)}") from error


def _taken(lock: int, folder: Path) -> bool:
    try:
        _take(lock)
    except OSError as error:
        if error.errno in BUSY:
            return False
        raise DownloadError(
            f"{folder.name}: files in {folder.parent} cannot be locked ({error.strerror}), so two "
            f"processes could spoil one download; point {VARIABLE} to a local disk."
        ) from error
    return True

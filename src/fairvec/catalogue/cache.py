"""The cache folder, safe names for its files, and a lock so that one process writes at a time."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from unicodedata import category
from urllib.parse import unquote, urlsplit

from platformdirs import user_cache_dir

from fairvec.core.errors import DownloadError, SettingError
from fairvec.core.io.locks import wait_for_lock
from fairvec.core.text import one_line

LONGEST_NAME, LONGEST_ADDRESS = 200, 2000
"""Bytes of a file name, with room for a suffix, and characters of a URL."""

OWN_SUFFIXES = (".part", ".about")
"""Suffixes of a partial download, and of what the server said about it."""


def safe_file_name(name: str) -> str:
    """Return a file's name unchanged, or raise DownloadError: none may lead to another folder.

    An unsafe name is not repaired, since two names could become one.
    """
    if name.strip(". ") == "" or name.startswith("."):
        fault = "does not name a file that can be seen"
    elif any(character in '/\\:*?"<>|' or category(character)[0] == "C" for character in name):
        fault = "holds a sign that is no part of a file's name"
    elif name[-1] in ". " or name.endswith(OWN_SUFFIXES):
        fault = "ends as no kept file does"
    elif len(name.encode()) > LONGEST_NAME:
        fault = f"is longer than {LONGEST_NAME} bytes"
    else:
        return name
    raise DownloadError(
        f"The file name {one_line(name[:LONGEST_NAME])!r} {fault}; name another file."
    )


def file_name(member: str) -> str:
    """Return the last part of a path inside an archive, if it is a safe file name."""
    return safe_file_name(member.rpartition("/")[2])


def url_name(url: str) -> str:
    """Return the last part of a URL's path, if it is a safe file name."""
    try:
        path = urlsplit(url).path
    except ValueError:
        raise _bad_address(url) from None
    return safe_file_name(unquote(PurePosixPath(path).name))


def check_url(url: str) -> None:
    """Refuse a URL that is not http(s), or whose file would have an unsafe name."""
    try:
        parts = urlsplit(url)
        has_host = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        has_host = False
    printable = all(character.isprintable() and not character.isspace() for character in url)
    if not has_host or not printable or len(url) > LONGEST_ADDRESS:
        raise _bad_address(url)
    url_name(url)


def _bad_address(url: str) -> DownloadError:
    # Where a URL cannot be parsed, anything before an @ may be a password.
    shown = one_line(url.rpartition("@")[2][:LONGEST_NAME])
    return DownloadError(f"{shown!r} is no address of the web; write it as https://host/file.")


def redact_url(url: str) -> str:
    """Return a URL on one line and without the user and password that it may hold."""
    scheme, mark, rest = url.partition("//")
    end = min((at for sign in "/?#" if (at := rest.find(sign)) >= 0), default=len(rest))
    host = rest[:end].rpartition("@")[2]
    return one_line(f"{scheme}{mark}{host}{rest[end:]}")


VARIABLE = "FAIRVEC_HOME"


def cache_folder() -> Path:
    """Return the folder named by FAIRVEC_HOME, or else the user's cache folder for fairvec."""
    if folder := os.environ.get(VARIABLE):
        return folder_from_variable(VARIABLE, folder)
    try:
        return Path(user_cache_dir("fairvec"))
    except RuntimeError:  # a user without an entry in the system, as in containers
        raise SettingError(
            f"This user has no home folder to keep models in; set {VARIABLE} to a folder."
        ) from None


def folder_from_variable(variable: str, text: str) -> Path:
    """Return the folder that an environment variable names; ~ is the user's home."""
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


Tell = Callable[[str], None]
"""Called with a sentence that the user should read."""


@contextmanager
def one_writer(folder: Path, tell: Tell | None = None) -> Iterator[None]:
    """Hold the lock of a folder; `tell` is called where another process has to be waited for.

    The lock is an empty file next to the folder and is not removed: else two processes could hold
    locks on two files of one name.
    """
    lock = folder.with_name(f".{folder.name}.lock")
    waiting = f"another process is fetching {folder.name}; waiting for it"
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        lock.touch()
        handle = wait_for_lock(lock, on_wait=lambda: tell(waiting) if tell else None)
    except OSError as error:
        raise DownloadError(f"{folder.name}: {explain_disk_error(error, folder.parent)}") from error
    try:
        yield
    finally:
        os.close(handle)

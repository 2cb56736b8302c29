"""One process at a time writes into a folder of the cache; the others wait for what it wrote."""

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fairvec.catalogue.cache import VARIABLE, disk_trouble
from fairvec.ground.errors import DownloadError

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
        raise DownloadError(f"{folder.name}: {disk_trouble(error, folder.parent)}") from error


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

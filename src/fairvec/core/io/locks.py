"""A lock on a folder: one process at a time moves files into it."""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fairvec.core.errors import SettingError

BUSY = (errno.EACCES, errno.EAGAIN)
LOOKS_AGAIN_AFTER = 0.02
PATIENCE = 60.0
"""Seconds to wait for another process, which only renames a few files meanwhile."""

# The system frees such a lock when its process ends, however it ends: no lock is ever stale.
if sys.platform == "win32":

    def _try_lock(folder: Path) -> int | None:
        return -1  # Windows locks no folders
else:
    import fcntl

    def _try_lock(folder: Path) -> int | None:
        """Return a handle that holds the lock, -1 where nothing can be locked, None if busy."""
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            return None if error.errno in BUSY else -1
        return handle


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder within a block; other processes wait. No lock file is written.

    Where folders cannot be locked (Windows, some network disks) nobody waits.
    """
    deadline = time.monotonic() + PATIENCE
    while (handle := _try_lock(folder)) is None:
        if time.monotonic() > deadline:
            raise SettingError(
                f"Another process has been writing into {folder} for {PATIENCE:.0f} seconds; wait "
                "until it ends, or end it."
            )
        time.sleep(LOOKS_AGAIN_AFTER)
    try:
        yield
    finally:
        if handle >= 0:
            os.close(handle)

"""One process at a time puts files into a folder."""

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

# The system frees such a lock when its process ends, however it ends: none is ever stale.
if sys.platform == "win32":

    def _taken(folder: Path) -> int | None:
        return -1  # Windows locks no folders
else:
    import fcntl

    def _taken(folder: Path) -> int | None:
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
    """Hold the lock of a folder, which leaves no file there; others who ask for it wait.

    Where folders cannot be locked (Windows, some disks of a network) nobody waits.
    """
    until = time.monotonic() + PATIENCE
    while (handle := _taken(folder)) is None:
        if time.monotonic() > until:
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

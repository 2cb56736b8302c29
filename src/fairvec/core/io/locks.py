"""Locks between processes, on folders and on lock files.

The system frees such a lock when its process ends, however it ends: no lock is ever stale.
"""

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fairvec.core.errors import SettingError

PATIENCE = 60.0
"""Seconds to wait for another process, which only renames a few files meanwhile."""

POLL_SECONDS = 0.02

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def try_lock(path: Path) -> int:
    """Lock a folder or file and return a handle, to be closed afterwards.

    BlockingIOError if another process has the lock, FileNotFoundError if it removed the path in
    between, another OSError where nothing can be locked: on some network disks, and no folder on
    Windows.
    """
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        _lock(handle)
        path.stat()
    except OSError as error:
        os.close(handle)
        if error.errno in (errno.EACCES, errno.EAGAIN):
            raise BlockingIOError(*error.args) from None
        raise
    return handle


def wait_for_lock(
    path: Path, *, timeout: float | None = None, on_wait: Callable[[], None] | None = None
) -> int:
    """Like `try_lock`, but wait for another process, and call `on_wait` once before that.

    SettingError after `timeout` seconds.
    """
    start, waiting = time.monotonic(), False
    while True:
        with suppress(BlockingIOError):
            return try_lock(path)
        if timeout is not None and time.monotonic() > start + timeout:
            raise SettingError(
                f"Another process has been writing into {path} for {timeout:.0f} seconds; wait "
                "until it ends, or end it."
            )
        if on_wait and not waiting:
            on_wait()
        waiting = True
        time.sleep(POLL_SECONDS)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder within a block; other processes wait. No lock file is written.

    Where folders cannot be locked (Windows, some network disks) nobody waits.
    """
    try:
        handle = wait_for_lock(folder, timeout=PATIENCE)
    except OSError:
        handle = None
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)

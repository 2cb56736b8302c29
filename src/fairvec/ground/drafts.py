"""Folders for work under way: gone when the work ends, or when a later run finds them orphaned."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from platform import node
from tempfile import gettempdir, mkdtemp

HOST = sha256(node().encode("utf-8", "surrogateescape")).hexdigest()[:8]
"""Stands in the name of a draft: on a shared disk nobody can tell who lives on another machine."""

OURS = re.compile(rf"\.fairvec-{HOST}-\w{{8}}\.draft")
_swept: set[Path] = set()

# The system frees such a lock when its process ends, however it ends: a draft whose lock can be
# had is an orphan. Windows locks no folders, so that orphans stay there.
if sys.platform == "win32":

    def _locked(folder: Path) -> int | None:
        return None
else:
    import fcntl

    def _locked(folder: Path) -> int | None:
        """Return a handle that holds the lock of a folder, or nothing if it cannot be had."""
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Who swept it in between has taken the folder away.
            if os.path.samestat(os.fstat(handle), folder.stat()):
                return handle
        except OSError:
            pass
        os.close(handle)
        return None


@contextmanager
def scratch(parent: Path | None = None) -> Iterator[Path]:
    """Yield a new hidden folder in `parent`, or where temporary files lie; it goes with the block.

    A process that is killed cannot clean up, so the first draft that a process makes in a folder
    takes away those of processes of this machine and user that live no more. Its name has the same
    length whatever will lie in it, and nobody else may look into it.
    """
    place = Path(gettempdir()) if parent is None else parent
    if place.absolute() not in _swept:
        _swept.add(place.absolute())
        sweep(place)
    folder, lock = _made(place)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def sweep(place: Path) -> None:
    """Remove the drafts in a folder whose makers live no more; those of others stay."""
    if sys.platform == "win32":
        return
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if not OURS.fullmatch(entry.name):
                continue
            with suppress(OSError):  # who is quicker, or may not look, changes nothing for us
                if entry.stat(follow_symlinks=False).st_uid != os.geteuid():
                    continue
                if (lock := _locked(Path(entry.path))) is not None:
                    shutil.rmtree(entry.path, ignore_errors=True)
                    os.close(lock)


def _made(place: Path) -> tuple[Path, int | None]:
    """Make a folder and lock it; one that a sweep took between the two is made again.

    Where folders cannot be locked, as on some disks of a network, none is ever swept.
    """
    while True:
        folder = Path(mkdtemp(prefix=f".fairvec-{HOST}-", suffix=".draft", dir=place))
        try:
            lock = _locked(folder)
        except FileNotFoundError:
            continue
        if lock is not None or folder.exists():
            return folder, lock

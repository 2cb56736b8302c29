"""Folders for work under way: gone when the work ends, or when a later run finds them orphaned."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, EFBIG, ENOSPC
from hashlib import sha256
from pathlib import Path
from platform import node
from tempfile import gettempdir, mkdtemp

HOST = sha256(node().encode("utf-8", "surrogateescape")).hexdigest()[:8]
"""Stands in the name of a draft: on a shared disk nobody can tell who lives on another machine."""

OURS = re.compile(rf"\.fairvec-{HOST}-\w{{8}}\.draft")
_swept: set[Path] = set()

FULL = (ENOSPC, EDQUOT, EFBIG)
"""What a system says when no more can be written, and of which file it does not say."""

# The system frees such a lock when its process ends, however it ends: a draft whose lock can be
# had is an orphan. Windows locks no folders, so that orphans stay there.
if sys.platform == "win32":

    def _locked(folder: Path) -> int | None:
        return None
else:
    import fcntl

    def _locked(folder: Path) -> int | None:
        """Return a handle that holds the lock of a folder; None where folders cannot be locked.

        BlockingIOError if somebody else has it, FileNotFoundError if the folder is gone.
        """
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            folder.stat()  # who swept it in between has taken it away
        except OSError as error:
            os.close(handle)
            if isinstance(error, BlockingIOError | FileNotFoundError):
                raise
            return None
        return handle


@contextmanager
def scratch(parent: Path | None = None) -> Iterator[Path]:
    """Yield a new hidden folder in `parent`, or where temporary files lie; it goes with the block.

    A process that is killed cannot clean up, so the first draft that a process makes in a folder
    takes away those of processes of this machine and user that live no more. Its name has the same
    length whatever will lie in it, and nobody else may look into it. A disk that is full is named.
    """
    place = Path(gettempdir()) if parent is None else parent
    if place.absolute() not in _swept:
        _swept.add(place.absolute())
        sweep(place)
    folder, lock = _made(place)
    try:
        yield folder
    except OSError as error:
        if error.errno in FULL and not error.filename:
            error.filename = str(outside_drafts(place))
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


@contextmanager
def made(folder: Path) -> Iterator[None]:
    """Make a folder and those around it; those that are new and empty go if the block fails."""
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:  # raised again, when what was made is gone
        with suppress(OSError):
            for each in new:
                each.rmdir()
        raise


def is_draft(path: Path) -> bool:
    """Say whether a path is called as drafts of this machine are."""
    return OURS.fullmatch(path.name) is not None


def outside_drafts(place: Path) -> Path:
    """Return the folder that a user knows: the place, or the one around the drafts it lies in."""
    hidden = [each for each in (place, *place.parents) if is_draft(each)]
    return hidden[-1].parent if hidden else place


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
        with suppress(FileNotFoundError, BlockingIOError):
            return folder, _locked(folder)

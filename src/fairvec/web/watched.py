"""Files that stay open under a model: what has become of them since."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import finalize

from numpy.typing import NDArray

from fairvec.ground.disk.at_hand import is_file
from fairvec.ground.machine.mapped_files import mapped_file

Seen = tuple[int, int]


@dataclass(frozen=True, eq=False)
class WatchedFile:
    """A file as it was when a model was read from it.

    A file that was mapped and not read is the model's memory: what is written into it later is what
    the model says next, and what is cut off ends the program that reads it. The file is held open,
    because its name may come to stand for another one.
    """

    path: Path
    held: int
    mapped: bool
    seen: Seen

    @property
    def overwritten(self) -> bool:
        """Whether the file itself, under whatever name, was written to."""
        return _as_seen(os.fstat(self.held)) != self.seen

    @property
    def replaced(self) -> bool:
        """Whether another file, or none, has its name now."""
        try:
            return not os.path.samestat(self.path.stat(), os.fstat(self.held))
        except OSError:
            return True


def watched_file(asked: str, vectors: NDArray[Any]) -> WatchedFile | None:
    """Watch the file that vectors are mapped from, else the one that was named; None if neither."""
    mapped = mapped_file(vectors)
    path = mapped or Path(asked)
    if not is_file(path):  # a name of the catalogue, or a folder
        return None
    held = os.open(path, os.O_RDONLY)
    watched = WatchedFile(path, held, mapped is not None, _as_seen(os.fstat(held)))
    finalize(watched, os.close, held)
    return watched


def _as_seen(status: os.stat_result) -> Seen:
    return status.st_size, status.st_mtime_ns

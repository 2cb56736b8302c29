"""A text file as blocks of whole lines, each in the same stretch of memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.disk.files import Progress
from fairvec.ground.errors import FileFormatError

BLOCK_BYTES = 1 << 24
NEWLINE = 10
MOST_LINES = 1 << 18
"""Lines handed over together: where they are takes more memory than an empty line does."""


@dataclass(frozen=True)
class LineBlock:
    """Whole lines; every line ends at a newline byte. Valid until the next block is asked for."""

    buffer: bytearray
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    @property
    def array(self) -> NDArray[np.uint8]:
        """The same bytes for compiled code."""
        return np.frombuffer(self.buffer, dtype=np.uint8)

    def line(self, index: int) -> bytes:
        """Return the bytes of one line."""
        return bytes(self.buffer[self.starts[index] : self.ends[index]])


def line_blocks(
    path: Path, offset: int, progress: Progress | None, size: int = BLOCK_BYTES
) -> Iterator[LineBlock]:
    """Yield the lines from `offset` on; a missing last newline is supplied."""
    total = path.stat().st_size
    buffer = bytearray(min(size, total) + 1)
    memory, array = memoryview(buffer), np.frombuffer(buffer, dtype=np.uint8)
    carried = 0
    with path.open("rb", buffering=0) as file:
        file.seek(offset)
        while True:
            # The last byte stays free for the newline that the file may lack.
            stop = carried + (got := file.readinto(memory[carried:-1]) or 0)
            if not got:
                if carried:
                    memory[stop] = NEWLINE
                    yield LineBlock(buffer, np.array([0]), np.array([stop]))
                return
            ends = np.flatnonzero(array[:stop] == NEWLINE)
            if not len(ends) and stop == len(memory) - 1 and stop < total:
                raise FileFormatError(
                    f"{path.name} has a line longer than {stop:,} bytes, so it is not an embedding "
                    "in text form; name its format with format=... (--format)."
                )
            if len(ends):
                rest = 0
                for first in range(0, len(ends), MOST_LINES):
                    some = ends[first : first + MOST_LINES]
                    yield LineBlock(buffer, np.concatenate([[rest], some[:-1] + 1]), some)
                    rest = int(some[-1]) + 1
                carried = stop - rest
                memory[:carried] = memory[rest:stop]
            else:
                carried = stop
            if progress is not None:
                progress(file.tell(), total)

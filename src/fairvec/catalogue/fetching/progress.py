"""Reading, counting and hashing a stream at once."""

import hashlib
from typing import IO

from fairvec.ground.disk.files import Progress

BLOCK = 1 << 17


def copy(source: IO[bytes], target: IO[bytes], total: int, progress: Progress | None) -> str:
    """Copy a stream, report the progress and return the SHA-256 of what was copied."""
    digest, done = hashlib.sha256(), 0
    while block := source.read(BLOCK):
        target.write(block)
        digest.update(block)
        done += len(block)
        if progress is not None:
            progress(done, total)
    return digest.hexdigest()

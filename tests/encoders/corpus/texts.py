"""Small corpora written for a test."""

import gzip
import lzma
from bz2 import compress as bz2_packed
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fairvec.encoders.contexts import Corpus

PACKED: dict[str, Callable[[bytes], bytes]] = {
    ".txt": lambda content: content,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2_packed,
}


def written(folder: Path, lines: Sequence[str], ending: str = ".txt") -> Path:
    """Write lines to a file, packed as its ending says."""
    path = folder / f"corpus{ending}"
    path.write_bytes(PACKED[ending]("".join(f"{line}\n" for line in lines).encode()))
    return path


def corpus(folder: Path, lines: Sequence[str], **settings: Any) -> Corpus:
    """The corpus of some lines, nothing kept on disk."""
    return Corpus((written(folder, lines),), **{"keep": False, **settings})

"""How large a model is, told by reading through its file without keeping a vector."""

import errno
from pathlib import Path

from fairvec.embedding.archive import unpacked
from fairvec.embedding.formats import ReadOptions
from fairvec.embedding.recognise import format_of
from fairvec.ground.errors import MissingExtraError

NO_WORDS: frozenset[str] = frozenset()


def shape_of(path: Path) -> tuple[int, int] | None:
    """Return how many vectors of how many dimensions a file holds, or raise FileFormatError.

    None says that this machine lacks the room or an extra to open it, which tells nothing about
    the file.
    """
    try:
        with unpacked(path) as file:
            # Keys that are not UTF-8 are for whoever loads the model to judge.
            options = ReadOptions(words=NO_WORDS, invalid_utf8="replace")
            raw = format_of(file, None).read(file, options)
    except (MemoryError, MissingExtraError):
        return None
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        return None
    return raw.rows, int(raw.vectors.shape[1])

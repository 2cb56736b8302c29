"""Files of what was found once: SQLite writes whole transactions, and lets several processes in."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from fairvec.ground.disk.drafts import FULL
from fairvec.ground.errors import EncoderError

_PATIENCE = 60.0
"""How many seconds a process waits for another one that is writing."""
_KIND_OF_ERROR = 0xFF
"""The bits of SQLite's codes that say which kind; those above say where it happened."""


@contextmanager
def kept_file(path: Path, what: str, tables: Sequence[str]) -> Iterator[sqlite3.Connection]:
    """Yield the database at a path with its tables; the block is one transaction.

    What cannot be read or written, in the file or in the block, is said of `what` is kept there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=_PATIENCE)) as database, database:
            for table in tables:
                database.execute(table)
            yield database
    except (sqlite3.Error, OSError, ValueError, TypeError, RecursionError) as error:
        sentence = _no_room(path, what, error) or _busy(path, what, error)
        raise (sentence or unusable(path, what, str(error))) from error


def _no_room(path: Path, what: str, error: Exception) -> EncoderError | None:
    """Say that no more can be kept there; None where something else is wrong."""
    code = _code(error)
    if code == sqlite3.SQLITE_FULL or getattr(error, "errno", None) in FULL:
        why = "the disk is full"
    elif code == sqlite3.SQLITE_IOERR:  # SQLite says no more of a limit on files, or of a bad disk
        why = "the disk is full or damaged"
    else:
        return None
    return EncoderError(
        f"{path}: no more {what} can be kept there, because {why}; make room, point FAIRVEC_HOME "
        "elsewhere, or keep none (--no-keep, keep=False)."
    )


def _busy(path: Path, what: str, error: Exception) -> EncoderError | None:
    """Say that somebody else is writing there: whoever deletes the file then loses his work."""
    if _code(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return None
    return EncoderError(
        f"{path}: another process has been writing {what} there for {_PATIENCE:g} seconds; wait "
        "until it is done, point FAIRVEC_HOME elsewhere, or keep none (--no-keep, keep=False)."
    )


def _code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & _KIND_OF_ERROR


def unusable(path: Path, what: str, reason: str) -> EncoderError:
    """Say that what is kept cannot be used, why, and what to do."""
    return EncoderError(
        f"{path}: the {what} kept from earlier runs cannot be used ({reason}); delete the file, "
        "point FAIRVEC_HOME elsewhere, or keep none (--no-keep, keep=False)."
    )

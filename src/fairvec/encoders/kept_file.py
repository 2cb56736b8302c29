"""Files of what was found once: SQLite writes whole transactions, and lets several processes in."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from fairvec.ground.errors import EncoderError

_PATIENCE = 60.0
"""How many seconds a process waits for another one that is writing."""


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
        raise unusable(path, what, str(error)) from error


def unusable(path: Path, what: str, reason: str) -> EncoderError:
    """Say that what is kept cannot be used, why, and what to do."""
    return EncoderError(
        f"{path}: the {what} kept from earlier runs cannot be used ({reason}); delete the file, "
        "point FAIRVEC_HOME elsewhere, or keep none (--no-keep, keep=False)."
    )

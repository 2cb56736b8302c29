"""What was computed once, kept in SQLite: sentence vectors."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from fairvec.core.errors import EncoderError
from fairvec.core.io.atomic_files import DISK_FULL
from fairvec.core.text import short_repr
from fairvec.encoders.base import WordPieces
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence

# Files of what was found once: SQLite writes whole transactions, and lets several processes in.


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
    if code == sqlite3.SQLITE_FULL or getattr(error, "errno", None) in DISK_FULL:
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


_ASKED_AT_ONCE = 500
_WHAT = "vectors"
_KINDS = ("<f2", "<f4", "<f8")
_TABLES = (
    "CREATE TABLE IF NOT EXISTS vectors (sentence BLOB PRIMARY KEY, dtype TEXT, vector BLOB)",
    "CREATE TABLE IF NOT EXISTS pieces (word TEXT PRIMARY KEY, pieces INT, unknown INT)",
)


@dataclass(frozen=True)
class VectorStore:
    """The vectors that one encoder with its settings gave, in an SQLite file of its own.

    SQLite writes whole transactions or none and lets several processes in, so that an interrupted
    work goes on where it stopped. What is damaged is said, never guessed at.
    """

    path: Path

    def vectors(self, sentences: Sequence[Sentence]) -> dict[Sentence, FloatArray]:
        """Return the vectors that are kept."""
        known: dict[Sentence, FloatArray] = {}
        if not self.path.exists():
            return known
        names = {_name(one): one for one in sentences}
        with self._opened() as database:
            for some in _batches([*names]):
                marks = ",".join("?" * len(some))
                asked = f"SELECT sentence, dtype, vector FROM vectors WHERE sentence IN ({marks})"  # noqa: S608 - only question marks are put in
                for name, dtype, vector in database.execute(asked, some):
                    known[names[name]] = np.frombuffer(vector, _kind(dtype))
        return known

    def keep(self, sentences: Sequence[Sentence], rows: FloatArray) -> None:
        """Keep vectors, all or none."""
        kind = rows.dtype.newbyteorder("<")
        kept = [
            (_name(one), kind.str, row.astype(kind).tobytes())
            for one, row in zip(sentences, rows, strict=True)
        ]
        with self._opened() as database:
            database.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", kept)

    def pieces(self, words: Sequence[str]) -> dict[str, WordPieces]:
        """Return what is kept of how the tokenizer reads words."""
        known: dict[str, WordPieces] = {}
        if not self.path.exists():
            return known
        with self._opened() as database:
            for some in _batches(words):
                marks = ",".join("?" * len(some))
                asked = f"SELECT word, pieces, unknown FROM pieces WHERE word IN ({marks})"  # noqa: S608 - only question marks are put in
                known |= {word: _pieces(*rest) for word, *rest in database.execute(asked, some)}
        return known

    def keep_pieces(self, pieces: Mapping[str, WordPieces]) -> None:
        """Keep how the tokenizer reads words."""
        with self._opened() as database:
            rows = [(word, *read) for word, read in pieces.items()]
            database.executemany("INSERT OR IGNORE INTO pieces VALUES (?, ?, ?)", rows)

    def _opened(self) -> AbstractContextManager[sqlite3.Connection]:
        return kept_file(self.path, _WHAT, _TABLES)

    def unusable(self, reason: str) -> EncoderError:
        """Say that what is kept cannot be used, why, and what to do."""
        return unusable(self.path, _WHAT, reason)


def _batches(names: Sequence[object]) -> Iterator[tuple[object, ...]]:
    for start in range(0, len(names), _ASKED_AT_ONCE):
        yield tuple(names[start : start + _ASKED_AT_ONCE])


def _kind(dtype: object) -> np.dtype[np.floating[Any]]:
    """Return the type of the numbers that were kept, or raise ValueError."""
    if dtype not in _KINDS:
        raise ValueError(f"numbers of type {short_repr(dtype)}")
    return np.dtype(str(dtype))


def _pieces(pieces: object, unknown: object) -> WordPieces:
    if not isinstance(pieces, int) or not isinstance(unknown, int) or not 0 <= unknown <= pieces:
        raise ValueError(
            f"a word of {short_repr(pieces)} pieces, {short_repr(unknown)} of them unknown"
        )
    return WordPieces(pieces, unknown)


def _name(sentence: Sentence) -> bytes:
    """Return a sentence's name in the store: its text, and where in it the word stands."""
    start, end = sentence.span
    return sha256(f"{start} {end} {sentence.text}".encode("utf-8", "surrogatepass")).digest()

"""Sentence vectors stored in SQLite files, so that a sentence is encoded once.

`open_database` is shared with the store of contexts: transactions are atomic, several processes may
use one file, and a file that cannot be used is reported, never guessed at.
"""

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

_NAMES_PER_QUERY = 500
_CONTENT = "vectors"
_DTYPES = ("<f2", "<f4", "<f8")
_TABLES = (
    "CREATE TABLE IF NOT EXISTS vectors (sentence BLOB PRIMARY KEY, dtype TEXT, vector BLOB)",
    "CREATE TABLE IF NOT EXISTS pieces (word TEXT PRIMARY KEY, pieces INT, unknown INT)",
)


@dataclass(frozen=True)
class VectorStore:
    """The vectors that one encoder with its settings gave, in an SQLite file of its own.

    Transactions are atomic and several processes may use the file, so an interrupted run continues
    where it stopped.
    """

    path: Path

    def vectors(self, sentences: Sequence[Sentence]) -> dict[Sentence, FloatArray]:
        """Return the vectors that are stored."""
        known: dict[Sentence, FloatArray] = {}
        if not self.path.exists():
            return known
        names = {_sentence_key(sentence): sentence for sentence in sentences}
        with self._open() as database:
            for batch in _batches([*names]):
                marks = ",".join("?" * len(batch))
                query = f"SELECT sentence, dtype, vector FROM vectors WHERE sentence IN ({marks})"  # noqa: S608 - only question marks are put in
                for name, dtype, vector in database.execute(query, batch):
                    known[names[name]] = np.frombuffer(vector, _parse_dtype(dtype))
        return known

    def keep(self, sentences: Sequence[Sentence], rows: FloatArray) -> None:
        """Store vectors, all or none."""
        dtype = rows.dtype.newbyteorder("<")
        stored = [
            (_sentence_key(sentence), dtype.str, row.astype(dtype).tobytes())
            for sentence, row in zip(sentences, rows, strict=True)
        ]
        with self._open() as database:
            database.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", stored)

    def pieces(self, words: Sequence[str]) -> dict[str, WordPieces]:
        """Return the stored pieces of words."""
        known: dict[str, WordPieces] = {}
        if not self.path.exists():
            return known
        with self._open() as database:
            for batch in _batches(words):
                marks = ",".join("?" * len(batch))
                query = f"SELECT word, pieces, unknown FROM pieces WHERE word IN ({marks})"  # noqa: S608 - only question marks are put in
                known |= {word: _pieces(*rest) for word, *rest in database.execute(query, batch)}
        return known

    def keep_pieces(self, pieces: Mapping[str, WordPieces]) -> None:
        """Store the pieces of words."""
        with self._open() as database:
            rows = [(word, *counts) for word, counts in pieces.items()]
            database.executemany("INSERT OR IGNORE INTO pieces VALUES (?, ?, ?)", rows)

    def _open(self) -> AbstractContextManager[sqlite3.Connection]:
        return open_database(self.path, _CONTENT, _TABLES)

    def unusable(self, reason: str) -> EncoderError:
        """Return the error for a file that cannot be used, with the reason and what to do."""
        return unusable(self.path, _CONTENT, reason)


def _sentence_key(sentence: Sentence) -> bytes:
    """Return a sentence's key: a hash of its text and the position of the word in it."""
    start, end = sentence.span
    return sha256(f"{start} {end} {sentence.text}".encode("utf-8", "surrogatepass")).digest()


def _batches(names: Sequence[object]) -> Iterator[tuple[object, ...]]:
    for start in range(0, len(names), _NAMES_PER_QUERY):
        yield tuple(names[start : start + _NAMES_PER_QUERY])


def _parse_dtype(dtype: object) -> np.dtype[np.floating[Any]]:
    """Return the type of the stored numbers, or raise ValueError."""
    if dtype not in _DTYPES:
        raise ValueError(f"numbers of type {short_repr(dtype)}")
    return np.dtype(str(dtype))


def _pieces(pieces: object, unknown: object) -> WordPieces:
    if not isinstance(pieces, int) or not isinstance(unknown, int) or not 0 <= unknown <= pieces:
        raise ValueError(
            f"a word of {short_repr(pieces)} pieces, {short_repr(unknown)} of them unknown"
        )
    return WordPieces(pieces, unknown)


_PATIENCE = 60.0
"""Seconds to wait for another process that is writing."""
_ERROR_MASK = 0xFF
"""The bits of SQLite's extended error codes that hold the primary code."""


@contextmanager
def open_database(path: Path, what: str, tables: Sequence[str]) -> Iterator[sqlite3.Connection]:
    """Yield the database at a path with its tables; the block is one transaction.

    Errors of the file or of the block name `what` is stored there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=_PATIENCE)) as database, database:
            for table in tables:
                database.execute(table)
            yield database
    except (sqlite3.Error, OSError, ValueError, TypeError, RecursionError) as error:
        sentence = _disk_error(path, what, error) or _busy_error(path, what, error)
        raise (sentence or unusable(path, what, str(error))) from error


def _disk_error(path: Path, what: str, error: Exception) -> EncoderError | None:
    """Return the error for a full or damaged disk; None where something else is wrong."""
    code = _error_code(error)
    if code == sqlite3.SQLITE_FULL or getattr(error, "errno", None) in DISK_FULL:
        why = "the disk is full"
    elif code == sqlite3.SQLITE_IOERR:  # a file size limit, or a bad disk
        why = "the disk is full or damaged"
    else:
        return None
    return EncoderError(
        f"{path}: no more {what} can be kept there, because {why}; make room, point FAIRVEC_HOME "
        "elsewhere, or keep none (--no-keep, keep=False)."
    )


def _busy_error(path: Path, what: str, error: Exception) -> EncoderError | None:
    """Return the error for a locked file, which must not advise to delete it; None otherwise."""
    if _error_code(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return None
    return EncoderError(
        f"{path}: another process has been writing {what} there for {_PATIENCE:g} seconds; wait "
        "until it is done, point FAIRVEC_HOME elsewhere, or keep none (--no-keep, keep=False)."
    )


def _error_code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & _ERROR_MASK


def unusable(path: Path, what: str, reason: str) -> EncoderError:
    """Return the error for a file that cannot be used, with the reason and what to do."""
    return EncoderError(
        f"{path}: the {what} kept from earlier runs cannot be used ({reason}); delete the file, "
        "point FAIRVEC_HOME elsewhere, or keep none (--no-keep, keep=False)."
    )

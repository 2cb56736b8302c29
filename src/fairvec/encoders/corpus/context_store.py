"""Contexts kept on disk, so that a corpus is read once for a word."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from fairvec.encoders.kept_file import kept_file
from fairvec.encoders.sentence import Sentence

_TABLE = (
    "CREATE TABLE IF NOT EXISTS contexts "
    "(word TEXT PRIMARY KEY, found INT, too_long INT, sentences TEXT)"
)


class FoundContexts(NamedTuple):
    """Contexts of a word; in how many sentences it was found, and in how many too long ones."""

    sentences: tuple[Sentence, ...]
    found: int
    too_long: int


@dataclass(frozen=True)
class ContextStore:
    """The contexts that were found in one corpus, in an SQLite file of its own."""

    path: Path

    def known(self, names: Sequence[str]) -> dict[str, FoundContexts]:
        """Return what is kept under these names."""
        known: dict[str, FoundContexts] = {}
        if not self.path.exists():
            return known
        with self._opened() as database:
            for name in names:
                asked = "SELECT found, too_long, sentences FROM contexts WHERE word = ?"
                for found, too_long, kept in database.execute(asked, (name,)):
                    known[name] = _contexts(found, too_long, json.loads(kept))
        return known

    def keep(self, contexts: Mapping[str, FoundContexts]) -> None:
        """Keep contexts, all or none."""
        rows = [
            (name, one.found, one.too_long, json.dumps(_parts(one.sentences)))
            for name, one in contexts.items()
        ]
        with self._opened() as database:
            database.executemany("INSERT OR REPLACE INTO contexts VALUES (?, ?, ?, ?)", rows)

    def _opened(self) -> AbstractContextManager[sqlite3.Connection]:
        return kept_file(self.path, "contexts", [_TABLE])


def _contexts(found: object, too_long: object, kept: object) -> FoundContexts:
    """Return what was kept, or raise ValueError where it cannot be what was written."""
    if not isinstance(found, int) or not isinstance(too_long, int) or not isinstance(kept, list):
        raise ValueError("the counts of a word are no numbers")
    for each in kept:
        if not (isinstance(each, list) and [type(part) for part in each] == [str] * 3):
            raise ValueError("a context is not what stands before a word, the word, what follows")
    return FoundContexts(tuple(Sentence(*each) for each in kept), found, too_long)


def _parts(sentences: Sequence[Sentence]) -> list[tuple[str, str, str]]:
    return [(one.before, one.word, one.after) for one in sentences]

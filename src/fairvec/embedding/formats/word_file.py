"""The words of a matrix that stands in a file of its own."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from fairvec.embedding.formats.checks import kept
from fairvec.embedding.formats.key_bytes import split_keys
from fairvec.embedding.formats.reading import Counts, Raw, ReadOptions, Vectors
from fairvec.embedding.rows_of_words import rows_of_words
from fairvec.ground.disk.at_hand import is_file
from fairvec.ground.disk.files import read_whole
from fairvec.ground.errors import FileFormatError, in_brief

ENDINGS = (".vocab", ".txt", ".json")
COUNTED = re.compile(r"(\S+)[ \t]+([0-9]{1,18})")
Words = list[str] | list[tuple[str, Any]]
"""Words in the order of the rows, or each with its row."""


def with_words(path: Path, vectors: Vectors, options: ReadOptions) -> Raw:
    """Return a matrix with the words of the file that was named, or of the one beside it.

    That file is a list of JSON, an object from words to rows, or text with a word a line, which
    may be followed by how often it was seen. Beside model.npy it is model.vocab, .txt or .json.
    """
    file = options.vocabulary or _beside(path)
    words, counts, notes = _words_in(file, options)
    notes = {"vocabulary": file.name} | notes
    places = [pair for pair in words if not isinstance(pair, str)]
    if places:
        return _placed(path, places, vectors, options, notes, file.name)
    if len(words) != len(vectors):
        raise FileFormatError(
            f"{file.name} lists {len(words):,} words, and {path.name} has {len(vectors):,} rows; "
            "name the list that has a word for each row with vocabulary=... (--vocabulary)."
        )
    return matched(path, words, vectors, options, counts, notes)


def matched(
    path: Path,
    words: Words,
    vectors: Vectors,
    options: ReadOptions,
    counts: Counts | None = None,
    notes: dict[str, Any] | None = None,
) -> Raw:
    """Return the rows of words, after all the checks that every reader makes."""
    notes = notes or {}
    listed = [word for word in words if isinstance(word, str)]
    if len(listed) == len(words):
        return kept(path, listed, vectors, options, notes, counts)
    places = [pair for pair in words if not isinstance(pair, str)]
    return _placed(path, places, vectors, options, notes, path.name)


def _placed(
    path: Path,
    places: list[tuple[str, Any]],
    vectors: Vectors,
    options: ReadOptions,
    notes: dict[str, Any],
    where: str,
) -> Raw:
    """Return the rows that words name; `where` is the file that a wrong one stands in."""
    found = rows_of_words(places, len(vectors), where)
    return kept(path, found.words, vectors[found.rows], options, notes | found.notes)


def _beside(path: Path) -> Path:
    there = [file for each in ENDINGS if is_file(file := path.with_suffix(each))]
    if len(there) == 1:
        return there[0]
    wanted = ", ".join(path.with_suffix(each).name for each in ENDINGS)
    found = (
        f"beside it lie {' and '.join(file.name for file in there)}"
        if there
        else (f"there is none beside it ({wanted})")
    )
    raise FileFormatError(
        f"{path.name} is a matrix that needs a list of words, and {found}; name it with "
        "vocabulary=... (--vocabulary)."
    )


def _words_in(file: Path, options: ReadOptions) -> tuple[Words, Counts | None, dict[str, Any]]:
    content = read_whole(file, "the list of words", FileFormatError)
    content = content.removeprefix(b"\xef\xbb\xbf")
    if content.lstrip()[:1] in (b"[", b"{") and file.suffix.lower() == ".json":
        return _json(file, content), None, {}
    if not content.strip():
        raise FileFormatError(f"{file.name} holds no words; write one a line.")
    lines, notes = split_keys(file, content.removesuffix(b"\n"), options)
    lines = [line.removesuffix("\r") for line in lines]
    for number, line in enumerate(lines, start=1):
        if not line:
            raise FileFormatError(
                f"{file.name}, line {number} is empty, and each line is the word of a row; write "
                "the word there."
            )
    found = [COUNTED.fullmatch(line) for line in lines]
    seen = [(match[1], int(match[2])) for match in found if match]
    if len(seen) < len(lines):
        return lines, None, notes
    return [word for word, _ in seen], np.array([count for _, count in seen], np.int64), notes


def _json(file: Path, content: bytes) -> Words:
    try:
        said = json.loads(content.decode("utf-8"), object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(
            f"{file.name} is not JSON in UTF-8 ({in_brief(error)}); write a list of words, or an "
            "object from each word to its row."
        ) from error
    return words_of(said.pairs if isinstance(said, _Pairs) else said, file.name)


class _Pairs:
    """An object of JSON as it is written, a name that occurs twice included."""

    pairs: list[tuple[str, Any]]

    def __init__(self, pairs: Iterable[tuple[str, Any]]) -> None:
        self.pairs = [
            (key, dict(each.pairs) if isinstance(each, _Pairs) else each) for key, each in pairs
        ]


def words_of(said: Any, where: str) -> Words:
    """Return a list of words, or of words and rows, from what a file holds."""
    if isinstance(said, dict):
        said = list(said.items())
    if isinstance(said, list) and said:
        if all(isinstance(word, str) for word in said):
            return said
        if all(isinstance(each, tuple) and isinstance(each[0], str) for each in said):
            return said
    raise FileFormatError(
        f"{where} holds no vocabulary; it must be a list of words, or an object from each word to "
        "its row."
    )

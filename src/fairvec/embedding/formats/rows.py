"""What all formats share: keys, rows and the checks on them.

checked_content                                one vector per key, after every check
join_keys, split_keys, decode_keys             keys as UTF-8 bytes and back
Vocabulary, GrowingMatrix                      keys and rows of a file while it is read
blocks                                         an embedding in blocks of rows, for writers
with_words, match_words, rows_by_word          a matrix and a word list that belong together
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError, brief
from fairvec.core.format import pluralize, setting_hint
from fairvec.core.io.atomic_files import Progress
from fairvec.core.io.mapped_arrays import release_pages
from fairvec.core.io.read_files import is_file, read_bytes
from fairvec.core.text import is_valid_utf8, replace_surrogates, short_repr
from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.base import Counts, FileContent, ReadOptions, Vectors

ROWS_AT_ONCE = 16384
"""Rows examined together, so that a check never doubles the memory of a matrix."""


def checked_content(
    path: Path,
    keys: Sequence[str],
    vectors: Vectors,
    options: ReadOptions,
    notes: dict[str, Any] | None = None,
    counts: Counts | None = None,
) -> FileContent:
    """Return the first vector of each wanted key, after checking shape and finiteness."""
    if vectors.ndim != 2 or len(vectors) != len(keys):
        raise FileFormatError(
            f"{path.name} holds {pluralize(len(keys), 'key')} but vectors of shape "
            f"{vectors.shape}; it needs one row per key: write the file again."
        )
    if counts is not None and (counts.shape != (len(keys),) or counts.dtype.kind not in "iu"):
        raise FileFormatError(
            f"{path.name} holds {len(keys)} keys but counts of shape {counts.shape} and type "
            f"{counts.dtype}; it needs one whole number per key: write the file again."
        )
    refuse_empty(path, len(keys), vectors.shape[1])
    refuse_non_finite(path, keys, vectors)
    keys, half_character_notes = replace_half_characters(path, keys, options)
    notes = dict(notes or {}) | half_character_notes
    rows = first_rows(keys)
    if len(rows) < len(keys):
        notes["duplicates"] = len(keys) - len(rows)
    if options.words is not None:
        rows = {key: row for key, row in rows.items() if key in options.words}
    if len(rows) == len(keys):
        return FileContent(list(keys), vectors, len(keys), notes, counts=counts)
    places = list(rows.values())
    kept_counts = None if counts is None else counts[places]
    return FileContent(list(rows), vectors[places], len(keys), notes, counts=kept_counts)


def first_rows(keys: Sequence[str]) -> dict[str, int]:
    """Return the first row of each key, in the order of the file."""
    rows: dict[str, int] = {}
    for row, key in enumerate(keys):
        rows.setdefault(key, row)
    return rows


def refuse_empty(path: Path, rows: int, columns: int) -> None:
    """Raise unless there is at least one vector with at least one number."""
    if rows == 0 or columns == 0:
        raise FileFormatError(
            f"{path.name} holds no vectors ({rows} x {columns}); check that it was written whole."
        )


def refuse_non_finite(path: Path, keys: Sequence[str], vectors: Vectors) -> None:
    """Raise at the first row that holds NaN or infinity."""
    for start in range(0, len(vectors), ROWS_AT_ONCE):
        finite = _finite(vectors, start)
        if not finite.all():
            row = start + int(finite.argmin())
            raise FileFormatError(
                f"{path.name}, row {row + 1} ({short_repr(keys[row], 40)}): the vector holds NaN "
                "or infinity; remove that row from the file."
            )


def _finite(vectors: Vectors, start: int) -> NDArray[np.bool_]:
    """Say which rows of a block are finite; a function, so that no block outlives its check."""
    rows = vectors[start : start + ROWS_AT_ONCE]
    finite = np.asarray(np.isfinite(rows).all(axis=1))
    if len(vectors) > ROWS_AT_ONCE:
        release_pages(rows)  # what follows goes through the matrix in blocks
    return finite


def join_keys(path: Path, keys: Sequence[str]) -> NDArray[np.uint8]:
    """Return the keys joined by newlines as UTF-8, or refuse keys that could not be split again."""
    if len(set(keys)) != len(keys):
        raise FileFormatError(f"{path.name} cannot hold one key twice; keep one vector per key.")
    joined = "\n".join(keys)
    if joined.count("\n") != len(keys) - 1:
        raise FileFormatError(
            f"{path.name} cannot hold keys with a line break in them; rename those keys."
        )
    try:
        return np.frombuffer(joined.encode("utf-8"), dtype=np.uint8)
    except UnicodeEncodeError as error:
        raise FileFormatError(
            f"{path.name} cannot hold the key fragment {error.object[error.start : error.end]!r}, "
            "which is half a character; rename that key."
        ) from error


def split_keys(path: Path, joined: bytes, options: ReadOptions) -> tuple[list[str], dict[str, Any]]:
    """Return keys that were joined by newlines, and a note where bytes had to be replaced."""
    try:
        return joined.decode("utf-8").split("\n"), {}
    except UnicodeDecodeError:
        return decode_keys(path, joined.split(b"\n"), options)


def decode_keys(
    path: Path, keys: Iterable[bytes], options: ReadOptions
) -> tuple[list[str], dict[str, Any]]:
    """Return UTF-8 keys as text, and a note where bytes had to be replaced."""
    texts: list[str] = []
    replaced = 0
    for row, key in enumerate(keys, start=1):
        try:
            texts.append(key.decode("utf-8"))
        except UnicodeDecodeError as error:
            if options.invalid_utf8 == "refuse":
                raise FileFormatError(
                    f"{path.name}, key {row}: {short_repr(key, 40)} is not valid UTF-8; read the "
                    f"file with {setting_hint('invalid_utf8', 'replace')} to go on without those "
                    "letters."
                ) from error
            replaced += len(key) - len(key.decode("utf-8", "ignore").encode())
            texts.append(key.decode("utf-8", "replace"))
    return texts, {"bytes_replaced": replaced} if replaced else {}


def replace_half_characters(
    path: Path, keys: Sequence[str], options: ReadOptions
) -> tuple[Sequence[str], dict[str, Any]]:
    """Replace lone surrogates in keys, or refuse them; return the keys and a note.

    They come from formats that store code points; no UTF-8 file could hold them.
    """
    if is_valid_utf8("\n".join(keys)):
        return keys, {}
    for row, key in enumerate(keys, start=1):
        if options.invalid_utf8 == "refuse" and not is_valid_utf8(key):
            raise FileFormatError(
                f"{path.name}, key {row}: {short_repr(key, 40)} holds half a character; rename it, "
                f"or read the file with {setting_hint('invalid_utf8', 'replace')} to go on without "
                "it."
            )
    texts = [replace_surrogates(key) for key in keys]
    return texts, {
        "keys_with_half_characters": sum(key != text for key, text in zip(keys, texts, strict=True))
    }


class Vocabulary:
    """The distinct keys of a file that are kept, in order; grows while the file is read."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._keys: dict[str, None] = {}
        self._duplicates = 0
        self._bytes_replaced = 0

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def keys(self) -> list[str]:
        """The keys kept so far."""
        return list(self._keys)

    @property
    def notes(self) -> dict[str, Any]:
        """Notes for the history; empty where nothing was repeated or replaced."""
        counts = {"duplicates": self._duplicates, "bytes_replaced": self._bytes_replaced}
        return {name: count for name, count in counts.items() if count}

    def admit(self, keys: Sequence[bytes | bytearray], place: Callable[[int], str]) -> list[int]:
        """Take in the next keys and return the positions of those to keep.

        Of equal keys the first is kept. `place` names the place of a key ("x.vec, line 7").
        """
        texts = self._decode_all(keys, place)
        known, words, chosen = self._keys, self._options.words, []
        if words is None:
            new = dict.fromkeys(texts)
            if len(new) == len(texts) and known.keys().isdisjoint(new):
                known |= new
                return list(range(len(texts)))
        for position, key in enumerate(texts):
            if words is not None and key not in words:
                continue
            if key in known:
                self._duplicates += 1
                continue
            known[key] = None
            chosen.append(position)
        return chosen

    def _decode_all(
        self, keys: Sequence[bytes | bytearray], place: Callable[[int], str]
    ) -> list[str]:
        """Decode all keys in one go where possible, because that is several times faster."""
        with suppress(UnicodeDecodeError):
            texts = b"\n".join(keys).decode("utf-8").split("\n")
            if len(texts) == len(keys):
                return texts
        return [self._decode(bytes(key), place, position) for position, key in enumerate(keys)]

    def _decode(self, raw: bytes, place: Callable[[int], str], position: int) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            if self._options.invalid_utf8 == "refuse":
                raise FileFormatError(
                    f"{place(position)}: the key {short_repr(raw, 40)} is not valid UTF-8; convert "
                    f"the file{_legacy_encoding_hint(raw)}, or allow replacement characters with "
                    f"{setting_hint('invalid_utf8', 'replace')}."
                ) from error
        self._bytes_replaced += len(raw) - len(raw.decode("utf-8", "ignore").encode())
        return raw.decode("utf-8", "replace")


def _legacy_encoding_hint(raw: bytes) -> str:
    """Guess the older code page that a key is written in, and show the key in it."""
    # A word in a Latin script has ASCII letters too; a Cyrillic one has none.
    page, name = ("cp1252", "Western") if re.search(rb"[A-Za-z]", raw) else ("cp1251", "Russian")
    with suppress(UnicodeDecodeError):
        if (text := raw.decode(page)).isalpha():
            return (
                f" from {page} to UTF-8 if it is an older {name} one (then this is "
                f"{short_repr(text)})"
            )
    return " to UTF-8"


GROWTH = 1.1


class GrowingMatrix:
    """Rows whose number is not known yet; resized in place, without a second copy."""

    def __init__(
        self,
        expected_rows: int,
        columns: int,
        dtype: type[np.float32] | type[np.float64] = np.float32,
    ) -> None:
        self._matrix: NDArray[Any] = np.empty((expected_rows, columns), dtype=dtype)
        self._filled = 0

    def next_rows(self, count: int) -> NDArray[Any]:
        """Return the next `count` rows to write into; earlier ones must not be used any more."""
        needed = self._filled + count
        if needed > len(self._matrix):
            self._resize(max(needed, int(len(self._matrix) * GROWTH)))
        self._filled = needed
        return self._matrix[needed - count : needed]

    def finish(self) -> NDArray[Any]:
        """Return the filled rows."""
        if self._filled < len(self._matrix):
            self._resize(self._filled)
        return self._matrix

    def _resize(self, rows: int) -> None:
        # refcheck would count views that are no longer used; realloc moves no bytes.
        self._matrix.resize((rows, self._matrix.shape[1]), refcheck=False)


BLOCK_VALUES = 1 << 18


class Block(NamedTuple):
    """Some keys and their finite vectors."""

    keys: Sequence[str]
    vectors: Vectors


def blocks(
    embedding: Embedding, path: Path | None = None, progress: Progress | None = None
) -> Iterator[Block]:
    """Yield all rows in their order, refusing NaN and infinity if a `path` is to be written."""
    rows = max(1, BLOCK_VALUES // embedding.dimensions)
    for start in range(0, len(embedding), rows):
        keys = embedding.keys[start : start + rows]
        vectors = embedding.vectors[start : start + rows]
        if path is not None:
            refuse_non_finite(path, keys, vectors)
        yield Block(keys, vectors)
        release_pages(vectors)
        if progress is not None:
            progress(min(start + rows, len(embedding)), len(embedding))


WordList = list[str] | list[tuple[str, Any]]
"""Words in the order of the rows, or each with its row."""


def with_words(path: Path, vectors: Vectors, options: ReadOptions) -> FileContent:
    """Return a matrix with the words of `options.vocabulary`, or of the word list next to it.

    The list is a JSON list, a JSON object from words to rows, or text with a word a line, each
    perhaps followed by its count. For model.npy it is model.vocab, model.txt or model.json.
    """
    file = options.vocabulary or _companion_word_list(path)
    words, counts, notes = _read_word_list(file, options)
    notes = {"vocabulary": file.name} | notes
    places = [pair for pair in words if not isinstance(pair, str)]
    if places:
        return _place_words(path, places, vectors, options, notes, file.name)
    if len(words) != len(vectors):
        raise FileFormatError(
            f"{file.name} lists {pluralize(len(words), 'word')}, and {path.name} has "
            f"{pluralize(len(vectors), 'row')}; name the list that has a word for each row "
            "with vocabulary=... (--vocabulary)."
        )
    return match_words(path, words, vectors, options, counts, notes)


def match_words(
    path: Path,
    words: WordList,
    vectors: Vectors,
    options: ReadOptions,
    counts: Counts | None = None,
    notes: dict[str, Any] | None = None,
) -> FileContent:
    """Return the rows of words, after the checks of `checked_content`."""
    notes = notes or {}
    listed = [word for word in words if isinstance(word, str)]
    if len(listed) == len(words):
        return checked_content(path, listed, vectors, options, notes, counts)
    places = [pair for pair in words if not isinstance(pair, str)]
    return _place_words(path, places, vectors, options, notes, path.name)


def _place_words(
    path: Path,
    places: list[tuple[str, Any]],
    vectors: Vectors,
    options: ReadOptions,
    notes: dict[str, Any],
    where: str,
) -> FileContent:
    """Return the rows that words are mapped to; `where` names the file of the mapping in errors."""
    word_rows = rows_by_word(places, len(vectors), where)
    return checked_content(
        path, word_rows.words, vectors[word_rows.rows], options, notes | word_rows.notes
    )


class WordRows(NamedTuple):
    """Words, the row of each, and notes for the history."""

    words: list[Any]
    rows: list[int]
    notes: dict[str, Any]


def rows_by_word(places: Iterable[tuple[Any, Any]], count: int, name: str) -> WordRows:
    """Return words in the order of their rows, which is mostly that of frequency.

    The notes count rows that no word names, and name two words where a row is shared.
    """
    pairs = []
    for word, row in places:
        if isinstance(row, bool) or not isinstance(row, int | np.integer):
            raise FileFormatError(
                f"{name}: the vocabulary gives {short_repr(row)} for {short_repr(word)}; give each "
                "word the number of its row."
            )
        if not 0 <= row < count:
            raise FileFormatError(
                f"{name}: the vocabulary gives row {short_repr(row)} for {short_repr(word)}, and "
                f"the matrix has rows 0 to {count - 1}; give the vocabulary that belongs to it."
            )
        pairs.append((word, int(row)))
    pairs.sort(key=lambda pair: pair[1])
    words, rows = [word for word, _ in pairs], [row for _, row in pairs]
    unnamed = count - len(set(rows))
    return WordRows(
        words,
        rows,
        ({"rows without a word": unnamed} if unnamed else {}) | _shared_row_notes(words, rows),
    )


def _shared_row_notes(words: list[Any], rows: list[int]) -> dict[str, Any]:
    """Count the words that share a row, and name the first two."""
    first: dict[int, Any] = {}
    words_per_row: dict[int, int] = {}
    example = ""
    for word, row in zip(words, rows, strict=True):
        if row in first:
            words_per_row[row] = words_per_row.get(row, 1) + 1
            example = example or f"{first[row]} and {word}"
        else:
            first[row] = word
    if not words_per_row:
        return {}
    return {
        "rows shared by several words": len(words_per_row),
        "words that share a row": sum(words_per_row.values()),
        "such as": example,
    }


WORD_LIST_SUFFIXES = (".vocab", ".txt", ".json")


def _companion_word_list(path: Path) -> Path:
    candidates = [
        file for suffix in WORD_LIST_SUFFIXES if is_file(file := path.with_suffix(suffix))
    ]
    if len(candidates) == 1:
        return candidates[0]
    names = ", ".join(path.with_suffix(suffix).name for suffix in WORD_LIST_SUFFIXES)
    problem = (
        f"beside it lie {' and '.join(file.name for file in candidates)}"
        if candidates
        else (f"there is none beside it ({names})")
    )
    raise FileFormatError(
        f"{path.name} is a matrix that needs a list of words, and {problem}; name it with "
        "vocabulary=... (--vocabulary)."
    )


UNENDED_LIST = "vocabulary_line_break"
"""A detail in the history: that the last line break of a list of words is missing."""
WORD_AND_COUNT = re.compile(r"(\S+)[ \t]+([0-9]{1,18})")


def _read_word_list(
    file: Path, options: ReadOptions
) -> tuple[WordList, Counts | None, dict[str, Any]]:
    content = read_bytes(file, "the list of words", FileFormatError)
    content = content.removeprefix(b"\xef\xbb\xbf")
    if content.lstrip()[:1] in (b"[", b"{") and file.suffix.lower() == ".json":
        return _read_json(file, content), None, {}
    if not content.strip():
        raise FileFormatError(f"{file.name} holds no words; write one a line.")
    lines, notes = split_keys(file, content.removesuffix(b"\n"), options)
    lines = [line.removesuffix("\r") for line in lines]
    if not content.endswith(b"\n"):
        notes = notes | {UNENDED_LIST: f"missing after {short_repr(lines[-1], 40)}"}
    for number, line in enumerate(lines, start=1):
        if not line:
            raise FileFormatError(
                f"{file.name}, line {number} is empty, and each line is the word of a row; write "
                "the word there."
            )
    matches = [WORD_AND_COUNT.fullmatch(line) for line in lines]
    counted = [(match[1], int(match[2])) for match in matches if match]
    if len(counted) < len(lines):
        return lines, None, notes
    return [word for word, _ in counted], np.array([count for _, count in counted], np.int64), notes


def _read_json(file: Path, content: bytes) -> WordList:
    try:
        parsed = json.loads(content.decode("utf-8"), object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(
            f"{file.name} is not JSON in UTF-8 ({brief(error)}); write a list of words, or an "
            "object from each word to its row."
        ) from error
    return parse_vocabulary(parsed.pairs if isinstance(parsed, _Pairs) else parsed, file.name)


class _Pairs:
    """A JSON object as a list of pairs, which keeps repeated names."""

    pairs: list[tuple[str, Any]]

    def __init__(self, pairs: Iterable[tuple[str, Any]]) -> None:
        self.pairs = [
            (key, dict(value.pairs) if isinstance(value, _Pairs) else value) for key, value in pairs
        ]


def parse_vocabulary(vocabulary: Any, where: str) -> WordList:
    """Return a list of words, or of words and rows, from the value that a file holds."""
    if isinstance(vocabulary, dict):
        vocabulary = list(vocabulary.items())
    if isinstance(vocabulary, list) and vocabulary:
        if all(isinstance(word, str) for word in vocabulary):
            return vocabulary
        if all(isinstance(pair, tuple) and isinstance(pair[0], str) for pair in vocabulary):
            return vocabulary
    raise FileFormatError(
        f"{where} holds no vocabulary; it must be a list of words, or an object from each word to "
        "its row."
    )

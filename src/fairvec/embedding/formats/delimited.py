"""Tables of text (.csv, .tsv): a word and its numbers a line, perhaps under a line of column names.

A word that holds the separator stands in quotation marks. Decimal commas, column names that mean
counts, and numbers where words should be are refused, not guessed at. Numbers are read as float32,
but as float64 where the first lines show that float32 would round them.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path

import numpy as np

from fairvec.core.errors import FileFormatError
from fairvec.core.format import pluralize
from fairvec.core.text import short_repr
from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.base import (
    HALF_CHARACTERS,
    FileContent,
    ReadOptions,
    Vectors,
    WritableFormat,
    WriteOptions,
    open_compressed,
)
from fairvec.embedding.formats.rows import Block, GrowingMatrix, Vocabulary, blocks, refuse_empty
from fairvec.embedding.formats.text import UNCLOSED, float_type, has_float64, truncation_note

Record = tuple[int, list[str]]

NUMBER = re.compile(r"[ ]*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?[ ]*")
NOT_FINITE = re.compile(r"[ ]*[+-]?(nan|inf|infinity)[ ]*", re.IGNORECASE)
DECIMAL_COMMA = re.compile(r"[ ]*[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?[ ]*")
INTEGER = re.compile(r"[+-]?[0-9]+")
CUT_DECIMAL = re.compile(r"-0|[+-]?0[0-9]+")
"""How no integer is written, but what is left of -0,5 or 0,05 cut at its comma."""
TITLES_OF_WORDS = ("word", "words", "key", "keys", "token", "tokens", "term", "terms")
TITLES = (*TITLES_OF_WORDS, "", "index", "unnamed: 0")
TITLES_OF_COUNTS = (
    *("count", "counts", "freq", "frequency", "rank", "id"),
    *("index", "level_0", "unnamed: 0"),
)
LONGEST_WORD, MOST_BREAKS = 1 << 16, 64
"""Limits of a quoted word, which is parsed again from its start at each line break."""
ENOUGH_COUNTED = 4
"""So many consecutive integers are column numbers, not a vector."""

RECORDS_AT_ONCE = 4096
SAMPLE_RECORDS = 20


@dataclass(frozen=True)
class Delimited(WritableFormat):
    """Lines of a word and numbers with one separator; `only_by_suffix` needs the suffix too.

    Words and numbers with tabs between them are GloVe's text as well, so that only a file which is
    called .tsv is read as a table. What is written is data for programs and reads back exactly: a
    word that holds a separator stands in quotation marks, and one such as =1 gets no apostrophe,
    unlike in tables for people; import the first column as text into a spreadsheet.
    """

    name: str
    suffixes: tuple[str, ...]
    separator: str
    only_by_suffix: bool
    compressible = True
    keeps = frozenset({"float64"})
    holds = "keys of whole characters without control characters"
    impossible_key = re.compile(rf"[\x00-\x1f\x7f]|{HALF_CHARACTERS}")

    def recognises(self, path: Path, head: bytes) -> bool:
        """Say whether the first lines are a word and two numbers or more, as many on each."""
        if self.only_by_suffix and path.suffix.lower() not in self.suffixes:
            return False
        if self.separator.encode() not in head:
            return False
        text = head.decode("utf-8-sig", "replace")
        lines = text.splitlines(keepends=True) if "\n" not in text else text.split("\n")[:-1]
        rows = [fields for _, fields in islice(records(lines, self.separator), SAMPLE_RECORDS)]
        if len(rows) > 1 and len(rows[0]) > 1 and is_header(rows[0]):
            rows = rows[1:]
        return len({len(fields) for fields in rows}) == 1 and all(
            len(fields) > 2 and all(map(is_number, fields[1:])) for fields in rows
        )

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read the file a few thousand lines at a time."""
        with path.open("rb") as file:
            # Invalid UTF-8 passes through, so that Vocabulary can refuse or replace it by line.
            text = io.TextIOWrapper(file, "utf-8-sig", "surrogateescape", newline="\n")
            unclosed: list[int] = []
            lines = records(text, self.separator, unclosed)
            first = list(islice(lines, SAMPLE_RECORDS))
            if not first:
                raise FileFormatError(f"{path.name} is empty; fetch or write it again.")
            titled = len(first[0][1]) > 1 and is_header(first[0][1])
            table = _Table(path, self, first, titled, options)
            pending = first[1:] if titled else first
            size = path.stat().st_size
            while pending:
                pending += islice(lines, RECORDS_AT_ONCE - len(pending))
                table.read_block(pending)
                pending = list(islice(lines, RECORDS_AT_ONCE))
                if options.progress is not None:
                    options.progress(file.tell(), size)
            content = table.finish()
            notes = {UNCLOSED: unclosed[0]} if unclosed else {}
            return replace(content, notes=content.notes | notes)

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write the names of the columns (word, d1, d2 ...), then line after line."""
        # Imported here: the kernels import numba, which other formats do not need.
        from fairvec.embedding.formats.kernels.text_kernels import format_lines

        if embedding.dimensions == 1:
            raise FileFormatError(
                f"{path.name}: {self.name} with one number per key would be taken for a list of "
                "counts; choose .fairvec or .vec."
            )
        titles = ["word", *(f"d{place + 1}" for place in range(embedding.dimensions))]
        with open_compressed(path) as file:
            file.write(self.separator.join(titles).encode() + b"\n")
            words = iter(embedding.keys)
            for block_lines in format_lines(
                _without_keys(blocks(embedding, path, options.progress)),
                mark_float64=has_float64(embedding),
            ):
                for line in block_lines.splitlines():
                    file.write(self._quote(next(words)))
                    file.write(line[1:].replace(b" ", self.separator.encode()) + b"\n")

    def _quote(self, word: str) -> bytes:
        plain = word and '"' not in word and self.separator not in word
        return (word if plain else '"' + word.replace('"', '""') + '"').encode()


class _Table:
    """The state of one file while it is read."""

    def __init__(
        self, path: Path, kind: Delimited, first: list[Record], titled: bool, options: ReadOptions
    ) -> None:
        self.path, self.kind = path, kind
        sample = first[1] if titled and len(first) > 1 else first[0]
        self.columns = len(sample[1]) - 1
        if (titled and len(first) == 1) or self.columns < 2:
            raise FileFormatError(self._no_table_message(sample, titled and len(first) == 1))
        if titled and len(first[0][1]) not in (self.columns, self.columns + 1):
            raise FileFormatError(
                self._ragged_message(sample, len(first[0][1]) - 1, "column names")
            )
        for stray in filter(is_count_column, first[0][1][1:] if titled else ()):
            raise FileFormatError(
                f"{path.name}: the column {short_repr(stray)} is called as counts or row numbers "
                "are, which are no part of a vector; take it out, or call it otherwise."
            )
        title = first[0][1][0].strip().lower() if titled else ""
        self.has_word_title = title in TITLES_OF_WORDS
        self.vocabulary = Vocabulary(options)
        rows = path.stat().st_size // (2 * self.columns) + 1
        expected = RECORDS_AT_ONCE if options.words is None else len(options.words)
        numbers = (text.strip(" ") for _, fields in first for text in fields[1:])
        self.dtype = float_type(numbers)
        self.matrix = GrowingMatrix(min(rows, max(1, expected)), self.columns, self.dtype)
        self.rows = 0

    def read_block(self, lines: list[Record]) -> None:
        """Count all lines, and keep those of `options.words`."""
        for line in lines:
            if len(line[1]) != self.columns + 1:
                raise FileFormatError(self._ragged_message(line, self.columns, "numbers"))
        if self.kind.separator == "," and not self.rows:
            sample = lines[:SAMPLE_RECORDS]
            if cut_at_commas(value for _, fields in sample for value in fields[1:]):
                raise FileFormatError(
                    f"{self.path.name}: its numbers look like decimals with a comma, cut in two at "
                    "it; write them with decimal points."
                )
        keys = [fields[0].encode("utf-8", "surrogateescape") for _, fields in lines]
        chosen = self.vocabulary.admit(keys, lambda place: self._where(lines[place]))
        vectors = self.matrix.next_rows(len(chosen))
        for row, place in enumerate(chosen):
            vectors[row] = self._values(lines[place])
        self.rows += len(lines)

    def finish(self) -> FileContent:
        """Return what was read, unless its first column holds numbers."""
        refuse_empty(self.path, self.rows, self.columns)
        keys = self.vocabulary.keys
        if keys and not self.has_word_title and all(map(is_number, keys)):
            raise FileFormatError(
                f"{self.path.name} has numbers such as {short_repr(keys[0])} where words should "
                "stand, in its first column; put words there, or name it 'word' if these are "
                "words."
            )
        notes = self.vocabulary.notes | truncation_note(self.path, self._numbers_on)
        return FileContent(keys, self.matrix.finish(), self.rows, notes)

    def _numbers_on(self, line: str) -> list[str]:
        """Return the numbers of a line; none of an incomplete line."""
        fields = line.rstrip("\r").rsplit(self.kind.separator, self.columns)
        return [text.strip(" ") for text in fields[1:]] if len(fields) > self.columns else []

    def _values(self, line: Record) -> Vectors:
        texts = line[1][1:]
        joined = "".join(texts)
        # Python's float also reads 1_000 and the digits of other scripts.
        if joined.isascii() and "_" not in joined:
            try:
                with np.errstate(over="ignore"):
                    values: Vectors = np.array(list(map(float, texts))).astype(self.dtype)
                if np.isfinite(values).all():
                    return values
            except ValueError:
                pass  # the loop below names the field
        for place, text in enumerate(texts, start=1):
            with np.errstate(over="ignore"):
                good = NUMBER.fullmatch(text) and np.isfinite(self.dtype(float(text)))
            if not good:
                raise FileFormatError(self._no_number_message(line, place, text))
        raise FileFormatError(self._no_number_message(line, 1, texts[0]))

    def _where(self, line: Record) -> str:
        return f"{self.path.name}, line {line[0]}"

    def _no_number_message(self, line: Record, place: int, text: str) -> str:
        if DECIMAL_COMMA.fullmatch(text):
            why, remedy = "has a decimal comma", "write numbers with decimal points"
        elif ";" in text:
            why = "holds a semicolon"
            remedy = "write the table with commas between its columns and with decimal points"
        else:
            why = f"is not a finite number that {self.dtype.__name__} holds"
            remedy = "correct or remove that line"
        return f"{self._where(line)}, value {place}: {short_repr(text, 40)} {why}; {remedy}."

    def _ragged_message(self, line: Record, expected: int, what: str) -> str:
        word, *values = line[1]
        cut = self.kind.separator == "," and len(values) > expected
        remedy = "write decimals with points, or " if cut else ""
        return (
            f"{self._where(line)} ({short_repr(word, 40)}) has {pluralize(len(values), 'number')} "
            f"where there are {expected} {what}; {remedy}correct or remove that line."
        )

    def _no_table_message(self, line: Record, names_alone: bool) -> str:
        if names_alone:
            return f"{self.path.name} holds column names and no vectors; write it again."
        if self.columns == 1:
            return (
                f"{self.path.name} has one number per word: that is a list of counts, not an "
                "embedding; name the file with the vectors."
            )
        separator = "comma" if self.kind.separator == "," else "tab"
        return (
            f"{self._where(line)} has no {separator} between a word and numbers; write the table "
            f"with {separator}s between its columns and with decimal points."
        )


CSV = Delimited("csv", (".csv",), ",", only_by_suffix=False)
TSV = Delimited("tsv", (".tsv",), "\t", only_by_suffix=True)


def _without_keys(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks under placeholder keys of one letter, which quoted words replace."""
    for block in blocks:
        yield Block(["-"] * len(block.keys), block.vectors)


def records(
    lines: Iterable[str], separator: str, unclosed: list[int] | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line that is not blank, and its fields.

    A word in quotation marks may hold separators and line breaks. A mark that opens and never
    closes on a line of numbers is a word of its own, as naive writers leave it; the first line with
    one is appended to `unclosed`.
    """
    text, first_line, breaks = "", 0, 0
    for number, line in enumerate(lines, start=1):
        if not text and '"' not in line:
            stripped = line.rstrip("\r\n")
            if stripped.strip():
                yield number, stripped.split(separator)
            continue
        text, first_line, breaks = text + line, first_line or number, breaks + 1
        short = len(text) < LONGEST_WORD and breaks <= MOST_BREAKS
        # Only a mark can close a word.
        fields = _split_quoted(text, separator) if '"' in line else None
        if fields is None and short and not _is_unquoted(line, text, separator):
            continue
        if fields is None and unclosed == []:
            unclosed.append(first_line)
        yield first_line, text.rstrip("\r\n").split(separator) if fields is None else fields
        text, first_line, breaks = "", 0, 0
    if text:
        if unclosed == []:
            unclosed.append(first_line)
        yield first_line, text.rstrip("\r\n").split(separator)


def _split_quoted(text: str, separator: str) -> list[str] | None:
    """Return the fields of a text whose quotation marks close, or None."""
    try:
        rows = list(csv.reader([text], delimiter=separator, strict=True))
    except csv.Error:
        return None
    return rows[0] if len(rows) == 1 else None


def _is_unquoted(line: str, text: str, separator: str) -> bool:
    """Say whether a quotation mark is itself a word: its line is complete without a closing one."""
    word, *values = line.rstrip("\r\n").split(separator)
    return line == text and len(values) > 1 and bool(word) and all(map(is_number, values))


def is_header(fields: list[str]) -> bool:
    """Say whether a line names the columns: no number in it, or they are counted 0, 1, 2 ..."""
    title, values = fields[0], fields[1:]
    if not any(is_number(value) or DECIMAL_COMMA.fullmatch(value) for value in values):
        return True
    if not all(value.isascii() and value.isdigit() and len(value) < 9 for value in values):
        return False
    counted = [int(value) for value in values]
    in_order = counted[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(counted))
    return in_order and (title.strip().lower() in TITLES or len(counted) >= ENOUGH_COUNTED)


def is_number(text: str) -> bool:
    """Say whether a field is a number, also NaN or infinity, which are refused later."""
    return bool(NUMBER.fullmatch(text) or NOT_FINITE.fullmatch(text))


def is_count_column(title: str) -> bool:
    """Say whether a column title means counts or row numbers, which are no coordinates."""
    return title.strip().lower() in TITLES_OF_COUNTS


def cut_at_commas(values: Iterable[str]) -> bool:
    """Say whether numbers look like decimals whose comma was taken for a separator."""
    texts = [value.strip() for value in values]
    return all(map(INTEGER.fullmatch, texts)) and any(map(CUT_DECIMAL.fullmatch, texts))

"""Tables of text (.csv, .tsv): a word, then its numbers; read and written."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from re import Pattern

import numpy as np

from fairvec.core.errors import FileFormatError
from fairvec.core.format import pluralize
from fairvec.core.text import short_repr
from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.base import (
    HALF_CHARACTERS,
    FileContent,
    Part,
    ReadOptions,
    WriteOptions,
    open_compressed,
)
from fairvec.embedding.formats.rows import Block, GrowingMatrix, Vocabulary, blocks, refuse_empty
from fairvec.embedding.formats.text import truncation_note

# The fields of a line: what stands between separators, in quotation marks or without.


NUMBER = re.compile(r"[ ]*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?[ ]*")
NOT_FINITE = re.compile(r"[ ]*[+-]?(nan|inf|infinity)[ ]*", re.IGNORECASE)
DECIMAL_COMMA = re.compile(r"[ ]*[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?[ ]*")
WHOLE = re.compile(r"[+-]?[0-9]+")
TOLD_APART = re.compile(r"-0|[+-]?0[0-9]+")
"""What no whole number is written like, and what is left of -0,5 or 0,05 cut at its comma."""
TITLES_OF_WORDS = ("word", "words", "key", "keys", "token", "tokens", "term", "terms")
TITLES = (*TITLES_OF_WORDS, "", "index", "unnamed: 0")
TITLES_OF_COUNTS = (
    *("count", "counts", "freq", "frequency", "rank", "id"),
    *("index", "level_0", "unnamed: 0"),
)
LONGEST_WORD, MOST_BREAKS = 1 << 16, 64
"""No word is longer, or has more line breaks, each of which is looked at again from its start."""
SURELY_COUNTED = 4
"""So many whole numbers in a row count columns and are no vector."""


def is_number(text: str) -> bool:
    """Say whether a field is a number, be it NaN or infinity, which is refused later."""
    return bool(NUMBER.fullmatch(text) or NOT_FINITE.fullmatch(text))


def records(lines: Iterable[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line that is not blank, and its fields.

    A word in quotation marks may hold separators and line breaks. A mark that opens and never
    closes on a line of numbers is a word of its own, as naive writers leave it.
    """
    held, began, breaks = "", 0, 0
    for number, line in enumerate(lines, start=1):
        if not held and '"' not in line:
            bare = line.rstrip("\r\n")
            if bare.strip():
                yield number, bare.split(separator)
            continue
        held, began, breaks = held + line, began or number, breaks + 1
        short = len(held) < LONGEST_WORD and breaks <= MOST_BREAKS
        # Only a mark can close a word.
        fields = _quoted(held, separator) if '"' in line else None
        if fields is None and short and not _is_bare(line, held, separator):
            continue
        yield began, held.rstrip("\r\n").split(separator) if fields is None else fields
        held, began, breaks = "", 0, 0
    if held:
        yield began, held.rstrip("\r\n").split(separator)


def _quoted(text: str, separator: str) -> list[str] | None:
    """Return the fields of a text whose quotation marks close, or None."""
    try:
        found = list(csv.reader([text], delimiter=separator, strict=True))
    except csv.Error:
        return None
    return found[0] if len(found) == 1 else None


def _is_bare(line: str, held: str, separator: str) -> bool:
    """Say whether a quotation mark is a word: its line is whole without reading it as a mark."""
    word, *values = line.rstrip("\r\n").split(separator)
    return line == held and len(values) > 1 and bool(word) and all(map(is_number, values))


def no_dimension(title: str) -> bool:
    """Say whether a column is called as counts and row numbers are, which are no coordinates."""
    return title.strip().lower() in TITLES_OF_COUNTS


def is_header(fields: list[str]) -> bool:
    """Say whether a line names the columns: no number in it, or they are counted 0, 1, 2 ..."""
    title, values = fields[0], fields[1:]
    if not any(is_number(value) or DECIMAL_COMMA.fullmatch(value) for value in values):
        return True
    if not all(value.isascii() and value.isdigit() and len(value) < 9 for value in values):
        return False
    counted = [int(value) for value in values]
    in_order = counted[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(counted))
    return in_order and (title.strip().lower() in TITLES or len(counted) >= SURELY_COUNTED)


def cut_at_commas(values: Iterable[str]) -> bool:
    """Say whether numbers look like decimals whose comma was taken for a separator."""
    texts = [value.strip() for value in values]
    return all(map(WHOLE.fullmatch, texts)) and any(map(TOLD_APART.fullmatch, texts))


RECORDS_AT_ONCE = 4096
LOOKED_AT = 20
Record = tuple[int, list[str]]


@dataclass(frozen=True)
class Delimited:
    """Lines of a word and numbers with one separator; `only_named` asks for the ending too.

    Words and numbers with tabs between them are GloVe's text as well, so that only a file which is
    called .tsv is read as a table.
    """

    name: str
    suffixes: tuple[str, ...]
    separator: str
    only_named: bool

    def recognises(self, path: Path, head: bytes) -> bool:
        """Say whether the first lines are a word and two numbers or more, as many on each."""
        if self.only_named and path.suffix.lower() not in self.suffixes:
            return False
        if self.separator.encode() not in head:
            return False
        text = head.decode("utf-8-sig", "replace")
        lines = text.splitlines(keepends=True) if "\n" not in text else text.split("\n")[:-1]
        found = [each for _, each in islice(records(lines, self.separator), LOOKED_AT)]
        if len(found) > 1 and len(found[0]) > 1 and is_header(found[0]):
            found = found[1:]
        return len({len(each) for each in found}) == 1 and all(
            len(each) > 2 and all(map(is_number, each[1:])) for each in found
        )

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read the file a few thousand lines at a time."""
        with path.open("rb") as file:
            # Bytes that are no UTF-8 come through, to be refused or replaced where they stand.
            text = io.TextIOWrapper(file, "utf-8-sig", "surrogateescape", newline="\n")
            lines = records(text, self.separator)
            first = list(islice(lines, 2))
            if not first:
                raise FileFormatError(f"{path.name} is empty; fetch or write it again.")
            titled = len(first[0][1]) > 1 and is_header(first[0][1])
            table = _Table(path, self, first, titled, options)
            waiting = first[1:] if titled else first
            size = path.stat().st_size
            while waiting:
                waiting += islice(lines, RECORDS_AT_ONCE - len(waiting))
                table.take(waiting)
                waiting = list(islice(lines, RECORDS_AT_ONCE))
                if options.progress is not None:
                    options.progress(file.tell(), size)
            return table.finished()


class _Table:
    """One file being read."""

    def __init__(
        self, path: Path, kind: Delimited, first: list[Record], titled: bool, options: ReadOptions
    ) -> None:
        self.path, self.kind = path, kind
        sample = first[-1] if titled else first[0]
        self.columns = len(sample[1]) - 1
        if (titled and len(first) == 1) or self.columns < 2:
            raise FileFormatError(self._no_table(sample, titled and len(first) == 1))
        if titled and len(first[0][1]) not in (self.columns, self.columns + 1):
            raise FileFormatError(self._ragged(sample, len(first[0][1]) - 1, "column names"))
        for stray in filter(no_dimension, first[0][1][1:] if titled else ()):
            raise FileFormatError(
                f"{path.name}: the column {short_repr(stray)} is called as counts or row numbers "
                "are, which are no part of a vector; take it out, or call it otherwise."
            )
        title = first[0][1][0].strip().lower() if titled else ""
        self.says_words = title in TITLES_OF_WORDS
        self.vocabulary = Vocabulary(options)
        rows = path.stat().st_size // (2 * self.columns) + 1
        expected = RECORDS_AT_ONCE if options.words is None else len(options.words)
        self.matrix = GrowingMatrix(min(rows, max(1, expected)), self.columns)
        self.rows = 0

    def take(self, lines: list[Record]) -> None:
        """Keep the wanted lines; all are counted."""
        for line in lines:
            if len(line[1]) != self.columns + 1:
                raise FileFormatError(self._ragged(line, self.columns, "numbers"))
        if self.kind.separator == "," and not self.rows:
            some = lines[:LOOKED_AT]
            if cut_at_commas(value for _, each in some for value in each[1:]):
                raise FileFormatError(
                    f"{self.path.name}: its numbers look like decimals with a comma, cut in two at "
                    "it; write them with decimal points."
                )
        keys = [each[0].encode("utf-8", "surrogateescape") for _, each in lines]
        chosen = self.vocabulary.admit(keys, lambda place: self._where(lines[place]))
        vectors = self.matrix.next_rows(len(chosen))
        for row, place in enumerate(chosen):
            vectors[row] = self._values(lines[place])
        self.rows += len(lines)

    def finished(self) -> FileContent:
        """Return what was read, if its first column may be words."""
        refuse_empty(self.path, self.rows, self.columns)
        keys = self.vocabulary.keys
        if keys and not self.says_words and all(map(is_number, keys)):
            raise FileFormatError(
                f"{self.path.name} has numbers such as {short_repr(keys[0])} where words should "
                "stand, in its first column; put words there, or name it 'word' if these are "
                "words."
            )
        notes = self.vocabulary.notes | truncation_note(self.path, self._numbers_on)
        return FileContent(keys, self.matrix.finished(), self.rows, notes)

    def _numbers_on(self, line: str) -> list[str]:
        """Return the numbers of a line, none if they are not all there."""
        found = line.rstrip("\r").rsplit(self.kind.separator, self.columns)
        return [text.strip(" ") for text in found[1:]] if len(found) > self.columns else []

    def _values(self, line: Record) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
        texts = line[1][1:]
        whole = "".join(texts)
        # Python's float also reads 1_000 and the digits of other scripts.
        if whole.isascii() and "_" not in whole:
            try:
                with np.errstate(over="ignore"):
                    found = np.array(list(map(float, texts))).astype(np.float32)
                if np.isfinite(found).all():
                    return found
            except ValueError:
                pass  # the loop below finds which field it is, and says so
        for place, text in enumerate(texts, start=1):
            with np.errstate(over="ignore"):
                good = NUMBER.fullmatch(text) and np.isfinite(np.float32(float(text)))
            if not good:
                raise FileFormatError(self._no_number(line, place, text))
        raise FileFormatError(self._no_number(line, 1, texts[0]))

    def _where(self, line: Record) -> str:
        return f"{self.path.name}, line {line[0]}"

    def _no_number(self, line: Record, place: int, text: str) -> str:
        if DECIMAL_COMMA.fullmatch(text):
            why, remedy = "has a decimal comma", "write numbers with decimal points"
        elif ";" in text:
            why = "holds a semicolon"
            remedy = "write the table with commas between its columns and with decimal points"
        else:
            why, remedy = "is not a finite number that float32 holds", "correct or remove that line"
        return f"{self._where(line)}, value {place}: {short_repr(text, 40)} {why}; {remedy}."

    def _ragged(self, line: Record, wanted: int, what: str) -> str:
        word, *values = line[1]
        cut = self.kind.separator == "," and len(values) > wanted
        remedy = "write decimals with points, or " if cut else ""
        return (
            f"{self._where(line)} ({short_repr(word, 40)}) has {pluralize(len(values), 'number')} "
            f"where there are {wanted} {what}; {remedy}correct or remove that line."
        )

    def _no_table(self, line: Record, names_alone: bool) -> str:
        if names_alone:
            return f"{self.path.name} holds column names and no vectors; write it again."
        if self.columns == 1:
            return (
                f"{self.path.name} has one number per word: that is a list of counts, not an "
                "embedding; name the file with the vectors."
            )
        called = "comma" if self.kind.separator == "," else "tab"
        return (
            f"{self._where(line)} has no {called} between a word and numbers; write the table with "
            f"{called}s between its columns and with decimal points."
        )


CSV = Delimited("csv", (".csv",), ",", only_named=False)
TSV = Delimited("tsv", (".tsv",), "\t", only_named=True)


# Tables of text (.csv, .tsv): a line of column names, then a word and its numbers a line.


@dataclass(frozen=True)
class DelimitedWriter:
    """Lines of a word and numbers; a word that holds a separator stands in quotation marks.

    It is data for programs and comes back as it was: a word such as =1 gets no apostrophe, unlike
    in tables for people, so that a spreadsheet should be told to take the first column as text.
    """

    name: str
    suffixes: tuple[str, ...]
    separator: str
    packable: bool = True
    keeps: frozenset[Part] = frozenset({"float64"})
    holds: str = "keys of whole characters without control characters"
    impossible_key: Pattern[str] = re.compile(rf"[\x00-\x1f\x7f]|{HALF_CHARACTERS}")

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write the names of the columns (word, d1, d2 ...), then line after line."""
        # Here and not above: the compiled loops bring numba, which no other format needs.
        from fairvec.embedding.formats.text_kernels import lines

        if embedding.dimensions == 1:
            raise FileFormatError(
                f"{path.name}: {self.name} with one number per key would be taken for a list of "
                "counts; choose .fairvec or .vec."
            )
        titles = ["word", *(f"d{place + 1}" for place in range(embedding.dimensions))]
        with open_compressed(path) as file:
            file.write(self.separator.join(titles).encode() + b"\n")
            words = iter(embedding.keys)
            for written in lines(_nameless(blocks(embedding, path, options.progress))):
                for line in written.splitlines():
                    file.write(self._quoted(next(words)))
                    file.write(line[1:].replace(b" ", self.separator.encode()) + b"\n")

    def _quoted(self, word: str) -> bytes:
        plain = word and '"' not in word and self.separator not in word
        return (word if plain else '"' + word.replace('"', '""') + '"').encode()


def _nameless(written: Iterable[Block]) -> Iterator[Block]:
    """Give blocks of numbers under keys of one letter, which quoted words take the place of."""
    for block in written:
        yield Block(["-"] * len(block.keys), block.vectors)


WRITES_CSV = DelimitedWriter("csv", (".csv",), ",")
WRITES_TSV = DelimitedWriter("tsv", (".tsv",), "\t")

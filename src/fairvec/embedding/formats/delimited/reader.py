"""Tables of text (.csv, .tsv): a word, then its numbers, with a line of column names or none."""

import io
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from fairvec.embedding.formats.checks import refuse_empty
from fairvec.embedding.formats.delimited import fields as in_fields
from fairvec.embedding.formats.last_number import said_of_ending
from fairvec.embedding.formats.matrix import GrowingMatrix
from fairvec.embedding.formats.reading import Raw, ReadOptions
from fairvec.embedding.formats.vocabulary import Vocabulary
from fairvec.ground.errors import FileFormatError
from fairvec.ground.numbers import counted
from fairvec.ground.text.shown_values import shown

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
        found = [each for _, each in islice(in_fields.records(lines, self.separator), LOOKED_AT)]
        if len(found) > 1 and len(found[0]) > 1 and in_fields.is_header(found[0]):
            found = found[1:]
        return len({len(each) for each in found}) == 1 and all(
            len(each) > 2 and all(map(in_fields.is_number, each[1:])) for each in found
        )

    def read(self, path: Path, options: ReadOptions) -> Raw:
        """Read the file a few thousand lines at a time."""
        with path.open("rb") as file:
            # Bytes that are no UTF-8 come through, to be refused or replaced where they stand.
            text = io.TextIOWrapper(file, "utf-8-sig", "surrogateescape", newline="\n")
            lines = in_fields.records(text, self.separator)
            first = list(islice(lines, 2))
            if not first:
                raise FileFormatError(f"{path.name} is empty; fetch or write it again.")
            titled = len(first[0][1]) > 1 and in_fields.is_header(first[0][1])
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
        for stray in filter(in_fields.no_dimension, first[0][1][1:] if titled else ()):
            raise FileFormatError(
                f"{path.name}: the column {shown(stray)} is called as counts or row numbers are, "
                "which are no part of a vector; take it out, or call it otherwise."
            )
        title = first[0][1][0].strip().lower() if titled else ""
        self.says_words = title in in_fields.TITLES_OF_WORDS
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
            if in_fields.cut_at_commas(value for _, each in some for value in each[1:]):
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

    def finished(self) -> Raw:
        """Return what was read, if its first column may be words."""
        refuse_empty(self.path, self.rows, self.columns)
        keys = self.vocabulary.keys
        if keys and not self.says_words and all(map(in_fields.is_number, keys)):
            raise FileFormatError(
                f"{self.path.name} has numbers such as {shown(keys[0])} where words should stand, "
                "in its first column; put words there, or name it 'word' if these are words."
            )
        notes = self.vocabulary.notes | said_of_ending(self.path, self._numbers_on)
        return Raw(keys, self.matrix.finished(), self.rows, notes)

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
                good = in_fields.NUMBER.fullmatch(text) and np.isfinite(np.float32(float(text)))
            if not good:
                raise FileFormatError(self._no_number(line, place, text))
        raise FileFormatError(self._no_number(line, 1, texts[0]))

    def _where(self, line: Record) -> str:
        return f"{self.path.name}, line {line[0]}"

    def _no_number(self, line: Record, place: int, text: str) -> str:
        if in_fields.DECIMAL_COMMA.fullmatch(text):
            why, remedy = "has a decimal comma", "write numbers with decimal points"
        elif ";" in text:
            why = "holds a semicolon"
            remedy = "write the table with commas between its columns and with decimal points"
        else:
            why, remedy = "is not a finite number that float32 holds", "correct or remove that line"
        return f"{self._where(line)}, value {place}: {shown(text, 40)} {why}; {remedy}."

    def _ragged(self, line: Record, wanted: int, what: str) -> str:
        word, *values = line[1]
        cut = self.kind.separator == "," and len(values) > wanted
        remedy = "write decimals with points, or " if cut else ""
        return (
            f"{self._where(line)} ({shown(word, 40)}) has {counted(len(values), 'number')} where "
            f"there are {wanted} {what}; {remedy}correct or remove that line."
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

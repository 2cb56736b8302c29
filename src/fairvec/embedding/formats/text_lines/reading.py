"""Lines of text into keys and vectors: compiled loops on all cores, block after block."""

from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import pairwise
from os import cpu_count
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding.formats.checks import refuse_empty
from fairvec.embedding.formats.last_number import said_of_ending
from fairvec.embedding.formats.matrix import GrowingMatrix
from fairvec.embedding.formats.reading import Raw, ReadOptions
from fairvec.embedding.formats.text_lines import head as text_head
from fairvec.embedding.formats.text_lines import reading_kernels as text_kernels
from fairvec.embedding.formats.text_lines.line_blocks import LineBlock, line_blocks
from fairvec.embedding.formats.text_lines.reader import Layout
from fairvec.embedding.formats.text_lines.reading_kernels import (
    KEY_END,
    KEY_START,
    LINE,
    LINE_END,
    VALUES_START,
)
from fairvec.embedding.formats.vocabulary import Vocabulary
from fairvec.ground.errors import FileFormatError
from fairvec.ground.numbers import counted
from fairvec.ground.text.shown_values import shown

Answer = TypeVar("Answer")
MOST_THREADS = 8


def read_lines(path: Path, layout: Layout, options: ReadOptions) -> Raw:
    """Read every line, keep the wanted ones, and check the count that the header promises."""
    reading = _Reading(path, layout, options)
    with ThreadPoolExecutor(min(cpu_count() or 1, MOST_THREADS)) as pool:
        for block in line_blocks(path, layout.offset, options.progress):
            reading.take(block, pool)
    return reading.finished()


class _Reading:
    """One file being read."""

    def __init__(self, path: Path, layout: Layout, options: ReadOptions) -> None:
        self.path, self.layout = path, layout
        self.vocabulary = Vocabulary(options)
        rows = layout.expected_rows
        self.matrix = GrowingMatrix(
            rows if options.words is None else min(rows, len(options.words)), layout.columns
        )
        self.next_line = 1 if layout.promised_rows is None else 2
        self.rows = 0

    def take(self, block: LineBlock, pool: Executor) -> None:
        """Read the lines of a block: all are counted, the wanted ones are kept."""
        array, columns = block.array, self.layout.columns
        places = np.empty((len(block.starts), 5), dtype=np.int64)
        places[:, LINE] = np.arange(len(places))
        _in_parts(
            pool,
            len(places),
            lambda part: text_kernels.split_lines(
                array, block.starts[part], block.ends[part], columns, places[part]
            ),
        )
        places = places[places[:, KEY_START] >= 0]
        self._refuse_wrong_number_of_values(block, places)
        self.rows += len(places)
        spans = zip(places[:, KEY_START].tolist(), places[:, KEY_END].tolist(), strict=True)
        chosen = self.vocabulary.admit(
            [block.buffer[start:end] for start, end in spans],
            lambda position: self._where(places[position]),
        )
        places = places[chosen]
        vectors = self.matrix.next_rows(len(places))
        unsettled = _in_parts(
            pool,
            len(places),
            lambda part: text_kernels.read_values(array, places[part], vectors[part]),
        )
        if any(unsettled):
            self._settle(block, places, vectors)
        self.next_line += len(block.starts)

    def finished(self) -> Raw:
        """Return what was read, if the header told the truth."""
        promised = self.layout.promised_rows
        if promised is not None and promised != self.rows:
            vectors = "vector" if promised == 1 else "vectors"
            raise FileFormatError(
                f"{self.path.name} promises {promised:,} {vectors} on its first line but holds "
                f"{self.rows:,}; fetch it again if it was cut off, or correct the first line."
            )
        refuse_empty(self.path, self.rows, self.layout.columns)
        notes = self.vocabulary.notes | said_of_ending(self.path, self._numbers_on)
        return Raw(self.vocabulary.keys, self.matrix.finished(), self.rows, notes)

    def _numbers_on(self, line: str) -> list[str]:
        """Return the numbers of a line; none of a header, or of a line that is not whole."""
        texts = line.strip("\r").replace("\t", " ").split(" ")
        found = [text for text in texts if text]
        return found[-self.layout.columns :] if len(found) > self.layout.columns else []

    def _where(self, place: NDArray[np.int64]) -> str:
        return f"{self.path.name}, line {self.next_line + int(place[LINE])}"

    def _refuse_wrong_number_of_values(self, block: LineBlock, places: NDArray[np.int64]) -> None:
        wrong = places[places[:, KEY_END] < 0]
        if len(wrong):
            line = block.line(int(wrong[0, LINE]))
            key = text_head.fields(line)[0].decode("utf-8", "replace")
            says = "most lines have" if self.layout.promised_rows is None else "the header promises"
            # What is cut off ends in a line that is too short, the last one that there is.
            count = text_head.values_on(line)
            cut = count < self.layout.columns and wrong[0, LINE] == places[-1, LINE]
            again = "fetch the file again if it was cut off there, or " if cut else ""
            raise FileFormatError(
                f"{self._where(wrong[0])} ({shown(key, 40)}) ends in "
                f"{counted(count, 'number')} where {says} {self.layout.columns}; {again}"
                "correct or remove that line."
            )

    def _settle(
        self, block: LineBlock, places: NDArray[np.int64], vectors: NDArray[np.float32]
    ) -> None:
        """Let Python read each value that the compiled loop left open, or refuse it."""
        for row in np.flatnonzero(~np.isfinite(vectors).all(axis=1)):
            values = block.buffer[places[row, VALUES_START] : places[row, LINE_END]]
            texts = text_head.fields(bytes(values))
            for column in np.flatnonzero(~np.isfinite(vectors[row])):
                with np.errstate(over="ignore"):
                    number = text_head.NUMBER.fullmatch(texts[column])
                    vectors[row, column] = float(texts[column]) if number else np.nan
                if not np.isfinite(vectors[row, column]):
                    refused = texts[column].decode("utf-8", "replace")
                    named = text_head.NOT_FINITE.fullmatch(texts[column])
                    room = "" if named else " that float32 holds"
                    raise FileFormatError(
                        f"{self._where(places[row])}, value {column + 1}: "
                        f"{shown(refused, 40)} is not a finite number{room}; correct or remove "
                        "that line."
                    )


def _in_parts(pool: Executor, length: int, work: Callable[[slice], Answer]) -> list[Answer]:
    """Do the work on equal parts of 0..length, one per thread."""
    cuts = np.linspace(0, length, min(cpu_count() or 1, MOST_THREADS) + 1).astype(int).tolist()
    return list(pool.map(work, (slice(start, stop) for start, stop in pairwise(cuts))))

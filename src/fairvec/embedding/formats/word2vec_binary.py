"""word2vec's binary format: the line "rows columns", then key, space and raw float32 per record."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError, GeometryError
from fairvec.core.format import omit_hint
from fairvec.core.io.atomic_files import Progress
from fairvec.core.text import short_repr
from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats import text as text_head
from fairvec.embedding.formats.base import (
    HALF_CHARACTERS,
    HEAD_BYTES,
    FileContent,
    ReadOptions,
    WritableFormat,
    WriteOptions,
    open_compressed,
)
from fairvec.embedding.formats.rows import Block, GrowingMatrix, Vocabulary, blocks, refuse_empty
from fairvec.geometry import Geometry

BLOCK_BYTES = 1 << 20  # small enough to stay in the processor's cache
ROOM_FOR_KEY = 1 << 14


class Word2VecBinary(WritableFormat):
    """Records of a key and raw float32, as gensim writes them; wider numbers are rounded."""

    name = "word2vec-binary"
    suffixes = (".bin",)
    compressible = True
    keeps = frozenset()
    holds = "keys of at least one character without spaces and line breaks"
    impossible_key = re.compile(rf"^\Z|[ \n]|{HALF_CHARACTERS}")

    def recognises(self, path: Path, head: bytes) -> bool:
        """Say whether the head is a header line and then raw floats."""
        return text_head.line_format(head) == self.name

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read the file block by block; vectors of other words are skipped."""
        header = _header(path)
        # The file bounds the rows, whatever the header says.
        rows = min(header.rows, path.stat().st_size // (4 * header.columns))
        if options.words is not None:
            rows = min(rows, len(options.words))
        matrix = GrowingMatrix(rows, header.columns)
        vocabulary, done = Vocabulary(options), 0
        for block in _blocks(path, header, options.progress):
            chosen = vocabulary.admit(
                [key.strip(b"\n ") for key in block.keys], partial(_record_name, path, done)
            )
            vectors = matrix.next_rows(len(chosen))
            vectors.view(block.records.dtype)[:, 0] = block.records[block.starts[chosen]]
            finite = np.isfinite(vectors).all(axis=1)
            if not finite.all():
                raise FileFormatError(
                    f"{_record_name(path, done, chosen[int(finite.argmin())])}: the vector holds "
                    "NaN or infinity; remove that record, or fetch the file again."
                )
            done += len(block.keys)
        return FileContent(vocabulary.keys, matrix.finish(), done, vocabulary.notes)

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write record after record, a block at a time."""
        with open_compressed(path) as file:
            file.write(b"%d %d\n" % embedding.vectors.shape)
            for block in blocks(embedding, path, options.progress):
                file.write(_records(block, embedding.geometry, path))


def _header(path: Path) -> text_head.Header:
    with path.open("rb") as file:
        header = text_head.parse_header(file.read(HEAD_BYTES))
    if header is None:
        raise FileFormatError(
            f"{path.name} does not begin with the line 'rows columns' of word2vec's binary "
            f"format; leave out {omit_hint('format')} to have the format recognised."
        )
    refuse_empty(path, header.rows, header.columns)
    return header


def _record_name(path: Path, done: int, position: int) -> str:
    return f"{path.name}, record {done + position + 1}"


class _Block(NamedTuple):
    """Complete records: their keys with the bytes around them, and where their vectors start."""

    keys: list[bytes]
    starts: NDArray[np.int64]
    records: NDArray[np.void]
    """The vector that would start at each byte; `starts` says which of them are real."""


def _blocks(path: Path, header: text_head.Header, progress: Progress | None) -> Iterator[_Block]:
    """Yield as many records as the header promises, in one reused buffer."""
    size, width, left = path.stat().st_size, 4 * header.columns, header.rows
    if width > size:
        raise _cut_off_error(path, header, 1, size)
    memory = memoryview(bytearray(max(BLOCK_BYTES, 2 * (ROOM_FOR_KEY + width))))
    records = np.ndarray(len(memory) - width, dtype=f"V{width}", buffer=memory, strides=(1,))
    # The second branch takes the rest at once where no complete record is left.
    record = re.compile(rb"([^ ]*+ ).{%d}|.+" % width, re.DOTALL)
    carried = 0
    with path.open("rb", buffering=0) as file:
        file.seek(header.length)
        while left and (count := file.readinto(memory[carried:])):
            stop = carried + count
            keys = [key for key in record.findall(memory[:stop]) if key][:left]
            ends = np.cumsum(np.fromiter(map(len, keys), np.int64, len(keys)) + width)
            yield _Block(keys, ends - width, records)
            rest = int(ends[-1]) if keys else 0
            left, carried = left - len(keys), stop - rest
            memory[:carried] = memory[rest:stop]
            if progress is not None:
                progress(file.tell(), size)
        beyond = bytes(memory[:carried]) + file.read(HEAD_BYTES)
    if left:
        raise _cut_off_error(path, header, header.rows - left + 1, size)
    if beyond.strip(b" \r\n"):
        raise FileFormatError(
            f"{path.name} goes on after the {header.rows} records that its header promises; "
            "correct the first line, or fetch or write the file again."
        )


def _cut_off_error(path: Path, header: text_head.Header, record: int, size: int) -> FileFormatError:
    return FileFormatError(
        f"{path.name}: record {record} of {header.rows} is cut off (the header promises "
        f"{header.rows} x {header.columns}, the file has {size} bytes); "
        "fetch or write the file again."
    )


def _records(block: Block, geometry: Geometry, path: Path) -> bytes:
    with np.errstate(over="ignore"):
        float32s = block.vectors.astype("<f4", order="C", copy=False)
    if float32s.itemsize < block.vectors.itemsize:
        inside = geometry.contains(float32s.astype(np.float64))
        if not inside.all():
            raise GeometryError(
                f"{path.name} would hold float32, which moves "
                f"{short_repr(block.keys[int(inside.argmin())])} out of the {geometry.name} space; "
                "choose .fairvec, .npz or .safetensors."
            )
    data, width = float32s.data.cast("B"), 4 * float32s.shape[1]
    pieces: list[bytes | memoryview] = []
    for row, key in enumerate(block.keys):
        pieces += (key.encode(), b" ", data[row * width : (row + 1) * width])
    return b"".join(pieces)

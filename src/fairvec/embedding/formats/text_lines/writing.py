"""Keys and vectors into lines of text; importing this file imports numba."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from os import cpu_count

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding.formats.blocks import Block
from fairvec.embedding.formats.reading import Vectors
from fairvec.embedding.formats.text_lines.writing_kernels import (
    LONGEST_VALUE,
    UNSETTLED,
    write_lines,
)

MOST_THREADS = 8


def lines(blocks: Iterable[Block]) -> Iterator[bytes]:
    """Yield the lines of each block in order, while the next blocks are being worked on."""
    threads = min(cpu_count() or 1, MOST_THREADS)
    pending: deque[Future[bytes]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for block in blocks:
            pending.append(pool.submit(_lines, block))
            if len(pending) > threads:
                yield pending.popleft().result()
        for future in pending:
            yield future.result()


def _lines(block: Block) -> bytes:
    keys = [key.encode() for key in block.keys]
    if block.vectors.dtype.itemsize > 4:
        return b"".join(map(_line, keys, block.vectors.astype(np.float64, copy=False)))
    # Every float16 is a float32, and as such it is read back.
    return _compiled_lines(keys, block.vectors.astype(np.float32, copy=False))


def _compiled_lines(keys: Sequence[bytes], vectors: NDArray[np.float32]) -> bytes:
    joined = np.frombuffer(b"".join(keys), dtype=np.uint8)
    key_ends = np.cumsum(np.fromiter(map(len, keys), np.int64, len(keys)))
    room = len(joined) + vectors.size * LONGEST_VALUE + len(keys)
    text, line_ends = np.empty(room, dtype=np.uint8), np.empty(len(keys), dtype=np.int64)
    length = write_lines(joined, key_ends, vectors, text, line_ends)
    written = text[:length].tobytes()
    if (line_ends != UNSETTLED).all():
        return written
    pieces, start = [], 0
    for key, vector, end in zip(keys, vectors, line_ends.tolist(), strict=True):
        if end == UNSETTLED:
            pieces.append(_line(key, vector))
        else:
            pieces.append(written[start:end])
            start = end
    return b"".join(pieces)


def _line(key: bytes, vector: Vectors) -> bytes:
    return b"%b %b\n" % (key, " ".join(map(_number, vector)).encode())


def _number(value: np.float32 | np.float64) -> str:
    """Return the shortest decimal, or a longer one that readers through float64 get right too."""
    exact = float(value)
    if isinstance(value, np.float64):
        return repr(exact)
    short = np.format_float_scientific(value)
    return short if np.float32(float(short)) == value else repr(exact)

"""Convert models to `.fairvec` while they are downloaded: wink, wordllama.

wink-embeddings is one line of JSON. First come the number of dimensions d and the words, the most
frequent first; then each word, in the same order, has d + 2 numbers: its vector, the vector's
length and the word's position. Memory holds the words and one block of rows, never the matrix. Of
wordllama's token vectors, those of tokens that begin a word become words.
"""

import json
import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import DownloadError, FileFormatError, filter_warnings
from fairvec.core.io.safetensors import open_tensors
from fairvec.core.parsing import parse_json
from fairvec.core.text import short_repr

BLOCK = 1 << 22
ROW = re.compile(rb'"((?:[^"\\]|\\.)*)":\[([^]]*)\]')
VECTORS = b',"vectors":{'
MOST_DIMENSIONS = 1 << 16


def convert_wink(source: Path, target: Path, name: str, licence: str, origin: str) -> None:
    """Write the words and vectors (float32) of `source` to the .fairvec file `target`."""
    with source.open("rb") as stream, target.open("wb") as file:
        head, rest = _read_header(stream)
        words, dimensions = head["words"], head["dimensions"]
        keys = "\n".join(words).encode()
        metadata = ModelMetadata(name, licence, origin, {"from": "wink-embeddings JSON"})
        file.write(native_header((len(words), dimensions), "F32", len(keys), metadata))
        done = 0
        for keys_found, rows in _row_blocks(stream, rest, len(words), dimensions + 2):
            expected = range(done, done + len(keys_found))
            lengths = np.linalg.norm(rows[:, :dimensions], axis=1)
            if (
                keys_found != words[done : done + len(keys_found)]
                or not np.array_equal(rows[:, -1], expected)
                or not np.allclose(rows[:, -2], lengths, atol=1e-4)
            ):
                raise DownloadError(
                    f"{name}: rows {done + 1} to {expected.stop} of {source.name} do not hold a "
                    "word's vector, length and position; report it to the fairvec project."
                )
            file.write(rows[:, :dimensions].astype("<f4").tobytes())
            done = expected.stop
        file.write(keys)


def _read_header(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    """Read up to the vectors; return the header and the bytes read beyond it."""
    text = b""
    while VECTORS not in text:
        block = stream.read(BLOCK)
        if not block:
            raise DownloadError("The JSON file has no vectors; report it to the fairvec project.")
        text += block
    head, _, rest = text.partition(VECTORS)
    try:
        header = parse_json(head + b"}")
        words, dimensions = header.get("words"), header.get("dimensions")
    except (ValueError, AttributeError) as error:
        raise DownloadError(
            f"The file is no JSON of words and vectors ({error}); report it to the fairvec project."
        ) from error
    strings = isinstance(words, list) and all(isinstance(word, str) for word in words)
    if not strings or type(dimensions) is not int or not 0 < dimensions < MOST_DIMENSIONS:
        raise DownloadError(
            "The JSON file does not say its words and dimensions; report it to the fairvec project."
        )
    return header, rest


def _row_blocks(
    stream: IO[bytes], text: bytes, size: int, columns: int
) -> Iterator[tuple[list[str], NDArray[np.float64]]]:
    """Yield the next words and their rows of numbers until there were `size` of them."""
    while size > 0:
        matches = list(ROW.finditer(text))[:size]
        if matches:
            # A word may hold a quotation mark or a backslash, which JSON escapes.
            words = _decode_words(matches)
            numbers = _parse_numbers(b",".join(row[2] for row in matches))
            if numbers.size != len(matches) * columns:
                raise DownloadError(
                    f"The rows from {short_repr(words[0])} on do not have {columns} numbers each; "
                    "report it to the fairvec project."
                )
            yield words, numbers.reshape(-1, columns)
            text = text[matches[-1].end() :]
            size -= len(matches)
        block = stream.read(BLOCK)
        if not block and size > 0:
            raise DownloadError(f"The JSON file ends {size} vectors too early; fetch it again.")
        text += block


def _decode_words(rows: Iterable[re.Match[bytes]]) -> list[str]:
    try:
        return [json.loads(b'"' + row[1] + b'"') for row in rows]
    except ValueError as error:
        raise DownloadError(
            f"A word in the JSON file cannot be read ({error}); report it to the fairvec project."
        ) from error


def _parse_numbers(text: bytes) -> NDArray[np.float64]:
    """Return numbers separated by commas; none where one of them is no number."""
    # Older versions of numpy only warn.
    with filter_warnings("error", DeprecationWarning):
        try:
            return np.fromstring(text, sep=",")
        except (ValueError, DeprecationWarning):
            return np.empty(0)


WORD_START = "▁"
TENSOR = "embedding.weight"


def convert_wordllama(
    source: Path, tokenizer: Path, target: Path, name: str, licence: str, origin: str
) -> None:
    """Write the words and vectors (float16) of `source` to the .fairvec file `target`."""
    try:
        matrix = open_tensors(source).tensor(TENSOR)
        vocabulary = parse_json(tokenizer.read_bytes(), lenient=True)["model"]["vocab"]
        rows = {
            token.removeprefix(WORD_START): int(row)
            for token, row in sorted(vocabulary.items(), key=lambda item: item[1])
            if token.startswith(WORD_START)
            and token[1:2] not in ("", WORD_START)
            and "\n" not in token
        }
        if matrix.ndim != 2 or matrix.dtype != np.float16 or not rows:
            raise ValueError(f"{len(rows)} words for {matrix.dtype} of shape {matrix.shape}")
        vectors = matrix[[*rows.values()]]
    except (FileFormatError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise DownloadError(
            f"{name}: its package does not hold token vectors and their tokenizer ({error}); "
            "report it to the fairvec project."
        ) from error
    keys = "\n".join(rows).encode()
    details = {
        "from": "wordllama safetensors",
        "pieces inside words left out": len(vocabulary) - len(rows),
    }
    with target.open("wb") as file:
        metadata = ModelMetadata(name, licence, origin, details)
        file.write(native_header((len(rows), matrix.shape[1]), "F16", len(keys), metadata))
        file.write(vectors.astype("<f2").tobytes())
        file.write(keys)


WIDTHS = {"F16": 2, "F32": 4}


@dataclass(frozen=True)
class ModelMetadata:
    """The metadata of the file; `details` go into its history."""

    name: str
    licence: str
    origin: str
    details: dict[str, Any]


def native_header(
    shape: tuple[int, int], dtype: Literal["F16", "F32"], key_bytes: int, metadata: ModelMetadata
) -> bytes:
    """Return the header of a `.fairvec` file that holds the vectors and then the keys."""
    end = shape[0] * shape[1] * WIDTHS[dtype]
    header = {
        "__metadata__": {
            "fairvec": "1",
            "name": metadata.name,
            "geometry": "euclidean",
            "curvature": "0.0",
            "licence": metadata.licence,
            "origin": metadata.origin,
            "history": json.dumps([{"action": "convert", "details": metadata.details}]),
        },
        "vectors": {"dtype": dtype, "shape": shape, "data_offsets": [0, end]},
        "keys": {"dtype": "U8", "shape": [key_bytes], "data_offsets": [end, end + key_bytes]},
    }
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % 64)  # vectors aligned to cache lines are mapped fastest
    return struct.pack("<Q", len(text)) + text

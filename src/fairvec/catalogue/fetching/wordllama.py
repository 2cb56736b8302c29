"""From wordllama's token vectors and its tokenizer to fairvec's own format.

The vocabulary marks the pieces that begin a word with ▁. Those are kept, without the mark; pieces
that go on inside a word, and bytes, have no place in a list of words and are counted.
"""

from pathlib import Path

import numpy as np

from fairvec.catalogue.fetching.native_head import Told, native_head
from fairvec.ground.errors import DownloadError, FileFormatError
from fairvec.ground.safetensors_layout import open_tensors
from fairvec.ground.text.json_text import json_of

BEGINS = "▁"
TENSOR = "embedding.weight"


def convert(
    source: Path, tokenizer: Path, target: Path, name: str, licence: str, origin: str
) -> None:
    """Write the words and vectors (float16) of `source` to the .fairvec file `target`."""
    try:
        matrix = open_tensors(source).tensor(TENSOR)
        vocabulary = json_of(tokenizer.read_bytes(), lenient=True)["model"]["vocab"]
        rows = {
            token.removeprefix(BEGINS): int(row)
            for token, row in sorted(vocabulary.items(), key=lambda item: item[1])
            if token.startswith(BEGINS) and token[1:2] not in ("", BEGINS) and "\n" not in token
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
        told = Told(name, licence, origin, details)
        file.write(native_head((len(rows), matrix.shape[1]), "F16", len(keys), told))
        file.write(vectors.astype("<f2").tobytes())
        file.write(keys)

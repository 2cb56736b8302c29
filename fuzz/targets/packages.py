"""What comes in packages of a registry: archives, and models that are turned into our format."""

import gzip
import io
import json
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from fairvec.catalogue import converters as wink
from fairvec.catalogue import converters as wordllama
from fairvec.catalogue.packages import DAMAGED, open_tar_member, open_zip_member
from fairvec.embedding import load
from fuzz.cases import Files, Target
from fuzz.crafted import crafted_for
from fuzz.crafted.making import tensors, zipped
from fuzz.honest import model
from fuzz.verdicts import RefusedError

JSON, WEIGHTS, TOKENS, MADE = "wink.json", "weights.safetensors", "tokenizer.json", "made.fairvec"
BALL, WHEEL, INSIDE = "package.tar.gz", "package.whl", "package/model.vec"


def packages(_: Path) -> Iterator[Target]:
    """Give a target for each kind of file."""
    yield _one("wink", _wink, {JSON: _wink_json()}, JSON)
    yield _one("wordllama", _wordllama, _token_vectors(), TOKENS)
    yield _one("tar", _unpacked, {BALL: _tar_ball()}, BALL)
    yield _one("wheel", _unpacked, {WHEEL: zipped({INSIDE: b"1 2\nking 1 2\n"})}, WHEEL)


def _one(name: str, run: Callable[[Path], None], honest: Files, main: str) -> Target:
    return Target(
        name=f"package-{name}",
        run=run,
        honest=[honest],
        crafted=crafted_for(f"package-{name}", honest, main),
        covers=[f"package {name}"],
        # A draft is what the caller takes away.
        writes=True,
        # Its rows say their own lengths and places.
        refuses=name == "wink",
    )


def _wink_json() -> bytes:
    rows = np.asarray(model().vectors, float)
    words = [*model().keys]
    vectors = {
        word: [*row.tolist(), float(np.linalg.norm(row)), at]
        for at, (word, row) in enumerate(zip(words, rows, strict=True))
    }
    description: dict[str, Any] = {"dimensions": rows.shape[1], "words": words, "vectors": vectors}
    return json.dumps(description, separators=(",", ":")).encode()


def _wink(folder: Path) -> None:
    _made(folder, lambda target: wink.convert_wink(folder / JSON, target, "mine", "CC0", "here"))


def _token_vectors() -> Files:
    rows = np.asarray(model().vectors, "<f2")
    about = {"dtype": "F16", "shape": rows.shape, "data_offsets": [0, rows.nbytes]}
    vocabulary = {f"▁{word}": at for at, word in enumerate(model().keys)}
    return {
        WEIGHTS: tensors({wordllama.TENSOR: about}, rows.tobytes()),
        TOKENS: json.dumps({"model": {"vocab": vocabulary}}).encode(),
    }


def _wordllama(folder: Path) -> None:
    def convert(target: Path) -> None:
        wordllama.convert_wordllama(
            folder / WEIGHTS, folder / TOKENS, target, "mine", "CC0", "here"
        )

    _made(folder, convert)


def _made(folder: Path, convert: Callable[[Path], None]) -> None:
    """Convert as the catalogue does, and read what came of it."""
    target = folder / MADE
    try:
        convert(target)
        load(target)
    finally:
        target.unlink(missing_ok=True)


def _tar_ball() -> bytes:
    vectors = io.BytesIO()
    with tarfile.open(fileobj=vectors, mode="w") as ball:
        data = b"1 2\nking 1 2\n"
        about = tarfile.TarInfo(INSIDE)
        about.size = len(data)
        ball.addfile(about, io.BytesIO(data))
    return gzip.compress(vectors.getvalue(), mtime=0)


def _unpacked(folder: Path) -> None:
    opened = open_tar_member if (folder / BALL).exists() else open_zip_member
    try:
        with opened(next(folder.iterdir()), INSIDE) as (stream, _):
            while stream.read(1 << 16):
                pass
    except DAMAGED as error:
        raise RefusedError(str(error) or "damaged") from error

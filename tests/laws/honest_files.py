"""An honest small file of every registered format."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.embedding import Embedding
from fairvec.embedding.formats import FORMATS, WRITERS
from tests.embedding.crafted.parts import fasttext, navec, tar

KEYS = ["the", "of", "कल", "слово", "new-york", "x"]
VECTORS = np.random.default_rng(7).normal(size=(len(KEYS), 5)).astype(np.float32)


def _written(ending: str) -> Callable[[Path], Path]:
    return lambda folder: fairvec.save(Embedding(KEYS, VECTORS), folder / f"model{ending}")


def _put(name: str, content: bytes) -> Callable[[Path], Path]:
    def put(folder: Path) -> Path:
        (folder / name).write_bytes(content)
        return folder / name

    return put


def _array(folder: Path) -> Path:
    np.save(folder / "model.npy", VECTORS)
    (folder / "model.vocab").write_text("\n".join(KEYS), encoding="utf-8")
    return folder / "model.npy"


def _gensim(folder: Path) -> Path:
    models = pytest.importorskip("gensim.models", reason="gensim is not installed")
    vectors: Any = models.KeyedVectors(VECTORS.shape[1])
    vectors.add_vectors(KEYS, VECTORS)
    vectors.save(str(folder / "model.kv"))
    return folder / "model.kv"


def _torch(folder: Path) -> Path:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    held = io.BytesIO()
    torch.save({"words": KEYS, "vectors": torch.from_numpy(VECTORS)}, held)
    (folder / "model.pt").write_bytes(held.getvalue())
    return folder / "model.pt"


def _fasttext(folder: Path) -> Path:
    pytest.importorskip("gensim.models", reason="gensim is not installed")
    return _put("model.bin", fasttext())(folder)


HONEST: dict[str, Callable[[Path], Path]] = {
    **{writer.name: _written(writer.suffixes[0]) for writer in WRITERS},
    "npy": _array,
    "torch": _torch,
    "gensim": _gensim,
    "navec": _put("model.tar", tar(navec())),
    "fasttext-bin": _fasttext,
}

NAMES = [known.name for known in FORMATS]

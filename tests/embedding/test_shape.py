"""How large a model is can be told by reading through its file, without keeping a vector."""

import errno
import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors

from fairvec.core.errors import FileFormatError
from fairvec.embedding import load, save, shape_of
from fairvec.embedding.archives import unpacked
from tests import toys


@pytest.mark.parametrize(
    "ending", ["fairvec", "vec", "txt", "bin", "csv", "tsv", "npz", "safetensors", "vec.gz"]
)
def test_every_format_tells_its_shape(tmp_path: Path, ending: str) -> None:
    embedding = toys.embedding()
    path = tmp_path / f"toy.{ending}"
    save(embedding, path)
    assert shape_of(path) == (len(embedding), embedding.dimensions)


@pytest.mark.parametrize("name", ["navec-ru-small", "glove-hi-small", "poincare-glove-en-small"])
def test_shipped_models_too(name: str) -> None:
    embedding = load(name)
    with_path = Path(__file__).parents[2] / f"src/fairvec/catalogue/data/shipped/{name}.fairvec"
    assert shape_of(with_path) == (len(embedding), embedding.dimensions)


def test_gensims_files_too(tmp_path: Path) -> None:
    keyed = KeyedVectors(4)
    keyed.add_vectors(["a", "b", "c"], np.ones((3, 4), np.float32))
    keyed.save(str(tmp_path / "model.kv"))
    assert shape_of(tmp_path / "model.kv") == (3, 4)
    subwords = FastText([["a", "b"], ["b", "c"]], vector_size=4, min_count=1, bucket=50)
    subwords.save(str(tmp_path / "fast.model"))
    assert shape_of(tmp_path / "fast.model") == (3, 4)


def test_repeated_keys_and_keys_that_are_not_utf8_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "model.vec"
    path.write_bytes(b"4 2\na 1 2\na 3 4\n\xff 1 2\n\xfe 1 2\n")
    assert shape_of(path) == (4, 2)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.vec.gz"
    path.write_bytes(gzip.compress(b"4 2\na 1 2\n"))
    with pytest.raises(FileFormatError, match="promises 4 vectors"):
        shape_of(path)


@pytest.mark.parametrize("trouble", [MemoryError(), OSError(errno.ENOSPC, "No space left")])
def test_want_of_room_says_nothing_against_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    def fail(*arguments: Any) -> None:
        raise trouble

    path = tmp_path / "model.vec.gz"
    path.write_bytes(gzip.compress(b"1 2\na 1 2\n"))
    monkeypatch.setattr("fairvec.embedding.archives._copy", fail)
    assert shape_of(path) is None


def test_a_full_disk_is_not_called_a_broken_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left")

    path = tmp_path / "model.vec.gz"
    path.write_bytes(gzip.compress(b"1 2\na 1 2\n"))
    monkeypatch.setattr("fairvec.embedding.archives._copy", fail)
    with pytest.raises(OSError, match="No space left"), unpacked(path):
        pass

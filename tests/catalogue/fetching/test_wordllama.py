"""Token vectors and their tokenizer, taken out of one package and checked each."""

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.catalogue import converters as wordllama
from fairvec.catalogue import is_local, local_path
from fairvec.core.errors import DownloadError, FileFormatError
from tests.catalogue.conftest import Add

VOCABULARY = {"<unk>": 0, "<0x0A>": 1, "▁he": 2, "he": 3, "▁": 4, "▁▁": 5, "▁she": 7, "▁он": 6}
MATRIX = np.arange(16, dtype=np.float16).reshape(8, 2)
WEIGHTS, TOKENIZER = "llama/weights/x.safetensors", "llama/tokenizers/x.json"


def tensors(matrix: Any = MATRIX, name: str = "embedding.weight", kind: str = "F16") -> bytes:
    data: bytes = matrix.tobytes()
    about = {name: {"dtype": kind, "shape": matrix.shape, "data_offsets": [0, len(data)]}}
    head = json.dumps(about).encode()
    return len(head).to_bytes(8, "little") + head + data


def tokenizer(vocabulary: Any = VOCABULARY) -> bytes:
    return json.dumps({"model": {"type": "BPE", "vocab": vocabulary}}).encode()


def converted(folder: Path, weights: bytes, tokens: bytes) -> Path:
    (folder / "weights").write_bytes(weights)
    (folder / "tokens").write_bytes(tokens)
    target = folder / "out.fairvec"
    wordllama.convert_wordllama(
        folder / "weights", folder / "tokens", target, "llama", "MIT", "Miller"
    )
    return target


def test_pieces_that_begin_a_word_become_words(tmp_path: Path) -> None:
    model = fairvec.load(converted(tmp_path, tensors(), tokenizer()))
    assert list(model) == ["he", "он", "she"]
    np.testing.assert_array_equal(model.vectors, MATRIX[[2, 6, 7]])
    assert model.vectors.dtype == np.float16
    assert model.history[0].details["pieces inside words left out"] == 5
    assert model.name == "llama"


@pytest.mark.parametrize(
    ("weights", "tokens"),
    [
        (tensors(name="other"), tokenizer()),
        (tensors(MATRIX.astype(np.float32), kind="F32"), tokenizer()),
        (tensors(MATRIX[:5]), tokenizer()),
        (b"", tokenizer()),
        (tensors(), b"{}"),
        (tensors(), b"[]"),
        (tensors(), b"\xff"),
        (tensors(), tokenizer([])),
        (tensors(), tokenizer({"he": 1})),
        (tensors(), tokenizer({"▁he": "x"})),
    ],
    ids=range(10),
)
def test_anything_else_is_refused_and_not_written(
    tmp_path: Path, weights: bytes, tokens: bytes
) -> None:
    with pytest.raises(DownloadError, match="does not hold token vectors and their tokenizer"):
        converted(tmp_path, weights, tokens)
    assert not (tmp_path / "out.fairvec").exists()


def entry(weights: bytes, tokens: bytes) -> dict[str, Any]:
    return {
        "dimensions": 2,
        "sha256": hashlib.sha256(weights).hexdigest(),
        "source": {
            "kind": "package",
            "registry": "pypi",
            "package": "llama",
            "version": "1.0",
            "member": WEIGHTS,
            "convert": "wordllama",
            "tokenizer": TOKENIZER,
            "tokenizer_sha256": hashlib.sha256(tokens).hexdigest(),
        },
    }


@pytest.fixture
def package(home: Path) -> Path:
    """A wheel that was put where the model is kept, so that nothing is fetched."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(WEIGHTS, tensors())
        archive.writestr(TOKENIZER, tokenizer())
    folder = home / "models" / "mine"
    folder.mkdir(parents=True)
    (folder / "llama-1.0-py3-none-any.whl").write_bytes(file.getvalue())
    return folder


def test_both_files_are_taken_and_checked(package: Path, add: Add) -> None:
    name = add(**entry(tensors(), tokenizer()))
    assert local_path(name) == package / "mine.fairvec"
    assert list(fairvec.load(name)) == ["he", "он", "she"]


@pytest.mark.parametrize(
    ("weights", "tokens", "named"), [(b"x", tokenizer(), WEIGHTS), (tensors(), b"x", TOKENIZER)]
)
def test_another_checksum_of_either_is_refused(
    package: Path, add: Add, weights: bytes, tokens: bytes, named: str
) -> None:
    name = add(**entry(weights, tokens))
    with pytest.raises(DownloadError, match=f"{named} in llama-1.0.* has the SHA-256 .* not kept"):
        local_path(name)
    assert not is_local(name)


@pytest.mark.parametrize("without", ["convert", "tokenizer", "tokenizer_sha256"])
def test_an_entry_names_the_tokenizer_or_is_refused(add: Add, without: str) -> None:
    fields = entry(b"", b"")
    del fields["source"][without]
    name = add(**fields)
    with pytest.raises(FileFormatError, match="belong to convert 'wordllama'"):
        is_local(name)


@pytest.mark.packages
def test_the_real_package_holds_the_words_the_catalogue_promises(home: Path) -> None:
    home.mkdir()
    try:
        model = fairvec.load("wordllama-256d")
    except DownloadError as error:
        if "could not be downloaded" not in str(error):
            raise
        pytest.skip(f"no registry answers: {error}")
    assert model.vectors.shape == (16393, 256)
    assert {"he", "she", "doctor"} <= {*model}
    assert "Doctor" in [word for word, _ in model.most_similar("doctor", 2)]

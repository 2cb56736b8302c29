"""Models taken out of packages of other formats."""

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open

import fairvec
from fairvec.catalogue import converters as wink
from fairvec.catalogue import converters as wordllama
from fairvec.catalogue import is_local, local_path
from fairvec.core.errors import DownloadError, FileFormatError
from tests.catalogue.conftest import Add

# --- wink ---


RANDOM = np.random.default_rng(5)
WORDS = ["the", '"', "\\", "]", "a,b", "naïve", *(f"word{number}" for number in range(50))]
VECTORS = RANDOM.normal(size=(len(WORDS), 4)).round(5)


def written(tmp_path: Path, rows: dict[str, list[float]], words: list[str] = WORDS) -> Path:
    path = tmp_path / "wink.json"
    layout = {
        "size": len(words),
        "dimensions": 4,
        "words": words,
        "vectors": rows,
        "unkVector": [0, 0, 0, 0, 0, -1],
    }
    path.write_text(json.dumps(layout, separators=(",", ":")) + "\n", encoding="utf-8")
    return path


def rows_of(words: list[str]) -> dict[str, list[float]]:
    return {
        word: [*vector, float(np.linalg.norm(vector)), number]
        for number, (word, vector) in enumerate(zip(words, VECTORS, strict=False))
    }


@pytest.mark.parametrize("block", [64, 1000, 1 << 20])
def test_words_and_vectors_arrive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(wink, "BLOCK", block)
    target = tmp_path / "out.fairvec"
    wink.convert_wink(written(tmp_path, rows_of(WORDS)), target, "glove", "PDDL", "Stanford")
    with safe_open(target, "np") as file:
        assert file.metadata()["fairvec"] == "1"
        assert file.metadata()["licence"] == "PDDL"
        assert file.get_tensor("keys").tobytes().decode().split("\n") == WORDS
        np.testing.assert_array_equal(file.get_tensor("vectors"), VECTORS.astype(np.float32))


def test_the_same_source_gives_the_same_bytes(tmp_path: Path) -> None:
    source = written(tmp_path, rows_of(WORDS))
    for name in ("one", "two"):
        wink.convert_wink(source, tmp_path / name, "glove", "PDDL", "Stanford")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def altered(word: str, column: int, value: float) -> dict[str, list[float]]:
    rows = rows_of(WORDS)
    rows[word][column] = value
    return rows


@pytest.mark.parametrize(
    "rows",
    [
        altered("the", 4, 9.0),
        altered("a,b", 5, 77),
        dict(reversed(rows_of(WORDS).items())),
        rows_of(WORDS) | {"word49": [1.0, 2.0]},
        rows_of(WORDS[:-1]),
    ],
    ids=["length", "position", "order", "short row", "missing row"],
)
def test_another_layout_is_refused(tmp_path: Path, rows: dict[str, list[float]]) -> None:
    with pytest.raises(DownloadError):
        wink.convert_wink(
            written(tmp_path, rows), tmp_path / "out.fairvec", "glove", "PDDL", "Stanford"
        )


@pytest.mark.parametrize("keep", [0.1, 0.6])
def test_a_file_cut_short_is_refused(tmp_path: Path, keep: float) -> None:
    path = written(tmp_path, rows_of(WORDS))
    path.write_bytes(path.read_bytes()[: int(keep * path.stat().st_size)])
    with pytest.raises(DownloadError):
        wink.convert_wink(path, tmp_path / "out.fairvec", "glove", "PDDL", "Stanford")


@pytest.mark.parametrize(
    "head",
    ['{"words":5', '{"words":[5],"dimensions":1', '{"words":["a"],"dimensions":"1"', "{", "[", "x"],
)
def test_a_head_that_says_nothing_is_one_sentence(tmp_path: Path, head: str) -> None:
    source = tmp_path / "wink.json"
    source.write_text(head + ',"vectors":{"a":[1,1,0]}}', encoding="utf-8")
    with pytest.raises((DownloadError, ValueError)):
        wink.convert_wink(source, tmp_path / "x.fairvec", "mine", "MIT", "made up")


@pytest.mark.parametrize(
    "text",
    [
        b'{"dimensions":4,"words":[' + b"[" * 100_000 + b',"vectors":{',
        b'{"dimensions":4,"words":["\\ud800"],"vectors":{',
        b'{"dimensions":4,"words":["\xff"],"vectors":{',
        b'[4,"vectors":{',
        b'{"dimensions":4,"words":["a"],"vectors":{"\\x":[1,0,0,0,1,0]}',
        b'{"dimensions":4,"words":["a"],"vectors":{"a":[1,x,0,0,1,0]}}',
    ],
    ids=["deep", "half a character", "no UTF-8", "no object", "odd escape", "no numbers"],
)
def test_what_is_no_json_is_refused_in_one_sentence(tmp_path: Path, text: bytes) -> None:
    source = tmp_path / "wink.json"
    source.write_bytes(text)
    with pytest.raises(DownloadError, match="report it"):
        wink.convert_wink(source, tmp_path / "out", "glove", "PDDL", "Stanford")


# --- Token vectors and their tokenizer, taken out of one package and checked each ---


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

"""A matrix of numpy and a list of words beside it."""

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairvec
from fairvec.core.errors import FairvecError, FileFormatError, SettingError

SHELL = "import sys, fairvec.cli\nsys.argv = sys.argv[1:]\nfairvec.cli.main()"
WORDS = ["the", "слово", "शब्द"]
VECTORS = np.arange(6, dtype=np.float32).reshape(3, 2)


def saved(folder: Path, matrix: Any = VECTORS, **beside: str | bytes) -> Path:
    path = folder / "model.npy"
    np.save(path, matrix)
    for ending, text in beside.items():
        content = text if isinstance(text, bytes) else text.encode()
        (folder / f"model.{ending}").write_bytes(content)
    return path


@pytest.mark.parametrize(
    "beside",
    [
        {"vocab": "the\nслово\nशब्द\n"},
        {"txt": "\ufeffthe\r\nслово\r\nशब्द"},
        {"json": json.dumps(WORDS)},
        {"json": json.dumps({"शब्द": 2, "the": 0, "слово": 1})},
        {"vocab": "the 30\nслово 20\nशब्द 10\n"},
    ],
    ids=["lines", "Windows", "list", "rows", "counts"],
)
def test_words_are_found_beside_the_matrix(tmp_path: Path, beside: dict[str, str]) -> None:
    model = fairvec.load(saved(tmp_path, **beside))
    assert list(model) == WORDS
    np.testing.assert_array_equal(model.vectors, VECTORS)
    assert model.name == "model"
    assert model.history[0].details["vocabulary"] == f"model.{next(iter(beside))}"
    counted = "30" in next(iter(beside.values()))
    assert (model.counts is not None) == counted
    if model.counts is not None:
        assert model.counts.tolist() == [30, 20, 10]


@pytest.mark.parametrize("kind", ["<f2", ">f4", "<f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_all_floats_in_any_order(tmp_path: Path, kind: str, order: Any) -> None:
    matrix = np.asarray(VECTORS.astype(kind), order=order)
    model = fairvec.load(saved(tmp_path, matrix, txt="a\nb\nc\n"))
    assert model.vectors.dtype.isnative
    np.testing.assert_array_equal(model.vectors, VECTORS)


def test_the_list_of_words_may_be_named(tmp_path: Path) -> None:
    path = saved(tmp_path, txt="a\nb\nc\n", json='["x", "y", "z"]')
    with pytest.raises(FileFormatError, match=r"beside it lie model\.txt and model\.json; name it"):
        fairvec.load(path)
    other = tmp_path / "elsewhere.json"
    other.write_text('{"b": 1, "c": 1}')
    model = fairvec.load(path, vocabulary=other)
    assert list(model) == ["b", "c"]
    assert model.history[0].details["such as"] == "b and c"
    assert model.history[0].details["rows without a word"] == 2
    with pytest.raises(FileFormatError, match=r"nowhere.*cannot be read \(no such file"):
        fairvec.load(path, vocabulary=tmp_path / "nowhere")


def test_the_shell_takes_it_too(tmp_path: Path) -> None:
    path = saved(tmp_path)
    (tmp_path / "words").write_text("king\nqueen\nman\n")
    asked = ["fairvec", "neighbours", str(path), "king", "--count", "1"]
    asked += ["--similarity", "negative-distance", "--vocabulary", str(tmp_path / "words")]
    done = subprocess.run([sys.executable, "-c", SHELL, *asked], capture_output=True, text=True)
    assert "queen" in done.stdout, done.stderr


def test_files_with_words_of_their_own_take_no_list(tmp_path: Path) -> None:
    path = tmp_path / "model.vec"
    path.write_text("1 2\na 1 2\n")
    with pytest.raises(SettingError, match=r"has words of its own; leave out vocabulary="):
        fairvec.load(path, vocabulary="words.txt")
    with pytest.raises(SettingError, match="vocabulary= belongs to a file"):
        fairvec.load({"a": [1.0]}, vocabulary="words.txt")


@pytest.mark.parametrize(
    ("matrix", "beside", "said"),
    [
        (VECTORS, {}, r"needs a list of words, and there is none beside it \(model\.vocab, "),
        (VECTORS, {"txt": "a\nb\n"}, "txt lists 2 words"),
        (VECTORS, {"txt": "a\n\nc\n"}, r"model\.txt, line 2 is empty"),
        (VECTORS, {"txt": ""}, "holds no words"),
        (VECTORS, {"txt": b"a\n\xff\nc\n"}, "key 2: .* not valid UTF-8"),
        (VECTORS, {"json": "[1, 2, 3]"}, "must be a list of words"),
        (VECTORS, {"json": "[]"}, "must be a list of words"),
        (VECTORS, {"json": '["a", "b"'}, "is not JSON in UTF-8"),
        (VECTORS, {"json": "[" * 100_000}, r"is not JSON in UTF-8 \(.*\); write a list"),
        (VECTORS, {"json": '{"a": 7}'}, "row 7 for 'a', and the matrix has rows 0 to 2"),
        (VECTORS, {"json": '{"a": "0"}'}, "gives '0' for 'a'"),
        (VECTORS, {"json": '{"a": {"b": 1}}'}, "gives {'b': 1} for 'a'"),
        (VECTORS.astype(int), {"txt": "a\nb\nc"}, "numbers of type int64"),
        (VECTORS[0], {"txt": "a\nb"}, r"shape \(2,\); save a matrix"),
        (np.array([[None]]), {"txt": "a"}, "Python objects, which only a pickle could read back"),
        (VECTORS * np.float32(np.nan), {"txt": "a\nb\nc"}, "holds NaN"),
        (VECTORS[:0], {"txt": "a"}, "txt lists 1 word"),
    ],
    ids=range(17),
)
def test_what_is_wrong_is_said_in_one_sentence(
    tmp_path: Path, matrix: Any, beside: dict[str, str], said: str
) -> None:
    with pytest.raises(FileFormatError, match=said) as caught:
        fairvec.load(saved(tmp_path, matrix, **beside))
    assert "\n" not in str(caught.value)


def test_a_word_that_a_json_object_names_twice_is_counted(tmp_path: Path) -> None:
    model = fairvec.load(saved(tmp_path, json='{"a": 0, "b": 1, "a": 2}'))
    assert list(model) == ["a", "b"]
    assert model["a"].tolist() == [0, 1]
    assert model.history[0].details["duplicates"] == 1


def test_an_absurd_size_is_refused_before_it_is_allocated(tmp_path: Path) -> None:
    header = io.BytesIO()
    described = {"descr": "<f4", "fortran_order": False, "shape": (10**9, 10**9)}
    np.lib.format.write_array_header_1_0(header, described)
    path = saved(tmp_path, txt="a\n")
    path.write_bytes(header.getvalue())
    with pytest.raises(FileFormatError, match="announces shape"):
        fairvec.load(path)


def test_an_array_of_gensims_is_no_model_of_its_own_in_an_archive(tmp_path: Path) -> None:
    file = tmp_path / "model.zip"
    matrix = io.BytesIO()
    np.save(matrix, VECTORS)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("model.vec", "1 2\na 1 2\n")
        archive.writestr("model.vec.extra.npy", matrix.getvalue())
    assert list(fairvec.load(file)) == ["a"]


@given(st.integers(0, 10_000))
def test_damage_is_an_error_of_ours_or_harmless(seed: int) -> None:
    rng = np.random.default_rng(seed)
    with TemporaryDirectory() as folder:
        path = saved(Path(folder), txt="a\nb\nc\n")
        content = bytearray(path.read_bytes())
        for place in rng.integers(0, len(content), rng.integers(1, 4)):
            content[place] = rng.integers(0, 256)
        path.write_bytes(content[: rng.integers(1, len(content) + 1)])
        try:
            model = fairvec.load(path)
        except FairvecError:
            return
        assert np.isfinite(model.vectors).all()


@pytest.mark.parametrize(
    ("beside", "told"),
    [
        ({"vocab": "the\nother"}, r"model\.vocab lists 2 words, and model\.npy has 3 rows; name"),
        ({"vocab": "a 4\nb 3\nc 2\nd 1"}, r"model\.vocab lists 4 words, and model\.npy has 3 rows"),
        ({"json": '["a"]'}, r"model\.json lists 1 word, and model\.npy has 3 rows"),
        ({"json": '{"a": 3}'}, r"model\.json: the vocabulary gives row 3 for 'a'"),
    ],
    ids=["fewer", "counted", "of JSON", "a row too far"],
)
def test_a_list_of_another_length_is_what_is_named(
    tmp_path: Path, beside: dict[str, str], told: str
) -> None:
    with pytest.raises(FileFormatError, match=told):
        fairvec.load(saved(tmp_path, **beside))

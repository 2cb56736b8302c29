"""Files of numpy: npy beside words, npz."""

import io
import json
import re
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
from hypothesis.extra.numpy import array_shapes

import fairvec
from fairvec.core.errors import FairvecError, FileFormatError, SettingError
from fairvec.embedding.formats.base import ReadOptions
from fairvec.embedding.formats.numpy_files import Npz, read_array, read_array_header
from fuzz.verdicts import no_memory
from tests.embedding.crafted_files import npy

# --- A matrix of numpy and a list of words beside it ---


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
    ("matrix", "beside", "message"),
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
def test_what_is_wrong_is_reported_in_one_sentence(
    tmp_path: Path, matrix: Any, beside: dict[str, str], message: str
) -> None:
    with pytest.raises(FileFormatError, match=message) as caught:
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
    ("beside", "shown"),
    [
        ({"vocab": "the\nother"}, r"model\.vocab lists 2 words, and model\.npy has 3 rows; name"),
        ({"vocab": "a 4\nb 3\nc 2\nd 1"}, r"model\.vocab lists 4 words, and model\.npy has 3 rows"),
        ({"json": '["a"]'}, r"model\.json lists 1 word, and model\.npy has 3 rows"),
        ({"json": '{"a": 3}'}, r"model\.json: the vocabulary gives row 3 for 'a'"),
    ],
    ids=["fewer", "counted", "of JSON", "a row too far"],
)
def test_a_list_of_another_length_is_what_is_named(
    tmp_path: Path, beside: dict[str, str], shown: str
) -> None:
    with pytest.raises(FileFormatError, match=shown):
        fairvec.load(saved(tmp_path, **beside))


# --- npz ---


KEYS = ["the", "слово", "शब्द"]


def saved_npz(path: Path, **arrays: Any) -> Path:
    np.savez(path, **arrays)
    return path


@pytest.mark.parametrize("words", ["words", "keys", "vocab"])
@pytest.mark.parametrize("vectors", ["vectors", "embeddings", "matrix"])
def test_usual_names_are_found(words: str, vectors: str, tmp_path: Path) -> None:
    arrays: dict[str, Any] = {words: np.array(KEYS), vectors: VECTORS, "counts": np.arange(3)}
    file = saved_npz(tmp_path / "a.npz", **arrays)
    assert Npz().recognises(file, file.read_bytes())
    raw = Npz().read(file, ReadOptions())
    assert raw.keys == KEYS
    assert raw.geometry is None
    np.testing.assert_array_equal(raw.vectors, VECTORS)


def test_bytes_are_utf_8_and_only_wanted_words_are_kept(tmp_path: Path) -> None:
    names = np.array([key.encode() for key in KEYS])
    file = saved_npz(tmp_path / "a.npz", words=names, vectors=VECTORS.astype(">f8"))
    raw = Npz().read(file, ReadOptions(frozenset(["शब्द"])))
    assert raw.keys == ["शब्द"]
    assert raw.vectors.tolist() == [[4, 5]]
    assert raw.vectors.dtype.isnative


def test_invalid_utf_8_is_refused_or_replaced(tmp_path: Path) -> None:
    file = saved_npz(tmp_path / "a.npz", words=np.array([b"a", b"\xff\xfeb"]), vectors=VECTORS[:2])
    with pytest.raises(FileFormatError, match=r"a\.npz, key 2: .* not valid UTF-8"):
        Npz().read(file, ReadOptions())
    raw = Npz().read(file, ReadOptions(invalid_utf8="replace"))
    assert raw.keys == ["a", "\ufffd\ufffdb"]
    assert raw.notes == {"bytes_replaced": 2}


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"words": np.array(KEYS)}, "holds the arrays words, none of which is named like vectors"),
        ({"x": VECTORS}, "holds the arrays x, none of which is named like words"),
        ({"words": np.array(KEYS, dtype=object), "vectors": VECTORS}, "holds Python objects"),
        ({"words": np.arange(3), "vectors": VECTORS}, "words of type int64"),
        ({"words": np.array([KEYS]), "vectors": VECTORS}, "shape \\(1, 3\\)"),
        ({"words": np.array(KEYS), "vectors": VECTORS.astype(int)}, "vectors of type int64"),
        ({"words": np.array(KEYS[:2]), "vectors": VECTORS}, "2 keys but vectors of shape"),
        ({"words": np.array(KEYS), "vectors": VECTORS[0]}, "vectors of shape"),
        ({"words": np.array(KEYS), "vectors": VECTORS + np.float32(np.inf)}, "NaN"),
    ],
)
def test_what_is_wrong_is_reported_in_one_sentence_npz(
    arrays: dict[str, Any], message: str, tmp_path: Path
) -> None:
    file = saved_npz(tmp_path / "bad.npz", **arrays)
    with pytest.raises(FileFormatError, match=message) as error:
        Npz().read(file, ReadOptions())
    assert "bad.npz" in str(error.value)


def test_an_absurd_size_is_refused_before_it_is_allocated_npz(tmp_path: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f4", "fortran_order": False, "shape": (10**9, 10**4)}
    )
    words = io.BytesIO()
    np.save(words, np.array(KEYS))
    file = tmp_path / "bad.npz"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("vectors.npy", header.getvalue())
        archive.writestr("words.npy", words.getvalue())
    with pytest.raises(FileFormatError, match="announces shape"):
        Npz().read(file, ReadOptions())


def test_every_cut_is_one_clear_error(tmp_path: Path) -> None:
    data = saved_npz(tmp_path / "a.npz", words=np.array(KEYS), vectors=VECTORS).read_bytes()
    file = tmp_path / "cut.npz"
    for length in range(0, len(data), 7):
        file.write_bytes(data[:length])
        with pytest.raises(FileFormatError, match=r"cut\.npz"):
            Npz().read(file, ReadOptions())


def test_other_zip_files_are_left_to_others(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("glove.txt", "the 0.1\n")
    assert not Npz().recognises(file, file.read_bytes())


@pytest.mark.parametrize(
    ("name", "first", "shape"),
    [
        ("emb_glove_hi/glove_hi_57k_100d.npz", "के", (57565, 100)),
        ("emb_glove_and_poincare_glove_en/glove_enwiki2_50k_100d.npz", "the", (50000, 100)),
        (
            "emb_glove_and_poincare_glove_en/poincare_glove_enwiki2_50k_100d.npz",
            "the",
            (50000, 100),
        ),
    ],
)
def test_real_models(name: str, first: str, shape: tuple[int, int], shared_data: Path) -> None:
    raw = Npz().read(shared_data / name, ReadOptions())
    assert raw.keys[0] == first
    assert raw.vectors.shape == shape
    with np.load(shared_data / name) as expected:
        np.testing.assert_array_equal(raw.vectors[-1], expected["vectors"][-1])


def test_counts_come_along(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    words, vectors = np.array(["a", "b", "a"]), np.ones((3, 2), dtype=np.float32)
    np.savez(path, words=words, vectors=vectors, counts=np.array([5, 3, 2]))
    raw = Npz().read(path, ReadOptions())
    assert raw.counts is not None
    assert raw.counts.tolist() == [5, 3]
    np.savez(path, words=words, vectors=vectors, counts=np.array([5.5, 3, 2]))
    with pytest.raises(FileFormatError, match="one whole number per key"):
        Npz().read(path, ReadOptions())


@pytest.mark.parametrize("number", [0x110000, 0x7FFF0000, 0xFFFFFFFF])
@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("where", ["words", "geometry"])
def test_numbers_that_stand_for_no_letter_are_refused_wherever_they_are(
    tmp_path: Path, number: int, order: str, where: str
) -> None:
    """Python makes a text of some of them and stumbles later."""
    held: dict[str, Any] = {"words": np.array(["aa", "bb"], f"{order}U2")}
    held["vectors"] = np.ones((2, 3), np.float32)
    held["geometry"] = np.array(["euclidean"], f"{order}U9")
    letters = np.frombuffer(held[where].tobytes(), f"{order}u4").copy()
    saved_npz(tmp_path / "sound.npz", **held)
    assert fairvec.load(tmp_path / "sound.npz").keys == ["aa", "bb"]
    letters[1] = number
    held[where] = np.frombuffer(letters.tobytes(), held[where].dtype)
    saved_npz(tmp_path / "odd.npz", **held)
    with pytest.raises(FileFormatError, match="stand for no letter"):
        fairvec.load(tmp_path / "odd.npz")


@pytest.mark.parametrize("name", ["words", "vectors", "geometry"])
def test_two_arrays_of_one_name_are_refused(name: str, tmp_path: Path) -> None:
    file = saved_npz(
        tmp_path / "a.npz", words=np.array(KEYS), vectors=VECTORS, geometry="euclidean"
    )
    with zipfile.ZipFile(file) as archive:
        other = archive.read(f"{name}.npy")
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(f"{name}.npy", other)
    with pytest.raises(FileFormatError, match=r"a\.npz holds members that share a name"):
        fairvec.load(file)


def test_arrays_that_lie_in_the_same_bytes_are_refused(tmp_path: Path) -> None:
    file = saved_npz(tmp_path / "a.npz", words=np.array(KEYS), vectors=VECTORS)
    content = file.read_bytes()
    listed = [found.start() for found in re.finditer(b"PK\x01\x02", content)]
    second = content[: listed[1] + 42] + bytes(4) + content[listed[1] + 46 :]
    file.write_bytes(second)
    with pytest.raises(FileFormatError, match="or the same bytes"):
        fairvec.load(file)


def test_a_long_name_of_a_space_is_repeated_in_part(tmp_path: Path) -> None:
    saved_npz(
        tmp_path / "odd.npz",
        words=np.array(["a", "b"]),
        vectors=np.ones((2, 3), np.float32),
        geometry=np.array("x" * 100_000),
    )
    with pytest.raises(FileFormatError, match="no space that can be read") as refusal:
        fairvec.load(tmp_path / "odd.npz")
    assert len(str(refusal.value)) < 500


# --- The heads of arrays mean here what they mean to numpy ---


KINDS = st.sampled_from(["<f2", "<f4", ">f8", "<i8", "|u1", "|b1", "<U3", "|S5", ">U2", "<c8"])


@given(KINDS, array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4), st.booleans())
def test_an_array_comes_back_as_numpy_reads_it(
    kind: str, shape: tuple[int, ...], columns_first: bool
) -> None:
    values = np.arange(np.prod(shape)).reshape(shape).astype(kind)
    values = np.asfortranarray(values) if columns_first else values
    file = io.BytesIO()
    np.save(file, values)
    file.seek(0)
    header = read_array_header(file)
    assert header.offset == file.tell()
    found = read_array(file, header)
    assert found.dtype == values.dtype
    assert found.shape == values.shape
    np.testing.assert_array_equal(found, values)
    assert file.read() == b""


@pytest.mark.parametrize(
    "text",
    [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
        "{'shape':(2,3),'fortran_order':False,'descr':'<f4'}",
        '{"descr": "<f4", "fortran_order": False, "shape": (2L, 3L)}',
        "  { 'descr': '<f4' , 'shape': ( 2 , 3 , ), 'fortran_order': False , }  ",
    ],
)
def test_order_and_spaces_are_free(text: str) -> None:
    assert read_array_header(io.BytesIO(npy(text)))[:3] == ((2, 3), np.dtype("<f4"), False)


def test_numbers_that_are_cut_short_are_an_error() -> None:
    file = io.BytesIO()
    np.save(file, np.zeros((100, 100)))
    cut = io.BytesIO(file.getvalue()[:-1])
    with pytest.raises(EOFError):
        read_array(cut, read_array_header(cut))


@pytest.mark.parametrize("nested", ["-", "(lambda:", "not ", "1if 1else "])
def test_a_nested_head_is_refused_before_the_parser_lacks_memory(
    nested: str, tmp_path: Path
) -> None:
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {nested * 2000}1}}".encode()[:9000]
    path = tmp_path / "deep.npy"
    path.write_bytes(b"\x93NUMPY\x01\0" + len(head).to_bytes(2, "little") + head)
    with pytest.raises(FileFormatError, match=r"deep\.npy") as refused:
        fairvec.load(path, format="npy")
    assert no_memory(refused.value) is None

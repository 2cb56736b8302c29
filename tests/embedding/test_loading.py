"""Loading a model: paths, names, options, geometry, size."""

import errno
import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors

from fairvec import catalogue
from fairvec.core.errors import FileFormatError, GeometryError, SettingError, UnknownNameError
from fairvec.embedding import (
    Embedding,
    LoadOptions,
    formats,
    from_arrays,
    load,
    read,
    save,
    shape_of,
)
from fairvec.embedding.archives import unpacked
from fairvec.embedding.formats.base import (
    HALF_CHARACTERS,
    FileContent,
    ReadOptions,
    WritableFormat,
    WriteOptions,
    open_compressed,
)
from fairvec.embedding.formats.rows import checked_content
from fairvec.geometry import Euclidean, Poincare, ProductOfBalls
from tests import toys
from tests.geometry import balls

# --- One door: paths, names, formats, geometries, history ---


INSIDE = b"3 2\na 0.1 0.2\nb 0 -0.9\nc 0.5 0.5\n"
ONE_OUTSIDE = b"3 2\na 0.1 0.2\nb 3 4\nc 0.5 0.5\n"
FLAT = b"3 2\na 1.1 0.2\nb 3 4\nc 0.5 0.5\n"
BINARY = b"1 3\na " + np.array([1, 2, 3], "<f4").tobytes()


def file(folder: Path, content: bytes, name: str = "model.vec") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_gives_an_embedding(tmp_path: Path, kind: type[str] | type[Path]) -> None:
    embedding = load(kind(file(tmp_path, INSIDE)))
    assert list(embedding.keys) == ["a", "b", "c"]
    assert embedding.geometry == Euclidean()
    assert embedding.name == "model"
    (step,) = embedding.history
    assert step.action == "read"
    assert step.details == {"file": "model.vec", "format": "word2vec-text"}
    assert load(file(tmp_path, INSIDE), name="mine").name == "mine"


def test_words_and_notes_go_into_the_history(tmp_path: Path) -> None:
    path = file(tmp_path, b"3 1\na 1\na 2\nb\xff 3\n")
    embedding = load(path, ["a", "z"], invalid_utf8="replace")
    assert list(embedding.keys) == ["a"]
    assert embedding.history[0].details == {
        "file": "model.vec",
        "format": "word2vec-text",
        "duplicates": 1,
        "bytes_replaced": 1,
        "words_wanted": 2,
        "words_found": 1,
    }


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("glove.6B.100d.txt", "glove.6B.100d"),
        ("glove.6B.100d", "glove.6B.100d"),
        ("cc.hi.300.vec", "cc.hi.300"),
        ("CC.VEC", "CC"),
    ],
)
def test_the_name_keeps_what_is_no_ending(tmp_path: Path, name: str, stem: str) -> None:
    assert load(file(tmp_path, INSIDE, name)).name == stem


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (INSIDE, "word2vec-text"),
        (b"a 0.1 0.2\nb 1 2\n", "glove-text"),
        (b"\xef\xbb\xbfa 0.1 0.2\nb 1 2\n", "glove-text"),
        (b"2 3\nsix words 1 2 3\nb nan x\n", "word2vec-text"),
        (BINARY, "word2vec-binary"),
        (b"1 300\nkey " + np.full(300, 0.25, "<f4").tobytes(), "word2vec-binary"),
        (b"1 1\nkey " + b"\xff\xff\x80?", "word2vec-binary"),
    ],
)
def test_the_content_decides_whatever_the_name(
    tmp_path: Path, content: bytes, expected: str
) -> None:
    path = file(tmp_path, content, "model.kv")
    with pytest.raises(FileFormatError, match=f"it looks like {expected};"):
        load(path, format="npz")


def test_a_forced_format_must_not_contradict_the_content(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="not in the format word2vec-binary: it looks like"):
        load(file(tmp_path, INSIDE), format="word2vec-binary")
    with pytest.raises(FileFormatError, match="looks like word2vec-binary; leave out format= "):
        load(file(tmp_path, BINARY), format="word2vec-text")
    with pytest.raises(UnknownNameError, match="did you mean word2vec-"):
        load(file(tmp_path, INSIDE), format="word2vec")
    assert len(load(file(tmp_path, INSIDE), format="word2vec-text")) == 3


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("m.vec", b"", "m.vec is empty"),
        ("m.dat", b"some prose\n", "m.dat is in no format that fairvec recognises"),
        ("m.dat", b"the 12\nof 11\n", "in no format"),
        ("m.txt", b"some prose\n", "m.txt is not an embedding in text form"),
        ("m.bin", b"\x00\x01\x02", "m.bin does not begin with the line"),
        ("m.vec", b"<!DOCTYPE html><html>", "a web page"),
        ("m.vec", b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
        ("m.txt", "a 1 2\n".encode("utf-16"), "UTF-16: save it as UTF-8"),
    ],
)
def test_files_that_hold_no_embedding(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    with pytest.raises(FileFormatError, match=message):
        load(file(tmp_path, content, name))


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="is a folder"):
        load(tmp_path)


def test_a_folder_does_not_hide_a_model_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "glove-hi-small").mkdir()
    monkeypatch.chdir(tmp_path)
    assert load("glove-hi-small").name == "glove-hi-small"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("https://a.example/x.vec", "named 'https://a.example/x.vec'. Download it and name the"),
        ("data/model", "named 'data/model'. Check its path, or see 'fairvec models list'"),
        ("model.vec", "named 'model.vec'. Check its path"),
        ("glove-42b", "did you mean glove-42b-300d"),
        ("GLOVE", "did you mean glove-"),
    ],
)
def test_what_looks_like_a_path_is_not_offered_names(text: str, message: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        load(text)
    assert message in str(caught.value)
    assert "known:" not in str(caught.value)


def test_an_unknown_source_says_that_it_is_neither_file_nor_model() -> None:
    known = catalogue.names()[0]
    with pytest.raises(UnknownNameError, match=f"no file or model named .*{known}.* See 'fairvec"):
        load(f"{known}x")


def test_a_name_of_the_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file(tmp_path, INSIDE, "kept-under-some-name")
    ball = next(model for model in catalogue.models() if model.geometry == "poincare")
    monkeypatch.setattr(catalogue, "local_path", lambda name, **how: path)
    embedding = load(ball.name)
    assert embedding.name == ball.name
    assert embedding.geometry == Poincare(ball.curvature or 0)
    assert load(ball.name, geometry="euclidean").geometry == Euclidean()
    monkeypatch.chdir(tmp_path)
    file(tmp_path, b"1 1\na 5\n", ball.name)
    assert load(ball.name).dimensions == 1, "a file that exists wins over the catalogue"


def test_geometry_and_curvature(tmp_path: Path) -> None:
    path = file(tmp_path, INSIDE)
    assert load(path, geometry="poincare").geometry == Poincare(1.0)
    assert load(path, geometry="poincare", curvature=0.5).geometry == Poincare(0.5)
    assert load(path, geometry=Poincare(0.25)).geometry == Poincare(0.25)
    for geometry in (None, "euclidean", Poincare(2.0)):
        with pytest.raises(SettingError, match=r"The curvature 0\.5 does not belong"):
            load(path, geometry=geometry, curvature=0.5)
    with pytest.raises(UnknownNameError, match="geometry named 'hyperbolic'"):
        load(path, geometry="hyperbolic")


def test_points_outside_the_ball_are_refused(tmp_path: Path) -> None:
    one = r"1 of 3 points .* first is 'b' and the largest norm is 5; .*outside='project'"
    with pytest.raises(GeometryError, match=one):
        load(file(tmp_path, ONE_OUTSIDE), geometry="poincare")
    flat = r"2 of 3 points .* radius 1 .* 'a' and the largest norm is 5; these look like Euclidean"
    with pytest.raises(GeometryError, match=flat):
        load(file(tmp_path, FLAT), geometry="poincare")
    in_one_ball = r"1 of 3 points lies outside the poincare-x2 ball .* the largest norm is 4; "
    with pytest.raises(GeometryError, match=in_one_ball):
        load(file(tmp_path, ONE_OUTSIDE), geometry="poincare-x2")
    assert len(load(file(tmp_path, ONE_OUTSIDE), geometry="poincare", curvature=0.01)) == 3


def test_points_far_outside_the_ball_are_refused_with_their_norm() -> None:
    far = np.ldexp(np.random.default_rng(0).normal(size=(20, 3)), 480)
    with (
        np.errstate(all="raise"),
        pytest.raises(GeometryError, match=r"20 of 20 .* the largest norm is \d\.\d+e\+14\d; "),
    ):
        from_arrays([f"w{row}" for row in range(20)], far, geometry="poincare")


def test_points_outside_the_ball_are_projected_on_request(tmp_path: Path) -> None:
    path = file(tmp_path, ONE_OUTSIDE)
    embedding = load(path, geometry="poincare", outside="project")
    assert embedding.geometry.contains(embedding.rows(["a", "b", "c"])).all()
    np.testing.assert_allclose(embedding.rows(["b"]), [[0.6, 0.8]], atol=1e-9)
    np.testing.assert_array_equal(embedding.rows(["c"]), [[0.5, 0.5]])
    assert embedding.history[-1].action == "project"
    assert embedding.history[-1].details == {"geometry": "poincare", "moved": 1}
    assert [step.action for step in load(path, outside="project").history] == ["read"]


def test_the_border_itself_is_outside(tmp_path: Path) -> None:
    path = file(tmp_path, b"3 2\na 0 -2\nb 1 1.75\nc 1.999 0\n")
    with pytest.raises(
        GeometryError, match=r"2 of 3 .* radius 2 .* 'a' .* largest norm is 2\.0155644"
    ):
        load(path, geometry="poincare", curvature=0.25)
    inside = load(path, geometry="poincare", curvature=0.25, outside="project")
    lengths = np.linalg.norm(inside.vectors, axis=1)
    assert (lengths < 2).all()
    np.testing.assert_allclose(lengths[:2], 2)
    assert inside.history[-1].details["moved"] == 2


@pytest.mark.parametrize("setting", ["outside", "invalid_utf8"])
def test_settings_out_of_range(tmp_path: Path, setting: str) -> None:
    with pytest.raises(UnknownNameError, match=f"choice of {setting} named 'ignore'; known: "):
        load(file(tmp_path, INSIDE), **{setting: "ignore"})  # type: ignore[arg-type]


def test_words_must_be_a_list(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"say \['he'\]"):
        load(file(tmp_path, INSIDE), "he")
    with pytest.raises(SettingError, match="keys= belongs to an array"):
        load(file(tmp_path, INSIDE), keys=["a"])


def test_numba_comes_only_with_a_text_file(tmp_path: Path) -> None:
    text, binary = file(tmp_path, INSIDE), file(tmp_path, BINARY, "m.bin")
    script = (
        "import sys; from fairvec.embedding import load; load(sys.argv[1]);"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script, binary], check=False).returncode == 0
    assert subprocess.run([sys.executable, "-c", script, text], check=False).returncode == 1


def test_a_real_ball_of_the_data_folder(shared_data: Path) -> None:
    path = shared_data / "emb_poincare_wordnet_mammals" / "poincare_mammals_1182x5.vec"
    embedding = load(path, geometry="poincare")
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    expected = np.array([line.split(" ")[1:] for line in lines], dtype=np.float64)
    assert list(embedding.keys) == [line.split(" ")[0] for line in lines]
    np.testing.assert_array_equal(embedding.vectors, expected.astype(np.float32))


@pytest.mark.parametrize("inside", [0.0, 1e-7])
def test_flat_vectors_of_length_one_are_no_points_of_the_ball(inside: float) -> None:
    rows = np.random.default_rng(0).normal(size=(30, 5))
    rows *= (1 - inside) / np.linalg.norm(rows, axis=1, keepdims=True)
    keys = [f"w{number}" for number in range(30)]
    with pytest.raises(GeometryError, match=r"look like flat vectors of length one; read them"):
        load(rows.astype(np.float32), keys=keys, geometry="poincare")
    assert load(0.999 * rows, keys=keys, geometry="poincare").geometry.curvature == 1


@pytest.mark.parametrize("name", ["a" * 5000, "a" * 5000 + "::member", "x/" + "a" * 5000 + ".vec"])
def test_a_name_that_no_disk_can_hold_is_no_file(name: str) -> None:
    with pytest.raises(UnknownNameError, match="no file or model named") as refusal:
        load(name)
    assert len(str(refusal.value)) < 1000


# --- options ---


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("outside", "choice of outside named 'x'; known: project, refuse"),
        ("vectors", "choice of vectors named 'x'; known: aggregated, context, target"),
        ("invalid_utf8", "choice of invalid_utf8 named 'x'; known: refuse, replace"),
    ],
)
def test_a_choice_that_does_not_exist_is_refused_before_any_reading(
    setting: str, message: str
) -> None:
    wrong: dict[str, Any] = {setting: "x"}
    for opening in (LoadOptions, lambda **each: load("nowhere.vec", **each)):
        with pytest.raises(UnknownNameError, match=message):
            opening(**wrong)


def test_points_held_in_python_are_checked_alike() -> None:
    with pytest.raises(UnknownNameError, match="choice of outside named 'x'; known: "):
        from_arrays(["a"], np.ones((1, 2)), outside="x")  # type: ignore[arg-type]


def test_reading_by_the_object_is_loading_by_its_parts() -> None:
    points = {"a": [0.1, 0.2], "b": [2.0, 0.0]}
    settings: dict[str, Any] = {"geometry": "poincare", "curvature": 2.0, "outside": "project"}
    one, other = read(points, LoadOptions(**settings)), load(points, **settings)
    assert one.geometry == other.geometry
    np.testing.assert_array_equal(one.vectors, other.vectors)


# --- Products of balls in files: their name, poincare-x50, and c say the whole space ---


def test_a_native_file_keeps_the_product(tmp_path: Path) -> None:
    space = ProductOfBalls(3, 0.5)
    points = balls.points(4 * 3, 2, c=0.5).reshape(4, 6)
    save(Embedding(list("abcd"), points, space, "product"), tmp_path / "product.fairvec")
    again = load(tmp_path / "product.fairvec")
    assert again.geometry == space
    np.testing.assert_array_equal(again.vectors, points)


def test_a_text_file_can_be_declared_a_product(tmp_path: Path) -> None:
    path = tmp_path / "points.txt"
    path.write_text("2 4\na 0.8 0.1 0.1 0.9\nb 0.1 0.2 0.0 0.95\n", encoding="utf-8")
    product = load(path, geometry="poincare-x2")
    assert product.geometry == ProductOfBalls(2)
    with pytest.raises(GeometryError, match="1 of 2 points lies outside the poincare ball"):
        load(path, geometry="poincare")
    with pytest.raises(GeometryError, match="4 dimensions cannot be shared equally among 3 balls"):
        load(path, geometry="poincare-x3")
    with pytest.raises(UnknownNameError, match="poincare-x50"):
        load(path, geometry="poincare-50")


# --- How large a model is can be told by reading through its file, without keeping a vector ---


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


# --- A format is one class and one line of FORMATS ---


class JSONLines(WritableFormat):
    """One JSON list a line: a key and its numbers."""

    name = "json-lines"
    suffixes = (".jsonl",)
    compressible = True
    keeps = frozenset({"float64"})
    holds = "all keys"
    impossible_key = re.compile(HALF_CHARACTERS)

    def recognises(self, path: Path, head: bytes) -> bool:
        return head.startswith(b'["')

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        keys, vectors = [row[0] for row in rows], np.array([row[1:] for row in rows])
        return checked_content(path, keys, vectors, options)

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        with open_compressed(path) as file:
            for key, vector in zip(embedding.keys, embedding.vectors.tolist(), strict=True):
                file.write(json.dumps([key, *vector]).encode() + b"\n")


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz"])
def test_a_format_is_one_class_and_one_line(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "FORMATS", (JSONLines(), *formats.FORMATS))
    embedding = Embedding(["a", "слово"], np.array([[0.1, 2.0], [-1.0, 1 / 3]]))
    path = save(embedding, tmp_path / f"toy{ending}")
    for again in (load(path), load(path, format="json-lines"), load(path, ["слово", "a"])):
        assert list(again.keys) == ["a", "слово"]
        assert again.vectors.dtype == np.float64
        np.testing.assert_array_equal(again.vectors, embedding.vectors)
        assert again.name == "toy"
        assert again.history[0].details["format"] == "json-lines"
    with pytest.raises(FileFormatError, match="looks like json-lines"):
        load(path, format="csv")

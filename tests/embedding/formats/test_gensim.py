"""Models of gensim and Poincaré GloVe."""

import io
import os
import pickle
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairvec import load
from fairvec.core.errors import FileFormatError, GeometryError, SettingError, UnknownNameError
from fairvec.embedding.formats.base import FileContent, ReadOptions, VectorRole, Vectors
from fairvec.embedding.formats.gensim import Gensim
from fairvec.geometry import Euclidean, Geometry, Poincare, ProductOfBalls
from tests.embedding.pickles import forged, made, model, pushed, written
from tests.geometry import balls
from tests.loops import loop_over

# --- pickles ---


KEYS = ["the", "слово", "शब्द"]
VECTORS = np.arange(6, dtype=np.float32).reshape(3, 2) / 10
SENTENCES = [["кот", "собака", "дом"], ["дом", "кошка", "кот"]] * 5


def read(path: Path, words: set[str] | None = None, vectors: VectorRole = "target") -> FileContent:
    with path.open("rb") as file:
        assert Gensim().recognises(path, file.read(4096))
    wanted = None if words is None else frozenset(words)
    return Gensim().read(path, ReadOptions(wanted, vectors=vectors))


# Files of the gensim that is installed.


@pytest.fixture(scope="module")
def gensim_models() -> Any:
    return pytest.importorskip("gensim.models", reason="the extra gensim is not installed")


@pytest.mark.parametrize("separate", [False, True])
def test_word2vec_models_and_vectors(gensim_models: Any, separate: bool, tmp_path: Path) -> None:
    model = gensim_models.Word2Vec(SENTENCES, vector_size=4, min_count=1, workers=1, seed=1)
    options = {"sep_limit": 0} if separate else {}
    model.save(str(tmp_path / "a.model"), **options)
    model.wv.save(str(tmp_path / "a.kv"), **options)
    assert (tmp_path / "a.model.wv.vectors.npy").exists() == separate
    for name in ("a.model", "a.kv"):
        raw = read(tmp_path / name)
        assert raw.keys == model.wv.index_to_key
        assert raw.geometry is None
        np.testing.assert_array_equal(raw.vectors, model.wv.vectors)
        some = read(tmp_path / name, {"кот", "absent"})
        assert some.keys == ["кот"]
        np.testing.assert_array_equal(some.vectors[0], model.wv["кот"])
    context = read(tmp_path / "a.model", vectors="context")
    np.testing.assert_array_equal(context.vectors, model.syn1neg)
    both = read(tmp_path / "a.model", vectors="aggregated")
    np.testing.assert_array_equal(both.vectors, model.wv.vectors + model.syn1neg)
    with pytest.raises(FileFormatError, match=r"a\.kv .* holds no context vectors"):
        read(tmp_path / "a.kv", vectors="context")


@pytest.mark.parametrize("separate", [False, True])
def test_fasttext_models_are_composed_of_their_subwords(
    gensim_models: Any, separate: bool, tmp_path: Path
) -> None:
    model = gensim_models.FastText(
        SENTENCES, vector_size=4, min_count=1, workers=1, seed=1, bucket=30
    )
    model.save(str(tmp_path / "f.model"), **({"sep_limit": 0} if separate else {}))
    raw = read(tmp_path / "f.model")
    assert raw.keys == model.wv.index_to_key
    np.testing.assert_allclose(raw.vectors, model.wv.vectors, atol=1e-7)
    some = read(tmp_path / "f.model", {"кот", "котик", "cat"})
    assert some.keys == ["кот", "cat", "котик"]
    assert some.notes == {"from_subwords": 2}
    np.testing.assert_allclose(some.vectors, [model.wv[key] for key in some.keys], atol=1e-7)
    with pytest.raises(SettingError, match="'котик' was not seen in training"):
        read(tmp_path / "f.model", {"кот", "котик"}, "aggregated")


def test_fasttext_without_subwords(gensim_models: Any, tmp_path: Path) -> None:
    model = gensim_models.FastText(
        SENTENCES, vector_size=4, min_count=1, workers=1, seed=1, min_n=3, max_n=0
    )
    model.save(str(tmp_path / "f.model"))
    raw = read(tmp_path / "f.model", {"кот", "котик"})
    assert raw.keys == ["кот"]
    np.testing.assert_array_equal(raw.vectors[0], model.wv["кот"])


@pytest.mark.parametrize("separate", [False, True])
def test_poincare_models_lie_in_the_ball(
    gensim_models: Any, separate: bool, tmp_path: Path
) -> None:
    from gensim.models.poincare import PoincareModel

    model = PoincareModel([("a", "b"), ("a", "c"), ("b", "d")], size=2, negative=1)
    model.train(epochs=2)
    options = {"sep_limit": 0} if separate else {}
    model.save(str(tmp_path / "p.model"), **options)
    model.kv.save(str(tmp_path / "p.kv"), **options)
    assert (tmp_path / "p.model.kv.vectors.npy").exists() == separate
    for name in ("p.model", "p.kv"):
        raw = read(tmp_path / name)
        assert raw.geometry == Poincare(1.0)
        assert raw.keys == model.kv.index_to_key
        np.testing.assert_array_equal(raw.vectors, model.kv.vectors)


# Older layouts, written by classes that only bear the names of gensim's.


@pytest.fixture
def old_gensim(monkeypatch: pytest.MonkeyPatch) -> dict[str, type]:
    return forged(
        monkeypatch,
        "gensim.models.keyedvectors.KeyedVectors",
        "gensim.models.keyedvectors.Word2VecKeyedVectors",
        "gensim.models.keyedvectors.Vocab",
        "gensim.models.word2vec.Word2Vec",
        "gensim.models.word2vec.Word2VecTrainables",
    )


def vocabulary(old: dict[str, type], keys: list[str]) -> dict[str, Any]:
    places = {key: made(old["Vocab"], index=row, count=9) for row, key in enumerate(keys)}
    return dict(sorted(places.items()))


@pytest.mark.parametrize("protocol", [0, 1, 2, 4])
def test_version_3_vectors(old_gensim: dict[str, type], protocol: int, tmp_path: Path) -> None:
    store = made(old_gensim["Word2VecKeyedVectors"], vectors=VECTORS, index2word=KEYS)
    raw = read(written(tmp_path / "old.kv", store, protocol))
    assert raw.keys == KEYS
    np.testing.assert_array_equal(raw.vectors, VECTORS)


def test_version_1_model_with_side_file(old_gensim: dict[str, type], tmp_path: Path) -> None:
    store = made(old_gensim["KeyedVectors"], index2word=KEYS)
    store.__dict__["__numpys"] = ["syn0"]
    np.save(tmp_path / "old.model.wv.syn0.npy", VECTORS)
    raw = read(written(tmp_path / "old.model", made(old_gensim["Word2Vec"], wv=store)))
    assert raw.keys == KEYS
    np.testing.assert_array_equal(raw.vectors, VECTORS)


def test_version_3_context_vectors_in_a_side_file(
    old_gensim: dict[str, type], tmp_path: Path
) -> None:
    store = made(old_gensim["Word2VecKeyedVectors"], vectors=VECTORS, index2word=KEYS)
    trainables = made(old_gensim["Word2VecTrainables"])
    trainables.__dict__["__numpys"] = ["syn1neg"]
    np.save(tmp_path / "old.model.trainables.syn1neg.npy", -VECTORS)
    model = made(old_gensim["Word2Vec"], wv=store, trainables=trainables)
    raw = read(written(tmp_path / "old.model", model), vectors="context")
    np.testing.assert_array_equal(raw.vectors, -VECTORS)


def test_the_oldest_models_hold_everything_themselves(
    old_gensim: dict[str, type], tmp_path: Path
) -> None:
    model = made(old_gensim["Word2Vec"], syn0=VECTORS, vocab=vocabulary(old_gensim, KEYS))
    raw = read(written(tmp_path / "oldest.model", model, 0))
    assert raw.keys == KEYS
    np.testing.assert_array_equal(raw.vectors, VECTORS)


def test_keys_of_python_2_are_utf_8(old_gensim: dict[str, type], tmp_path: Path) -> None:
    names = [key.encode() for key in KEYS]
    store = made(old_gensim["KeyedVectors"], syn0=VECTORS, index2word=names)
    assert read(written(tmp_path / "two.kv", store)).keys == KEYS


def test_big_endian_vectors_become_native(old_gensim: dict[str, type], tmp_path: Path) -> None:
    store = made(old_gensim["KeyedVectors"], vectors=VECTORS.astype(">f4"), index2word=KEYS)
    raw = read(written(tmp_path / "big.kv", store))
    assert raw.vectors.dtype.isnative
    np.testing.assert_array_equal(raw.vectors, VECTORS)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"index2word": KEYS}, "holds no vectors under a name"),
        ({"index2word": KEYS, "vectors": None}, "holds no vectors under a name"),
        ({"vectors": VECTORS}, "holds no list of words"),
        ({"vectors": VECTORS, "vocab": {"a": 0, "b": 0, "c": 1}}, "each row to one word"),
        ({"vectors": VECTORS, "vocab": {"a": 0, "b": None, "c": 1}}, "each row to one word"),
        ({"vectors": VECTORS, "index2word": KEYS[:2]}, "2 keys but vectors of shape"),
        ({"vectors": VECTORS, "index2word": [*KEYS[:2], None]}, "None is not text"),
        ({"vectors": VECTORS, "index2word": [*KEYS[:2], b"\xff"]}, "not text in UTF-8"),
        ({"vectors": VECTORS.astype(int), "index2word": KEYS}, "vectors of type int64"),
        ({"vectors": VECTORS * np.nan, "index2word": KEYS}, "NaN or infinity"),
        ({"vectors": VECTORS, "index2word": KEYS, "__numpys": ["vectors"]}, "not beside it"),
        ({"vectors_vocab": VECTORS, "index2word": KEYS, "vectors_ngrams": VECTORS}, "n-grams of"),
        (
            {
                "vectors_vocab": VECTORS,
                "index2word": KEYS,
                "vectors_ngrams": VECTORS[:, :1],
                "min_n": 3,
                "max_n": 6,
            },
            "beside vectors of 2 columns",
        ),
    ],
)
def test_what_is_missing_or_wrong_is_reported_in_one_sentence(
    old_gensim: dict[str, type], state: dict[str, Any], message: str, tmp_path: Path
) -> None:
    store = made(old_gensim["KeyedVectors"], **state)
    file = written(tmp_path / "bad.kv", store)
    with pytest.raises(FileFormatError, match=message) as error:
        read(file)
    assert "bad.kv" in str(error.value)


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY\x01\x00", b"no array"])
def test_a_damaged_side_file_is_named(
    old_gensim: dict[str, type], content: bytes, tmp_path: Path
) -> None:
    store = made(old_gensim["KeyedVectors"], index2word=KEYS)
    store.__dict__["__numpys"] = ["vectors"]
    file = written(tmp_path / "bad.kv", store)
    (tmp_path / "bad.kv.vectors.npy").write_bytes(content)
    with pytest.raises(FileFormatError, match=r"bad\.kv\.vectors\.npy.*not a whole \.npy file"):
        read(file)


def test_a_side_file_of_objects_is_never_unpickled(
    old_gensim: dict[str, type], tmp_path: Path
) -> None:
    store = made(old_gensim["KeyedVectors"], index2word=KEYS)
    store.__dict__["__numpys"] = ["vectors"]
    file = written(tmp_path / "bad.kv", store)
    np.save(tmp_path / "bad.kv.vectors.npy", np.array([[1, None]], dtype=object))
    with pytest.raises(FileFormatError, match="not a whole"):
        read(file)


def test_a_pickle_of_something_else_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path / "dict.pkl", {"a": [0.1]})
    with pytest.raises(FileFormatError, match="a pickle of dict"):
        read(file)


def test_texts_are_not_taken_for_pickles() -> None:
    for head in (b"cat 0.1 0.2\n", b"3 2\nthe 0.1 0.2\n", b"c\nd\n", b""):
        assert not Gensim().recognises(Path("a.txt"), head)


# --- The .npy files beside a model of gensim: whatever stands there, one sentence names it ---


ASIDE = {"index_to_key": pushed(["a", "b"]), "__numpys": pushed(["vectors"])}
MATRIX = np.arange(6, dtype=np.float32).reshape(2, 3)


def saved(array: object) -> bytes:
    written = io.BytesIO()
    np.save(written, np.asarray(array))
    return written.getvalue()


def headed(header: str, content: bytes = b"", version: int = 1) -> bytes:
    length = struct.pack("<H" if version == 1 else "<I", len(header) + 1)
    return b"\x93NUMPY" + bytes([version, 0]) + length + header.encode() + b"\n" + content


def said(descr: str = "'<f4'", shape: str = "(2, 3)", order: str = "False") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


BAD: dict[str, bytes] = {
    "nothing": b"",
    "cut magic": b"\x93NUM",
    "text": b"the 0.1 0.2\n",
    "unclosed header": headed("{'descr': '<f4'", bytes(24)),
    "header of minus signs": headed("-" * 7000, bytes(24)),
    "header of brackets": headed("(" * 7000, bytes(24)),
    "header past its length": b"\x93NUMPY\x01\x00\xff\xff{",
    "header of four gigabytes": b"\x93NUMPY\x02\x00\xff\xff\xff\xff{",
    "unknown version": headed(said(), bytes(24), 9),
    "shape of truth": headed(said(shape="(True, 6)"), bytes(24)),
    "negative shape": headed(said(shape="(-2, -3)"), bytes(24)),
    "huge shape": headed(said(shape=f"({10**30}, 3)"), bytes(24)),
    "huge and empty shape": headed(said(shape=f"(0, {10**30})")),
    "shape past a word": headed(said(shape=f"({2**33}, {2**33})"), bytes(24)),
    "shape of many sides": headed(said(shape="(" + "1, " * 100 + ")"), bytes(4)),
    "shape of text": headed(said(shape="'ab'"), bytes(24)),
    "type that is none": headed(said(descr="'<f3'"), bytes(24)),
    "type of records": headed(said(descr="[('a', '<f4')]"), bytes(24)),
    "type of empty text": headed(said(descr="'<U0'", shape="(3000000000,)")),
    "objects": headed(said(descr="'|O'"), bytes(48)),
    "dates": headed(said(descr="'<M8[s]'"), bytes(48)),
    "whole numbers": saved(MATRIX.astype(int)),
    "one row too few": saved(MATRIX)[:-12],
    "one byte too many": saved(MATRIX) + b"\0",
    "one dimension": saved(MATRIX[0]),
    "no dimension": saved(np.float32(1)),
    "three dimensions": saved(MATRIX[None]),
    "other number of rows": saved(MATRIX[:1]),
    "no rows": saved(MATRIX[:0]),
    "no columns": saved(MATRIX[:, :0]),
}


def read_side_files(folder: Path) -> None:
    file = folder / "bad.kv"
    file.write_bytes(model(**ASIDE))
    with pytest.raises(FileFormatError, match=r"bad\.kv") as caught:
        Gensim().read(file, ReadOptions())
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@loop_over("kind", BAD)
def test_a_bad_side_file_is_one_sentence(kind: str, tmp_path: Path) -> None:
    (tmp_path / "bad.kv.vectors.npy").write_bytes(BAD[kind])
    read_side_files(tmp_path)


@pytest.mark.parametrize(
    "put",
    [
        Path.mkdir,
        os.mkfifo,
        lambda side: side.symlink_to("gone"),
        lambda side: side.symlink_to(side),
    ],
    ids=["a folder", "a pipe", "a link to nothing", "a link to itself"],
)
def test_what_is_no_file_in_its_place_is_one_sentence(
    put: Callable[[Path], object], tmp_path: Path
) -> None:
    put(tmp_path / "bad.kv.vectors.npy")
    read_side_files(tmp_path)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", ["<f4", ">f4", "<f2", "<f8"])
def test_a_good_one_is_read_through_a_link_too(kind: str, order: str, tmp_path: Path) -> None:
    matrix = np.array(MATRIX, dtype=kind, order=order)  # type: ignore[call-overload]
    (tmp_path / "elsewhere").write_bytes(saved(matrix))
    (tmp_path / "good.kv.vectors.npy").symlink_to("elsewhere")
    (tmp_path / "good.kv").write_bytes(model(**ASIDE))
    raw = Gensim().read(tmp_path / "good.kv", ReadOptions())
    np.testing.assert_array_equal(raw.vectors, MATRIX)


# --- Models of Poincaré GloVe, forged with the classes and attributes that its code pickles ---
# github.com/alex-tifrea/poincare_glove: glove_code/src/glove.py, gensim/models/keyedvectors.py.


KEYS_POINCARE_GLOVE = ["the", "of", "woman", "man"]
COUNTS = np.array([9, 7, 3, 2], dtype=np.uint32)
POINTS = {
    "MixPoincareWordEmbeddingsKeyedVectors": balls.points(4 * 3, 2).reshape(4, 6),
    "PoincareWordEmbeddingsKeyedVectors": balls.points(4, 6),
    "VanillaWordEmbeddingsKeyedVectors": 3 * balls.points(4, 6),
}
SPACES: dict[str, Geometry] = {
    "MixPoincareWordEmbeddingsKeyedVectors": ProductOfBalls(3),
    "PoincareWordEmbeddingsKeyedVectors": Poincare(1.0),
    "VanillaWordEmbeddingsKeyedVectors": Euclidean(),
}


@pytest.fixture
def fork(monkeypatch: pytest.MonkeyPatch) -> dict[str, type]:
    return forged(
        monkeypatch,
        *(f"gensim.models.keyedvectors.{name}" for name in (*POINTS, "Vocab")),
        "glove_code.src.glove.Glove",
        "glove_code.src.glove.GloveTrainables",
        "glove_code.src.glove.InitializationConfig",
    )


def glove(fork: dict[str, type], kind: str, target: Any, context: Any, balls: int = 3) -> Any:
    """A model as Glove.__init__ and cleanup() leave it, with the optimiser's matrices."""
    mixed = {"num_embs": balls, "small_emb_size": 2} if kind.startswith("Mix") else {}
    kept = {"vector_size": 6, "vector_dtype": np.float32}
    trainables = made(
        fork["GloveTrainables"],
        **kept,
        syn1=context,
        syn1neg=context,
        b0=np.zeros(4, np.float32),
        gradsq_syn0=None,
        mom_syn0=np.zeros((4, 6), np.float32),
        betas_syn0=np.ones((4, 6), np.float32),
        nn_weights=None,
    )
    vectors = made(
        fork[kind],
        **kept,
        **mixed,
        vectors=target,
        vocab={
            key: made(fork["Vocab"], index=i, count=9) for i, key in enumerate(KEYS_POINCARE_GLOVE)
        },
        index2word=KEYS_POINCARE_GLOVE,
        index2freq=COUNTS,
        vectors_norm=None,
        use_poincare_distance=True,
        trainables=trainables,
        init_pretrained_config=made(fork["InitializationConfig"], init_vectors=target * 0),
    )
    return made(
        fork["Glove"],
        **kept,
        wv=vectors,
        trainables=trainables,
        callbacks=[],
        poincare=1,
        num_embs=balls,
        epoch_training_loss=np.float64(0.25),
    )


def written_poincare_glove(folder: Path, model: Any) -> Path:
    """As the fork's Python 3.6 and numpy 1 wrote it, under a name without an ending."""
    file = folder / "glove_ep50_size6_lr0.05_vocab4_mix-poincare_bias"
    content = pickle.dumps(model, 2).replace(b"numpy._core.", b"numpy.core.")
    assert b"cglove_code.src.glove\nGlove\n" in content
    file.write_bytes(content)
    return file


def pair(kind: str) -> tuple[Vectors, Vectors]:
    target = POINTS[kind].astype(np.float32)
    return target, -target[::-1] / 2


@pytest.mark.parametrize("kind", POINTS)
def test_target_and_context_vectors(fork: dict[str, type], kind: str, tmp_path: Path) -> None:
    target, context = pair(kind)
    file = written_poincare_glove(tmp_path, glove(fork, kind, target, context))
    own = load(file)
    assert own.geometry == SPACES[kind]
    assert list(own.keys) == KEYS_POINCARE_GLOVE
    assert own.name == file.name
    assert own.counts is not None
    np.testing.assert_array_equal(own.counts, COUNTS)
    np.testing.assert_array_equal(own.vectors, target)
    assert own.history[0].details == {"file": file.name, "format": "gensim"}
    other = load(file, ["man", "of"], vectors="context")
    assert other.geometry == SPACES[kind]
    assert list(other.keys) == ["of", "man"]
    np.testing.assert_array_equal(other.vectors, context[[1, 3]])
    assert other.history[0].details["vectors"] == "context"


def test_aggregated_points_lie_halfway_in_the_ball(fork: dict[str, type], tmp_path: Path) -> None:
    kind = "PoincareWordEmbeddingsKeyedVectors"
    w, c = pair(kind)
    both = load(written_poincare_glove(tmp_path, glove(fork, kind, w, c)), vectors="aggregated")
    # The code of the paper takes the gyromidpoint by gamma factors.
    w, c = w.astype(np.float64), c.astype(np.float64)
    gamma_w, gamma_c = (1 / (1 - (x**2).sum(axis=1, keepdims=True)) for x in (w, c))
    double = (gamma_w * w + gamma_c * c) / (gamma_w + gamma_c - 1)
    lengths = np.linalg.norm(double, axis=1, keepdims=True)
    expected = double * np.tanh(np.arctanh(lengths) / 2) / lengths
    np.testing.assert_allclose(both.vectors, expected, rtol=1e-9)
    assert both.history[0].details["vectors"] == "aggregated"


def test_aggregated_points_lie_halfway_in_every_ball(fork: dict[str, type], tmp_path: Path) -> None:
    kind = "MixPoincareWordEmbeddingsKeyedVectors"
    w, c = pair(kind)
    file = written_poincare_glove(tmp_path, glove(fork, kind, w, c))
    both = load(file, vectors="aggregated").vectors
    here, there, halfway = (x.astype(np.float64).reshape(12, 2) for x in (w, c, both))
    distance = Poincare(1.0).distance
    np.testing.assert_allclose(2 * distance(here, halfway), distance(here, there), rtol=1e-7)
    np.testing.assert_allclose(2 * distance(there, halfway), distance(here, there), rtol=1e-7)


def test_aggregated_flat_vectors_are_sums(fork: dict[str, type], tmp_path: Path) -> None:
    kind = "VanillaWordEmbeddingsKeyedVectors"
    w, c = pair(kind)
    both = load(written_poincare_glove(tmp_path, glove(fork, kind, w, c)), vectors="aggregated")
    np.testing.assert_array_equal(both.vectors, w + c)


def test_nothing_lies_halfway_to_a_point_outside(fork: dict[str, type], tmp_path: Path) -> None:
    kind = "MixPoincareWordEmbeddingsKeyedVectors"
    w, c = pair(kind)
    c[2, 4:] = [0.6, 0.8]
    file = written_poincare_glove(tmp_path, glove(fork, kind, w, c))
    with pytest.raises(GeometryError, match="context point of 'woman' lies outside"):
        load(file, vectors="aggregated")
    with pytest.raises(GeometryError, match=r"1 of 4 points .*'woman' and the largest norm is 1;"):
        load(file, vectors="context")
    inside = load(file, vectors="context", outside="project")
    assert inside.history[-1].details == {"geometry": "poincare-x3", "moved": 1}
    np.testing.assert_array_equal(inside.vectors[2, :4], c[2, :4])


@pytest.mark.parametrize("count", [4, 0, -3, None, 2.0])
def test_balls_that_are_no_equal_parts(fork: dict[str, type], count: Any, tmp_path: Path) -> None:
    kind = "MixPoincareWordEmbeddingsKeyedVectors"
    file = written_poincare_glove(tmp_path, glove(fork, kind, *pair(kind), balls=count))
    with pytest.raises(FileFormatError, match=f"6 columns among {count} balls"):
        load(file)


def test_what_has_one_vector_a_word(fork: dict[str, type], tmp_path: Path) -> None:
    kind = "PoincareWordEmbeddingsKeyedVectors"
    w, c = pair(kind)
    model = glove(fork, kind, w, c)
    with pytest.raises(FileFormatError, match=r"shape \(4, 6\) and context .* \(4, 5\)"):
        load(written_poincare_glove(tmp_path, glove(fork, kind, w, c[:, :5])), vectors="aggregated")
    model.wv.trainables = model.trainables = None
    with pytest.raises(FileFormatError, match=r"holds no context vectors \(syn1neg\)"):
        load(written_poincare_glove(tmp_path, model), vectors="context")
    text = tmp_path / "model.vec"
    text.write_text("1 2\na 0.1 0.2\n", encoding="utf-8")
    with pytest.raises(SettingError, match=r"model\.vec \(word2vec-text\) holds one vector a word"):
        load(text, vectors="context")
    with pytest.raises(SettingError, match="of Python holds one vector a word"):
        load({"a": [0.1, 0.2]}, vectors="aggregated")
    with pytest.raises(UnknownNameError, match="'both'; known: aggregated, context, target"):
        load(text, vectors="both")  # type: ignore[arg-type]

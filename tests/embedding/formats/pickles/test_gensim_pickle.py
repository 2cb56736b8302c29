from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairvec.core.errors import FileFormatError, SettingError
from fairvec.embedding.formats.base import FileContent, ReadOptions, VectorRole
from fairvec.embedding.formats.gensim import GensimPickle
from fairvec.geometry import Poincare
from tests.embedding.pickles import forged, made, written

KEYS = ["the", "слово", "शब्द"]
VECTORS = np.arange(6, dtype=np.float32).reshape(3, 2) / 10
SENTENCES = [["кот", "собака", "дом"], ["дом", "кошка", "кот"]] * 5


def read(path: Path, words: set[str] | None = None, vectors: VectorRole = "target") -> FileContent:
    with path.open("rb") as file:
        assert GensimPickle().recognises(path, file.read(4096))
    wanted = None if words is None else frozenset(words)
    return GensimPickle().read(path, ReadOptions(wanted, vectors=vectors))


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
def test_what_is_missing_or_wrong_is_said_in_one_sentence(
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
        assert not GensimPickle().recognises(Path("a.txt"), head)

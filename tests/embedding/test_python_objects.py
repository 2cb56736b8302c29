"""Points that a program already holds."""

from typing import Any

import numpy as np
import pytest

from fairvec.core.errors import FileFormatError, GeometryError, SettingError
from fairvec.embedding import from_arrays, from_dict, from_keyed_vectors, load
from fairvec.geometry import Euclidean, Poincare

MATRIX = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], dtype=np.float32)


class Lookalike:
    """Like gensim's KeyedVectors, as far as fairvec looks."""

    index_to_key = ("a", "b", "c")
    vectors = MATRIX


class Model:
    """Like gensim's Word2Vec, as far as fairvec looks."""

    wv = Lookalike()


@pytest.mark.parametrize(
    ("source", "keys"),
    [
        (MATRIX, ["a", "b", "c"]),
        (MATRIX.tolist(), ["a", "b", "c"]),
        ({"a": [0.1, 0.2], "b": (0.3, 0.4), "c": np.array([0.5, 0.6])}, None),
        (Lookalike(), None),
        (Model(), None),
    ],
)
def test_load_takes_them_all(source: Any, keys: list[str] | None) -> None:
    embedding = load(source, ["a", "c"], keys=keys, geometry="poincare", curvature=0.5, name="mine")
    assert list(embedding.keys) == ["a", "c"]
    np.testing.assert_allclose(embedding.vectors, MATRIX[[0, 2]])
    assert embedding.geometry == Poincare(0.5)
    assert embedding.name == "mine"


def test_the_history_says_where_points_come_from() -> None:
    assert str(from_arrays(["a", "b", "a"], MATRIX).history[0]) == "read from=arrays duplicates=1"
    assert str(from_dict({"a": [1.0]}).history[0]) == "read from=dict"
    assert str(from_keyed_vectors(Lookalike()).history[0]) == "read from=Lookalike"


def test_floats_keep_their_precision_and_whole_numbers_become_floats() -> None:
    for dtype in (np.float16, np.float32, np.float64):
        assert from_arrays(["a"], np.ones((1, 2), dtype)).vectors.dtype == dtype
    assert from_arrays(["a"], [[1, 2]]).vectors.dtype == np.float64


def test_the_array_is_neither_copied_nor_locked() -> None:
    matrix = MATRIX.copy()
    embedding = from_arrays(["a", "b", "c"], matrix)
    assert np.shares_memory(embedding.vectors, matrix)
    assert matrix.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        embedding.vectors[0, 0] = 1


@pytest.mark.parametrize(
    ("keys", "vectors", "message"),
    [
        (["a"], MATRIX, r"1 key but vectors of shape \(3, 2\)"),
        (["a", "b", "c"], MATRIX[:, 0], "vectors of shape"),
        ([], np.empty((0, 2)), "holds no vectors"),
        (["a"], [[np.nan, 1]], r"row 1 \('a'\): the vector holds NaN"),
        (["a", "b"], [[1, 2], [np.inf, 1]], r"row 2 \('b'\)"),
        (["a", "b"], [[1, 2], [3]], "not one matrix"),
        (["a"], [["x"]], "not real numbers"),
        (["a"], [[1j]], "not real numbers"),
        ([b"a"], [[1.0]], "the key b'a' is not a string"),
    ],
)
def test_bad_arrays(keys: Any, vectors: Any, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        from_arrays(keys, vectors)


def test_bad_dicts() -> None:
    with pytest.raises(FileFormatError, match="The dict holds no vectors"):
        from_dict({})
    with pytest.raises(FileFormatError, match=r"The vector of 'b' has shape \(1,\)"):
        from_dict({"a": [1, 2], "b": [1]})


def test_points_outside_the_ball() -> None:
    with pytest.raises(GeometryError, match="1 of 1 points"):
        from_arrays(["a"], [[3.0, 4.0]], geometry="poincare")
    inside = from_arrays(["a"], [[3.0, 4.0]], geometry="poincare", outside="project")
    np.testing.assert_allclose(inside.vectors, [[0.6, 0.8]])


def test_what_is_no_embedding() -> None:
    with pytest.raises(SettingError, match="give them with keys="):
        load(MATRIX)
    with pytest.raises(SettingError, match="cannot be made of int"):
        load(5)  # type: ignore[arg-type]


def test_real_keyed_vectors() -> None:
    models = pytest.importorskip("gensim.models", reason="gensim is not installed")
    vectors = models.KeyedVectors(2)
    vectors.add_vectors(["a", "b", "c"], MATRIX)
    embedding = load(vectors)
    assert list(embedding.keys) == ["a", "b", "c"]
    assert embedding.vectors.tobytes() == MATRIX.tobytes()


def test_a_real_poincare_model_lies_in_the_ball() -> None:
    pytest.importorskip("gensim", reason="gensim is not installed")
    from gensim.models.poincare import PoincareModel

    model = PoincareModel([("a", "b"), ("a", "c"), ("b", "d")], size=2, negative=1)
    for source in (model, model.kv):
        embedding = load(source)
        assert embedding.geometry == Poincare(1.0)
        assert list(embedding.keys) == model.kv.index_to_key
        assert load(source, geometry="euclidean").geometry == Euclidean()
        assert load(source, curvature=0.5).geometry == Poincare(0.5)


def test_a_cut_says_so_and_an_empty_one_is_refused() -> None:
    some = from_arrays(["a", "b"], [[1.0, 2.0], [3.0, 4.0]], words=["a", "z"])
    assert some.history[0].details["words_wanted"] == 2
    assert some.history[0].details["words_found"] == 1
    with pytest.raises(SettingError, match="none of the 1 word wanted"):
        from_arrays(["a", "b"], [[1.0, 2.0], [3.0, 4.0]], words=["z"])

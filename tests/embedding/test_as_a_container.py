"""An embedding is used as a dict of words is, and goes back to where people came from."""

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairvec
from fairvec.core.errors import (
    FairvecError,
    FileFormatError,
    MissingExtraError,
    SettingError,
    UndefinedError,
    UnknownNameError,
)
from fairvec.embedding import Embedding, from_arrays
from fairvec.geometry import Poincare

WORDS = ["king", "queen", "man", "woman", "zero"]
MATRIX = np.array([[3, 4], [4, 3], [1, 0], [0, 2], [0, 0]], dtype=np.float32) / 8
FLAT = Embedding(WORDS, MATRIX, name="toy", counts=np.array([5, 4, 3, 2, 1]))
BALL = Embedding(WORDS, MATRIX, Poincare(1.0), name="ball")


def test_a_word_gives_a_copy_of_its_vector() -> None:
    vector = FLAT["king"]
    assert vector.tolist() == [0.375, 0.5]
    assert vector.dtype == np.float64
    vector[0] = 7
    assert FLAT["king"].tolist() == [0.375, 0.5]


def test_words_are_gone_through_in_their_order() -> None:
    assert list(FLAT) == WORDS
    assert {word: FLAT[word].tolist() for word in FLAT}.keys() == set(WORDS)
    assert "king" in FLAT
    assert "King" not in FLAT
    assert len(FLAT) == 5


def test_an_unknown_word_is_a_key_error_that_offers_a_near_one() -> None:
    with pytest.raises(KeyError) as caught:
        FLAT["kingg"]
    said = "There is no key named 'kingg'; did you mean king? It is not in toy."
    assert str(caught.value) == said
    assert isinstance(caught.value, UnknownNameError)
    assert FLAT.positions.get("kingg") is None
    with pytest.raises(KeyError, match=r"There is no key named 'xyzzy'\. It is not in toy\."):
        FLAT.rows(["king", "xyzzy"])


@pytest.mark.parametrize("key", [0, b"king", ["king"], None, slice(2)])
def test_what_is_no_word_is_refused_in_words(key: Any) -> None:
    with pytest.raises(KeyError, match="The keys of toy are text; give a word"):
        FLAT[key]


def test_rows_of_a_generator_are_those_of_its_list() -> None:
    wanted = ["man", "king"]
    assert FLAT.rows(word for word in wanted).tolist() == FLAT.rows(wanted).tolist()
    letters = Embedding(["i", "t", "it"], np.eye(3))
    with pytest.raises(SettingError, match=r"rows\(\) takes a list of keys; say \['it'\]"):
        letters.rows("it")


@pytest.mark.parametrize("again", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_is_read_only_too(again: Callable[[Embedding], Embedding]) -> None:
    made = again(FLAT)
    assert made.content_hash == FLAT.content_hash
    assert not made.vectors.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        made.vectors[0, 0] = 7


@pytest.mark.parametrize(
    ("keys", "vectors", "said"),
    [
        ("ab", np.eye(2), "its keys are str; give a list of words"),
        ((word for word in "ab"), np.eye(2), "its keys are generator; give a list"),
        (["a", 1], np.eye(2), "the key 1 is no text; give words"),
        (["a", None], np.eye(2), "the key None is no text; .* leave out gaps"),
        (["a", "b"], [[1.0], [2.0]], "must be an array of floats, not list"),
        (["a", "b"], np.eye(2, dtype=complex), "array of floats, not complex"),
        (["a", "b"], np.eye(2, dtype=object), "array of floats, not object"),
    ],
    ids=["text", "generator", "number", "gap", "list", "complex", "objects"],
)
def test_what_is_no_embedding_is_refused_in_words(keys: Any, vectors: Any, said: str) -> None:
    with pytest.raises(FairvecError, match=said):
        Embedding(keys, vectors)


def test_whole_numbers_are_exact() -> None:
    whole = Embedding(["a", "b"], np.eye(2, dtype=np.int64))
    assert whole.precision == np.finfo(np.float64).eps
    assert whole["a"].tolist() == [1.0, 0.0]


def test_a_change_says_what_was_done() -> None:
    with pytest.raises(SettingError, match=r"say what was done as Step\(.halved.\)"):
        FLAT.moved_to(MATRIX / 2, "halved")  # type: ignore[arg-type]


def test_most_similar_is_the_plain_cosine() -> None:
    near = FLAT.most_similar("king", 3)
    assert [word for word, _ in near] == ["queen", "woman", "man"]
    np.testing.assert_allclose([alike for _, alike in near], [24 / 25, 4 / 5, 3 / 5])


def test_most_similar_in_the_ball_goes_by_distance() -> None:
    (nearest, alike), *_ = BALL.most_similar("man", 4)
    u, v = BALL["man"], BALL[nearest]
    ratio = 2 * ((u - v) ** 2).sum() / ((1 - u @ u) * (1 - v @ v))
    np.testing.assert_allclose(alike, -np.arccosh(1 + ratio))
    assert nearest == "zero"
    assert FLAT.most_similar("man", 1, by="negative-distance")[0][0] == "zero"


@given(st.integers(0, 10_000), st.integers(1, 8))
def test_most_similar_is_what_sorting_gives(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    model = from_arrays([f"w{i}" for i in range(9)], rng.normal(size=(9, 3)))
    unit = model.vectors / np.linalg.norm(model.vectors, axis=1, keepdims=True)
    expected = sorted(range(1, 9), key=lambda row: -float(unit[row] @ unit[0]))[:count]
    assert [word for word, _ in model.most_similar("w0", count)] == [f"w{i}" for i in expected]


def test_most_similar_says_what_is_wrong() -> None:
    with pytest.raises(KeyError, match="did you mean woman"):
        FLAT.most_similar("womann")
    with pytest.raises(UndefinedError, match="vector of zero in toy is zero"):
        FLAT.most_similar("zero")
    with pytest.raises(UndefinedError, match="ask for fewer"):
        FLAT.most_similar("king", 9)
    with pytest.raises(UndefinedError, match="ask for fewer"):
        FLAT.most_similar("king", 10**15)  # for which no machine has the room
    for count in (0, -1, 2.5, True, "3"):
        with pytest.raises(SettingError):
            FLAT.most_similar("king", count)  # type: ignore[arg-type]
    with pytest.raises(FairvecError, match="There is no similarity named"):
        FLAT.most_similar("king", by="cosin")


def test_gensim_agrees_on_what_it_is_given() -> None:
    pytest.importorskip("gensim", reason="gensim is not installed")
    small = Embedding(WORDS[:4], MATRIX[:4], counts=np.array([5, 4, 3, 2]))
    keyed = small.to_keyed_vectors()
    assert keyed.index_to_key == WORDS[:4]
    assert keyed.get_vecattr("queen", "count") == 4
    np.testing.assert_array_equal(keyed.vectors, MATRIX[:4])
    theirs, ours = keyed.most_similar("king", topn=3), small.most_similar("king", 3)
    assert [word for word, _ in theirs] == [word for word, _ in ours]
    np.testing.assert_allclose([s for _, s in theirs], [s for _, s in ours], rtol=1e-6)
    keyed.vectors[0] = 9
    assert small["king"].tolist() == [0.375, 0.5]


@pytest.mark.parametrize(
    ("given", "kept"), [("float16", "float32"), ("float32", "float32"), ("float64", "float64")]
)
def test_gensim_gets_numbers_it_computes_with(given: str, kept: str) -> None:
    pytest.importorskip("gensim", reason="gensim is not installed")
    keyed = Embedding(WORDS, MATRIX.astype(given)).to_keyed_vectors()
    assert keyed.vectors.dtype == kept
    again = fairvec.load(keyed)
    np.testing.assert_array_equal(again.vectors, MATRIX)


def test_gensim_does_not_get_the_ball() -> None:
    with pytest.raises(SettingError, match="do not notice the curvature; take to_frame"):
        BALL.to_keyed_vectors()


def test_numbers_that_are_none_go_nowhere() -> None:
    broken = Embedding(["a", "b"], np.array([[1.0, 2.0], [np.nan, 0.0]]), name="mapped")
    with pytest.raises(FileFormatError, match=r"mapped, row 2 \('b'\)"):
        broken.to_keyed_vectors()


class _Pandas(ModuleType):
    """As much of pandas as is called, since it need not be installed."""

    @staticmethod
    def Index(words: list[str], name: str) -> tuple[str, list[str]]:  # noqa: N802
        return name, words

    @staticmethod
    def DataFrame(values: Any, index: Any) -> tuple[Any, Any]:  # noqa: N802
        return values, index


def test_a_frame_has_the_words_as_its_index_and_numbers_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", _Pandas("pandas"))
    values, index = BALL.to_frame()
    assert index == ("word", WORDS)
    np.testing.assert_array_equal(values, MATRIX)
    values[0] = 1
    assert BALL["king"].tolist() == [0.375, 0.5]


def test_a_real_frame_goes_there_and_back() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = FLAT.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.loc["king"].tolist() == [0.375, 0.5]


@pytest.mark.parametrize(
    ("package", "call", "said"),
    [
        ("pandas", "to_frame", "needs pandas: pip install pandas"),
        ("gensim.models", "to_keyed_vectors", r'pip install "fairvec\[gensim\]"'),
    ],
)
def test_what_is_not_installed_is_named(
    package: str, call: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=said):
        getattr(FLAT, call)()


def test_masked_numbers_are_no_numbers() -> None:
    """What lies under a mask would be measured as if it were there."""
    numbers = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    with pytest.raises(SettingError, match="are masked; remove those rows"):
        Embedding(["a", "b"], numbers)
    assert len(Embedding(["a", "b"], np.ma.array([[1.0, 2.0], [3.0, 4.0]]))) == 2


def test_using_a_model_as_a_dict_imports_neither_gensim_nor_pandas(tmp_path: Path) -> None:
    program = (
        "import sys, fairvec\nmodel = fairvec.load('glove-en-small')\nmodel['king']\n"
        "model.most_similar('king', 3)\n"
        "print(sorted({'gensim', 'pandas', 'torch'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr

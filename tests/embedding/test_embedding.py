"""The container of words and vectors."""

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, cast

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
from fairvec.embedding import Embedding, Step, from_arrays
from fairvec.embedding.lazy_matrix import RowSubset, take_rows
from fairvec.embedding.neighbours import neighbours_of
from fairvec.geometry import Euclidean, Geometry, Poincare
from fairvec.metrics.bias.vocabulary import nearest_words
from fairvec.metrics.utility.movement import neighbourhoods

# --- The container ---


MATRIX = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], dtype=np.float32)


def embedding() -> Embedding:
    return Embedding(["a", "b", "c"], MATRIX.copy(), Poincare(0.5), "mine", (Step("made"),))


def test_rows_are_float64_in_the_order_asked_for() -> None:
    rows = embedding().rows(["c", "a", "c"])
    assert rows.dtype == np.float64
    np.testing.assert_array_equal(rows, MATRIX[[2, 0, 2]].astype(np.float64))
    with pytest.raises(UnknownNameError, match=r"no key named 'z'.*not in mine"):
        embedding().rows(["a", "z"])


def test_length_membership_and_positions() -> None:
    assert len(embedding()) == 3
    assert "a" in embedding()
    assert "z" not in embedding()
    assert embedding().dimensions == 2
    assert embedding().positions == {"a": 0, "b": 1, "c": 2}


def test_shape_and_distinct_keys_are_required() -> None:
    with pytest.raises(FileFormatError, match="2 keys do not match"):
        Embedding(["a", "b"], MATRIX)
    with pytest.raises(FileFormatError, match="do not match"):
        Embedding(["a", "b", "c"], MATRIX[:, 0])
    with pytest.raises(FileFormatError, match="1 key occurs more than once"):
        Embedding(["a", "b", "a"], MATRIX)


def test_nothing_changes_in_place() -> None:
    before = embedding()
    with pytest.raises(ValueError, match="read-only"):
        before.vectors[0, 0] = 9
    after = before.with_vectors(before.vectors * 2, Step("doubled", {"by": 2}))
    np.testing.assert_array_equal(before.vectors, MATRIX)
    np.testing.assert_array_equal(after.vectors, MATRIX * 2)
    assert [str(step) for step in after.history] == ["made", "doubled by=2"]
    assert (after.keys, after.geometry, after.name) == (before.keys, before.geometry, before.name)


def test_equal_content_equal_hash() -> None:
    base = embedding()
    assert base.content_hash == embedding().content_hash
    assert base.content_hash == Embedding(["a", "b", "c"], MATRIX, Poincare(0.5)).content_hash
    whole = (Embedding(["a", "b", "c"], MATRIX, Poincare(c)) for c in (1, 1.0))
    assert len({each.content_hash for each in whole}) == 1
    others = [
        Embedding(["a", "b", "d"], MATRIX, Poincare(0.5)),
        Embedding(["a", "b", "c"], MATRIX, Poincare(0.25)),
        Embedding(["a", "b", "c"], MATRIX, Euclidean()),
        Embedding(["a", "b", "c"], MATRIX.astype(np.float64), Poincare(0.5)),
        Embedding(["a", "b", "c"], MATRIX[::-1], Poincare(0.5)),
    ]
    assert len({base.content_hash, *(other.content_hash for other in others)}) == 6


def test_it_says_what_it_is() -> None:
    assert repr(embedding()) == "Embedding('mine', 3 keys x 2, poincare, float32)"


def test_a_row_that_is_not_finite_is_never_handed_out() -> None:
    broken = MATRIX.copy()
    broken[1, 0] = np.nan
    damaged = Embedding(["a", "b", "c"], broken, name="damaged")
    np.testing.assert_array_equal(damaged.rows(["a", "c"]), MATRIX[[0, 2]].astype(np.float64))
    with pytest.raises(FileFormatError, match=r"damaged: the vector of 'b' holds NaN"):
        damaged.rows(["a", "b"])


# --- An embedding is used as a dict of words is, and goes back to where people came from ---


WORDS = ["king", "queen", "man", "woman", "zero"]
MATRIX_MAPPING = np.array([[3, 4], [4, 3], [1, 0], [0, 2], [0, 0]], dtype=np.float32) / 8
FLAT = Embedding(WORDS, MATRIX_MAPPING, name="toy", counts=np.array([5, 4, 3, 2, 1]))
BALL = Embedding(WORDS, MATRIX_MAPPING, Poincare(1.0), name="ball")


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
    message = "There is no key named 'kingg'; did you mean king? It is not in toy."
    assert str(caught.value) == message
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
    ("keys", "vectors", "message"),
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
def test_what_is_no_embedding_is_refused_in_words(keys: Any, vectors: Any, message: str) -> None:
    with pytest.raises(FairvecError, match=message):
        Embedding(keys, vectors)


def test_whole_numbers_are_exact() -> None:
    whole = Embedding(["a", "b"], np.eye(2, dtype=np.int64))
    assert whole.precision == np.finfo(np.float64).eps
    assert whole["a"].tolist() == [1.0, 0.0]


def test_a_change_says_what_was_done() -> None:
    with pytest.raises(SettingError, match=r"say what was done as Step\(.halved.\)"):
        FLAT.with_vectors(MATRIX_MAPPING / 2, "halved")  # type: ignore[arg-type]


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
    small = Embedding(WORDS[:4], MATRIX_MAPPING[:4], counts=np.array([5, 4, 3, 2]))
    keyed = small.to_keyed_vectors()
    assert keyed.index_to_key == WORDS[:4]
    assert keyed.get_vecattr("queen", "count") == 4
    np.testing.assert_array_equal(keyed.vectors, MATRIX_MAPPING[:4])
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
    keyed = Embedding(WORDS, MATRIX_MAPPING.astype(given)).to_keyed_vectors()
    assert keyed.vectors.dtype == kept
    again = fairvec.load(keyed)
    np.testing.assert_array_equal(again.vectors, MATRIX_MAPPING)


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
    np.testing.assert_array_equal(values, MATRIX_MAPPING)
    values[0] = 1
    assert BALL["king"].tolist() == [0.375, 0.5]


def test_a_real_frame_goes_there_and_back() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = FLAT.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.loc["king"].tolist() == [0.375, 0.5]


@pytest.mark.parametrize(
    ("package", "call", "message"),
    [
        ("pandas", "to_frame", "needs pandas: pip install pandas"),
        ("gensim.models", "to_keyed_vectors", r'pip install "fairvec\[gensim\]"'),
    ],
)
def test_what_is_not_installed_is_named(
    package: str, call: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=message):
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


# --- A vector that is NaN is blamed on its word, also where only its row was known ---


def with_one(value: float, geometry: Geometry) -> Embedding:
    vectors = np.random.default_rng(0).uniform(0.1, 0.4, (5000, 2))
    vectors[4999] = value
    return Embedding([f"w{row}" for row in range(5000)], vectors, geometry, "model")


@pytest.mark.parametrize("geometry", [Euclidean(), Poincare()], ids=["flat", "ball"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_the_word_is_named(value: float, geometry: Geometry) -> None:
    model = with_one(value, geometry)
    for looked in (
        lambda: neighbours_of(model, ["w1"], 3),
        lambda: nearest_words(model.rows(["w1"]), ["w1"], model, 3),
        lambda: neighbourhoods(model, 3),
    ):
        with pytest.raises(FairvecError, match="model: the vector of 'w4999' holds NaN or inf"):
            looked()


# --- Some rows of a matrix are those that an index takes, and are fetched piece by piece ---


SOURCE = np.random.default_rng(0).normal(size=(20, 3)).astype(np.float32)
ENDS = st.none() | st.integers(-12, 12)
ROWS = st.lists(st.integers(0, 19), max_size=9).map(lambda rows: np.array(rows, np.int64))


@given(rows=ROWS, start=ENDS, stop=ENDS, step=st.sampled_from([None, 1, 2, -1]))
def test_a_slice_of_them(rows: Any, start: int | None, stop: int | None, step: int | None) -> None:
    some = slice(start, stop, step)
    np.testing.assert_array_equal(take_rows(SOURCE, rows)[some], SOURCE[rows][some])
    lazy = RowSubset(SOURCE, rows, SOURCE.dtype)
    np.testing.assert_array_equal(lazy[some], SOURCE[rows][some])
    assert lazy[some].dtype == np.float32


@pytest.mark.parametrize(
    "index",
    [[], [0, -1, 2], [[0, 1, 2], [2, 2, -3]], np.empty((0, 3), np.int64), [True, False, True]],
    ids=["none", "signed", "table", "empty table", "mask"],
)
def test_numbers_and_masks(index: Any) -> None:
    rows = np.array([7, 3, 11])
    lazy = RowSubset(SOURCE, rows, SOURCE.dtype)
    expected = SOURCE[rows][np.asarray(index, None if len(index) else np.int64)]
    np.testing.assert_array_equal(lazy[index], expected)
    assert lazy[index].shape == expected.shape


@pytest.mark.parametrize("row", [3, -4])
def test_what_lies_beyond_is_refused(row: int) -> None:
    with pytest.raises(IndexError, match=f"no row {row} among 3"):
        RowSubset(SOURCE, np.array([7, 3, 11]), SOURCE.dtype)[[0, row]]


def test_it_is_an_array_for_numpy_also_in_other_floats() -> None:
    rows = np.array([7, 3, 11])
    lazy = RowSubset(SOURCE, rows, SOURCE.dtype)
    assert (len(lazy), lazy.shape, lazy.size, lazy.nbytes) == (3, (3, 3), 9, 36)
    np.testing.assert_array_equal(np.asarray(lazy), SOURCE[rows])
    np.testing.assert_array_equal(np.asarray(lazy, np.float64), SOURCE[rows])
    narrow = lazy.astype(np.float16)
    assert narrow.nbytes == 18
    np.testing.assert_array_equal(narrow[:], SOURCE[rows].astype(np.float16))


def test_rows_of_an_array_that_stand_together_are_a_view() -> None:
    assert np.shares_memory(take_rows(SOURCE, np.arange(4, 9)), SOURCE)


def test_rows_of_what_is_on_demand_are_asked_for_piece_by_piece() -> None:
    asked = []

    class Spy(RowSubset):
        def take(self, rows: Any) -> Any:
            asked.append(len(rows))
            return super().take(rows)

    below = cast(Any, Spy(SOURCE, np.arange(20), SOURCE.dtype))
    first = take_rows(below, np.arange(15))
    assert not asked
    np.testing.assert_array_equal(first[4:6], SOURCE[4:6])
    np.testing.assert_array_equal(first[[14, 2]], SOURCE[[14, 2]])
    assert asked == [2, 2]


def test_the_hash_is_taken_once_of_one_content(monkeypatch: pytest.MonkeyPatch) -> None:
    base = embedding()
    known = base.content_hash
    same = (
        base.with_name("other"),
        base.with_languages("hi"),
        base.with_name("x").with_languages(["en", "hi"]),
    )
    moved = base.with_vectors(base.vectors / 2, Step("halved"))
    monkeypatch.setattr("fairvec.embedding.embedding.sha256", None)  # fails if it is taken again
    assert {each.content_hash for each in same} == {known}
    monkeypatch.undo()
    assert moved.content_hash != known


@pytest.mark.parametrize("edge", [1e-150, 1e150])
def test_vectors_whose_lengths_cannot_be_squared_are_refused(edge: float) -> None:
    row = np.array([edge, -edge / 3])
    beyond = Embedding(["one", "odd"], np.array([row, row * (10 if edge > 1 else 0.1)]))
    np.testing.assert_array_equal(beyond.rows(["one"]), [row])
    sizes = ("large", "small") if edge > 1 else ("small", "large")
    sentence = "'odd' is so {} .* multiply all vectors by one {} number".format(*sizes)
    with pytest.raises(UndefinedError, match=sentence):
        beyond.rows(["odd"])
    with pytest.raises(UndefinedError, match=sentence):
        beyond.block(0, 2)
    zero = Embedding(["zero"], np.zeros((1, 2)))
    np.testing.assert_array_equal(zero.rows(["zero"]), [[0, 0]])
    beside = Embedding(["beside"], np.array([[1.0, 1e-300]]))
    np.testing.assert_array_equal(beside.rows(["beside"]), [[1.0, 1e-300]])

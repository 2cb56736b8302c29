"""What people hold becomes a model, or one sentence says why not."""

import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairvec
from fairvec.api.models import as_model
from fairvec.core.errors import FairvecError, FileFormatError, GeometryError, SettingError
from fairvec.embedding import Embedding
from fairvec.encoders import Encoder
from fairvec.geometry import Poincare
from fairvec.languages.sentences import Sentence
from tests import toys
from tests.api.toys import like
from tests.loops import loop_over

WORDS = ["a", "b", "c"]
MATRIX = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], dtype=np.float32)


def embedded(source: Any, **settings: Any) -> Embedding:
    found = as_model(source, **settings)
    assert isinstance(found, Embedding)
    return found


def lengths(texts: list[str]) -> list[list[float]]:
    return [[len(text), 1.0] for text in texts]


@pytest.mark.parametrize(
    "source",
    [
        (WORDS, MATRIX),
        (tuple(WORDS), MATRIX.tolist()),
        (np.array(WORDS), MATRIX),
        ({"c": 2, "a": 0, "b": 1}, MATRIX),
        (iter(WORDS), MATRIX),
        dict(zip(WORDS, MATRIX, strict=True)),
        dict(zip(WORDS, MATRIX.tolist(), strict=True)),
        Embedding(WORDS, MATRIX),
        like("somewhere", index_to_key=WORDS, vectors=MATRIX),
    ],
    ids=["pair", "lists", "array", "rows", "iterator", "dict", "dict of lists", "own", "keyed"],
)
def test_words_and_numbers_in_every_shape(source: Any) -> None:
    model = embedded(source, name="mine", language="en")
    assert list(model) == WORDS
    np.testing.assert_allclose(model.vectors, MATRIX)
    assert (model.name, model.languages) == ("mine", ("en",))


def test_models_are_passed_on_as_they_are() -> None:
    model = toys.embedding()
    assert as_model(model) is model
    encoder = fairvec.open_encoder(lengths)
    assert as_model(encoder) is encoder
    assert as_model(encoder, name="other").name == "other"


def test_a_name_and_a_path_are_opened(tmp_path: Path) -> None:
    assert embedded("glove-en-small").name == "glove-en-small"
    assert embedded("glove-en-small", name="mine").name == "mine"
    path = fairvec.save(toys.embedding(), tmp_path / "toy.vec")
    for source in (path, str(path)):
        assert embedded(source).content_hash == fairvec.load(path).content_hash
    with pytest.raises(FairvecError, match="did you mean glove-en-small"):
        as_model("glove-en-smal")


@pytest.mark.parametrize("source", [lengths, partial(lengths)], ids=["function", "partial"])
def test_a_function_reads_texts(source: Any) -> None:
    model = as_model(source, name="by length", language="en")
    assert isinstance(model, Encoder)
    assert (model.name, model.languages) == ("by length", ("en",))
    assert model.encode([Sentence("", "nurse", "")]).tolist() == [[5, 1]]
    assert as_model(lengths).name == "lengths"
    with pytest.raises(SettingError, match="lies in the euclidean space, not the poincare one"):
        as_model(source, geometry="poincare")


@pytest.mark.parametrize("package", ["sentence_transformers", "model2vec"])
def test_a_model_of_sentences_encodes(package: str) -> None:
    model = as_model(like(f"{package}.model", kind="StaticModel", encode=lengths))
    assert isinstance(model, Encoder)
    assert model.name == "StaticModel"
    assert model.encode([Sentence("", "he", "")]).tolist() == [[2, 1]]


@pytest.mark.parametrize(
    ("card", "place", "name"),
    [
        ("me/tuned-minilm", "org/all-MiniLM-L6-v2", "tuned-minilm"),
        (None, "sentence-transformers/all-MiniLM-L6-v2", "all-MiniLM-L6-v2"),
        (None, "/home/me/models/mine/", "mine"),
        (
            None,
            "hub/models--org--LaBSE/snapshots/836121a0533e5664b21c7aacc5d22951f2b8b25b",
            "LaBSE",
        ),
        (None, "", "SentenceTransformer"),
        (None, None, "SentenceTransformer"),
    ],
)
def test_a_model_of_sentences_has_its_own_name(
    card: str | None, place: str | None, name: str
) -> None:
    network = SimpleNamespace(config=SimpleNamespace(_name_or_path=place))
    modules = [SimpleNamespace(auto_model=network), SimpleNamespace()]
    live = like(
        "sentence_transformers.model",
        kind="SentenceTransformer",
        encode=lengths,
        model_card_data=SimpleNamespace(model_id=card),
        children=lambda: iter(modules),
    )
    assert as_model(live).name == name
    assert as_model(live, name="mine too").name == "mine too"


def test_points_of_the_ball() -> None:
    assert embedded((WORDS, MATRIX), geometry="poincare").geometry == Poincare(1.0)
    ball = embedded((WORDS, MATRIX), geometry=Poincare(0.5))
    assert ball.geometry == Poincare(0.5)
    assert as_model(ball, geometry="poincare") is ball
    with pytest.raises(GeometryError, match="lie outside the poincare ball"):
        as_model((WORDS, MATRIX * 10), geometry="poincare")
    with pytest.raises(SettingError, match=r"give \(model\.keys, model\.vectors\)"):
        as_model(ball, geometry="euclidean")


def test_the_users_matrix_is_neither_changed_nor_locked() -> None:
    matrix = MATRIX.copy()
    model = embedded((WORDS, matrix))
    assert np.shares_memory(model.vectors, matrix)
    assert matrix.flags.writeable
    assert not model.vectors.flags.writeable
    np.testing.assert_array_equal(matrix, MATRIX)


def test_rows_without_a_word_and_rows_of_several_are_reported() -> None:
    model = embedded(({"he": 2, "she": 2, "it": 0}, MATRIX))
    assert list(model) == ["it", "he", "she"]
    np.testing.assert_array_equal(model.vectors, MATRIX[[0, 2, 2]])
    details = model.history[0].details
    assert details["rows without a word"] == 1
    assert details["words that share a row"] == 2
    assert details["such as"] == "he and she"


def test_a_name_is_text_and_not_empty() -> None:
    with pytest.raises(SettingError, match="name= is 3; give text, as in name='3'"):
        as_model((WORDS, MATRIX), name=3)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="The name of the model is empty"):
        as_model("")


def test_words_of_an_array_are_plain_text() -> None:
    assert [type(word) for word in embedded((np.array(WORDS), MATRIX))] == [str] * 3


@given(st.dictionaries(st.text(min_size=1), st.integers(0, 7), min_size=1))
def test_every_word_of_a_dict_has_the_row_it_names(places: dict[str, int]) -> None:
    matrix = np.arange(16.0).reshape(8, 2)
    model = embedded((places, matrix))
    assert {*model} == {*places}
    for word, row in places.items():
        assert model[word].tolist() == matrix[row].tolist()
    unnamed = len({*range(8)} - {*places.values()})
    assert model.history[0].details.get("rows without a word", 0) == unnamed


@loop_over(
    ("source", "message"),
    [
        ((["a", "b"], MATRIX), r"2 keys but vectors of shape \(3, 2\)"),
        (([], np.empty((0, 2))), "holds no vectors"),
        (([b"a", b"b", b"c"], MATRIX), r"b'a' is not a string; give key\.decode\(\)"),
        ((["a", "b", 3], MATRIX), r"key 3 is not a string; give str\(key\)"),
        ((["a", "b", None], MATRIX), "key None is not a string; leave out that word"),
        ((["a", "b", float("nan")], MATRIX), "key nan is not a string; leave out that word"),
        ((["a", "b"], [[1.0], [2.0, 3.0]]), "give a row of equally many numbers for each word"),
        ({"a": None, "b": [1.0]}, "The vector of 'a' is None; give every key one vector"),
        ((WORDS, MATRIX * np.nan), r"row 1 \('a'\): the vector holds NaN"),
        ((WORDS, np.ma.masked_less(MATRIX, 0.15)), "1 numbers of the matrix are masked"),
        ((WORDS, [["0.1"], ["x"], ["y"]]), "not real numbers"),
        ((WORDS, MATRIX[0]), "vectors of shape"),
        (({"a": 9}, MATRIX), "row 9 for 'a', and the matrix has rows 0 to 2"),
        (({"a": -1}, MATRIX), "row -1 for 'a'"),
        (({"a": 0.5}, MATRIX), "gives 0.5 for 'a'; give each word the number"),
        (({"a": True}, MATRIX), "gives True for 'a'"),
        (({"a": 0}, MATRIX[0]), "give a matrix with a row for each word"),
        ({}, "The dict holds no vectors"),
        ({"a": [1, 2], "b": [1]}, "The vector of 'b' has shape"),
        ({b"a": [1.0]}, r"give key\.decode\(\)"),
    ],
)
def test_numbers_and_words_that_do_not_fit(source: Any, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        as_model(source)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (None, "NoneType alone; give a path"),
        (5, "int alone; give a path"),
        (MATRIX, r"ndarray of numpy alone, which has no words; give \(words, matrix\)"),
        ([WORDS, MATRIX], r"list alone; give the tuple \(words, matrix\)"),
        ((WORDS, MATRIX, 3), "tuple alone"),
        ((MATRIX, WORDS), "ndarray of numpy stands where the words should"),
        ((MATRIX.tolist(), WORDS), "the words first"),
        (("abc", MATRIX), "str is no list of words"),
        ((set(WORDS), MATRIX), "set has no order"),
        ((5, MATRIX), "int is no list of words"),
        ((WORDS, "model.npy"), "str stands where the matrix should"),
        ((WORDS, len), "stands where the matrix should"),
        ((WORDS, like("scipy.sparse._csr", toarray=None)), r"sparse; give matrix\.toarray\(\)"),
    ],
    ids=range(13),
)
def test_what_is_no_model_is_answered_in_one_sentence(source: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message) as caught:
        as_model(source)
    assert "\n" not in str(caught.value)


def test_gensims_own() -> None:
    models = pytest.importorskip("gensim.models", reason="gensim is not installed")
    keyed = models.KeyedVectors(2)
    keyed.add_vectors(WORDS, MATRIX)
    assert embedded(keyed).vectors.tobytes() == MATRIX.tobytes()
    text = [["he", "is", "here"], ["she", "is", "here"]] * 3
    for kind in (models.Word2Vec, models.FastText):
        trained = kind(text, vector_size=4, min_count=1, workers=1, **_small(kind))
        model = embedded(trained, name="trained")
        assert {*model} == {"he", "she", "is", "here"}
        np.testing.assert_array_equal(model["he"], trained.wv["he"])
    dictionary = like("gensim.corpora.dictionary", kind="Dictionary")
    with pytest.raises(SettingError, match="cannot be made of Dictionary"):
        as_model(dictionary)


def test_gensims_fasttext_composes_the_words_of_tests_that_it_lacks() -> None:
    models = pytest.importorskip("gensim.models", reason="gensim is not installed")
    text = [["boss", "he", "him", "pilot"], ["nurse", "she", "her", "maid"]] * 5
    trained = models.FastText(text, vector_size=4, min_count=1, workers=1, bucket=200)
    lists: dict[str, Any] = {"x": ["boss", "pilots"], "y": ["nurse", "maids"]}
    lists |= {"a": ["he", "him"], "b": ["she", "her"]}
    for source in (trained, trained.wv):
        (found,) = fairvec.audit(source, **lists, language="en")
        assert found.coverage[0].how == {"pilots": "composed from pieces"}
        assert found.coverage[1].how == {"maids": "composed from pieces"}
    test = fairvec.Test(**lists, language="en")
    needed = fairvec.sample_size(trained, test, draws=40, longest=2)
    assert [each.own for each in needed.lists] == [(2, 2), (2, 2)]
    some = fairvec.load(trained, words=["he", "pilots"])
    np.testing.assert_allclose(some["pilots"], trained.wv["pilots"], rtol=1e-6)
    assert "pilots" not in fairvec.load(trained)
    no_pieces = models.FastText(text, vector_size=4, min_count=1, workers=1, max_n=0)
    (found,) = fairvec.audit(no_pieces, **lists, language="en")
    assert [*found.coverage[0].missing] == ["pilots"]


def _small(kind: Any) -> dict[str, int]:
    return {"bucket": 50} if kind.__name__ == "FastText" else {}


def test_torchs_own() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    layer = torch.nn.Embedding(3, 2)
    model = embedded((WORDS, layer))
    np.testing.assert_array_equal(model.vectors, layer.weight.detach().numpy())
    assert model.history[0].details["from"] == "torch Embedding"
    before = model["a"].tolist()
    with torch.no_grad():
        layer.weight += 1
    assert model["a"].tolist() == before
    assert layer.weight.requires_grad
    half = layer.to(torch.bfloat16)
    assert embedded(({"b": 1}, half)).vectors.dtype == np.float32
    assert embedded(({"b": 1}, half))["b"].tolist() == half.weight[1].tolist()
    assert embedded((WORDS, layer.weight.half())).vectors.dtype == np.float16
    assert embedded({"a": layer.weight[0]})["a"].tolist() == layer.weight[0].tolist()
    with pytest.raises(SettingError, match=r"Embedding of torch alone, which has no words"):
        as_model(layer)
    with pytest.raises(SettingError, match="Embedding of torch stands where the words should"):
        as_model((layer, WORDS))
    with pytest.raises(SettingError, match="meta device and has no numbers"):
        as_model((WORDS, torch.nn.Embedding(3, 2, device="meta")))
    with pytest.raises(SettingError, match="sparse or quantised"):
        as_model((WORDS, torch.eye(3).to_sparse()))


def test_a_plain_audit_of_words_loads_no_library_of_others() -> None:
    program = (
        "import sys\nfrom fairvec.api.models import as_model\n"
        "as_model((['a', 'b'], [[1.0, 2.0], [3.0, 4.0]]))\nas_model({'a': [1.0, 2.0]})\n"
        "others = {'gensim', 'pandas', 'polars', 'torch', 'transformers', 'spacy', 'scipy'}\n"
        "print(sorted(others & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr

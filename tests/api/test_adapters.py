"""Objects of other libraries as models: pandas, polars, Hugging Face tokenizers, spaCy."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fairvec.api.models import as_model
from fairvec.core.errors import FairvecError, FileFormatError, SettingError
from fairvec.embedding import Embedding
from tests.api.toys import PandasFrame, PolarsFrame, like, pipeline

# --- Tables of pandas and polars: the real ones where installed, stand-ins of their shape anyway


Make = Callable[..., Any]
MATRIX = [[0.25, 0.5], [1.0, -2.0]]


def real(package: str) -> Make:
    def make(*columns: Any, **settings: Any) -> Any:
        return pytest.importorskip(package, reason=f"{package} is not installed").DataFrame(
            *columns, **settings
        )

    return make


PANDAS = pytest.mark.parametrize("frame", [PandasFrame, real("pandas")], ids=["like", "real"])
POLARS = pytest.mark.parametrize("frame", [PolarsFrame, real("polars")], ids=["like", "real"])
BOTH = pytest.mark.parametrize(
    "frame",
    [PandasFrame, real("pandas"), PolarsFrame, real("polars")],
    ids=["like pandas", "pandas", "like polars", "polars"],
)


@PANDAS
def test_the_index_holds_the_words(frame: Make) -> None:
    model = as_model(frame({0: [0.25, 1.0], 1: [0.5, -2.0]}, index=["a", "слово"]), name="mine")
    assert list(model) == ["a", "слово"]  # type: ignore[arg-type]
    assert model.vectors.tolist() == MATRIX  # type: ignore[union-attr]
    assert str(model.history[0]) == "read from=DataFrame of pandas"
    assert model.name == "mine"


@BOTH
def test_else_the_first_column_of_text_does(frame: Make) -> None:
    model = as_model(frame({"x": [0.25, 1.0], "term": ["a", "b"], "y": [0.5, -2.0]}))
    assert list(model.keys) == ["a", "b"]  # type: ignore[union-attr]
    assert model.vectors.tolist() == MATRIX  # type: ignore[union-attr]
    assert model.history[0].details["words of column"] == "term"


@BOTH
def test_whole_numbers_are_numbers(frame: Make) -> None:
    model = as_model(frame({"w": ["a", "b"], "x": [1, 2], "y": [0.5, 0.25]}))
    assert model.vectors.tolist() == [[1, 0.5], [2, 0.25]]  # type: ignore[union-attr]


@BOTH
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"w": ["a", "b"], "x": ["0.5", "1"]}, "'x' holds numbers written as text, such as '0.5'"),
        ({"w": ["a", "b"], "x": ["0,5", "1"]}, "text with a decimal comma, such as '0,5'"),
        ({"w": ["a", "b"], "n": ["u", "v"], "x": [1.0, 2.0]}, "'n' holds text, such as 'u', besid"),
        ({"x": [1.0, 2.0]}, "the table holds no words; .*let its first column be the words"),
        ({"w": ["a", "b"]}, "no column of numbers"),
        ({"w": ["a", None], "x": [1.0, 2.0]}, "row 2: .* stands where a word should"),
        ({"w": ["a", "b"], "x": [1.0, None]}, r"row 2 \('b'\): the vector holds NaN"),
        ({"w": ["a", "b"], "x": [1.0, float("inf")]}, r"row 2 \('b'\): .* infinity"),
        ({}, "the table holds no words"),
    ],
)
def test_a_wrong_table_is_refused_in_one_sentence(
    frame: Make, columns: dict[str, list[Any]], message: str
) -> None:
    if columns.get("x", [0])[-1] is None and frame is PandasFrame:
        columns = columns | {"x": [1.0, float("nan")]}
    with pytest.raises((FileFormatError, SettingError), match=message):
        as_model(frame(columns), name="mine")


@BOTH
@pytest.mark.parametrize(
    ("label", "numbers", "message"),
    [
        ("Unnamed: 0", [7, 7, 9], "'Unnamed: 0' holds counts beside the floats"),
        ("Count", [900, 80, 7], "'Count' holds counts beside the floats of vectors; drop it"),
        ("x", [0, 1, 2], "'x' holds the numbers of rows beside the floats"),
        ("x", [1, 2, 3], "'x' holds the numbers of rows .* convert it to floats"),
    ],
    ids=["unnamed", "count", "from-0", "from-1"],
)
def test_counts_and_row_numbers_are_no_dimension(
    frame: Make, label: str, numbers: list[int], message: str
) -> None:
    columns = {"w": ["a", "b", "c"], label: numbers, "y": [0.5, 0.25, 0.125]}
    with pytest.raises(FileFormatError, match=message):
        as_model(frame(columns), name="mine")
    columns[label] = [float(each) for each in numbers]
    assert as_model(frame(columns)).vectors[:, 0].tolist() == numbers  # type: ignore[union-attr]
    table = {"w": ["a", "b", "c"], "x": [0, 1, 2], "y": [1, 0, 1]}
    assert as_model(frame(table)).vectors.shape == (3, 2)  # type: ignore[union-attr]


def test_vectors_in_the_cells_of_one_column_are_to_be_stacked() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    polars = pytest.importorskip("polars", reason="polars is not installed")
    rows = [np.array(row) for row in MATRIX]
    for table in (
        pandas.DataFrame({"w": ["a", "b"], "v": rows}),
        pandas.DataFrame({"w": ["a", "b"], "v": MATRIX}),
        polars.DataFrame({"w": ["a", "b"], "v": MATRIX}),
    ):
        with pytest.raises(FileFormatError, match=r"whole vector .* np\.stack\(frame\['v'\]\)"):
            as_model(table)
        model = as_model((table["w"], np.stack(table["v"])))
        assert model.vectors.tolist() == MATRIX  # type: ignore[union-attr]
    objects = pandas.DataFrame({"w": ["a", "b"], "v": [1.0, 2.0]}).astype({"v": object})
    with pytest.raises(FileFormatError, match="'v' holds Python objects; convert it to floats"):
        as_model(objects)


@BOTH
def test_the_first_of_equal_words_is_used_and_the_rest_counted(frame: Make) -> None:
    model = as_model(frame({"w": ["a", "b", "a"], "x": [1.0, 2.0, 3.0], "y": [0.0, 0.0, 0.0]}))
    assert model.vectors.tolist() == [[1, 0], [2, 0]]  # type: ignore[union-attr]
    assert model.history[0].details["duplicates"] == 1


@PANDAS
def test_a_column_of_text_with_words_in_the_index_is_refused(frame: Make) -> None:
    with pytest.raises(FileFormatError, match=r"'pos' holds text, such as 'N', .* the index"):
        as_model(frame({"pos": ["N"], "x": [1.0]}, index=["a"]))


@PANDAS
def test_the_table_is_not_changed(frame: Make) -> None:
    table = frame({0: [0.25, 1.0], 1: [0.5, -2.0]}, index=["a", "b"])
    model = as_model(table)
    assert not np.shares_memory(model.vectors, table.iloc[:, 0].to_numpy())  # type: ignore[union-attr]


def test_real_pandas_in_its_own_types() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    words = pandas.Series(["a", "b"], dtype="category")
    single = pandas.DataFrame({"w": words, "x": np.array([1, 2], np.float32)})
    assert as_model(single).vectors.dtype == np.float32  # type: ignore[union-attr]
    nullable = pandas.DataFrame({"w": words, "x": pandas.array([1.0, 2.0], dtype="Float64")})
    assert as_model(nullable).vectors.tolist() == [[1], [2]]  # type: ignore[union-attr]
    nullable.loc[1, "x"] = pandas.NA
    with pytest.raises(FairvecError, match="holds NaN"):
        as_model(nullable)
    dates = pandas.DataFrame({"w": words, "when": pandas.to_datetime(["2020", "2021"])})
    with pytest.raises(FileFormatError, match=r"'when' holds datetime64.* drop that column"):
        as_model(dates)
    doubled = pandas.DataFrame([[1.0, 2.0]], index=["a"], columns=["x", "x"])
    assert as_model(doubled).vectors.tolist() == [[1, 2]]  # type: ignore[union-attr]
    levels = doubled.set_index([["a"], ["b"]])
    with pytest.raises(SettingError, match="an index of several levels"):
        as_model(levels)


def test_a_lazy_table_is_to_be_collected() -> None:
    lazy = like("polars.lazyframe.frame", kind="LazyFrame", collect=None)
    with pytest.raises(
        SettingError, match=r"LazyFrame of polars alone, .*; give frame\.collect\(\)"
    ):
        as_model(lazy)
    polars = pytest.importorskip("polars", reason="polars is not installed")
    with pytest.raises(
        SettingError, match=r"LazyFrame of polars alone, .*; give frame\.collect\(\)"
    ):
        as_model(polars.LazyFrame({"w": ["a"], "x": [1.0]}))


# --- A tokenizer and the input embeddings of its model ---


WORDPIECE = {"[CLS]": 0, "he": 1, "##he": 2, "nurse": 3, "##s": 4}
MATRIX_HUGGING_FACE = np.arange(12, dtype=np.float32).reshape(6, 2)


def tokenizer(vocabulary: dict[str, int], described: dict[str, Any], **has: Any) -> Any:
    """Return the likes of tokenizers.Tokenizer."""
    text = json.dumps(described, ensure_ascii=False)
    return like(
        "tokenizers", kind="Tokenizer", get_vocab=lambda: vocabulary, to_str=lambda: text, **has
    )


def embedded(source: Any, **settings: Any) -> Embedding:
    found = as_model(source, **settings)
    assert isinstance(found, Embedding)
    return found


def test_pieces_that_begin_a_word_are_used_and_the_others_counted() -> None:
    built = tokenizer(WORDPIECE, {"model": {"type": "WordPiece"}}, all_special_tokens=["[CLS]"])
    model = embedded((built, MATRIX_HUGGING_FACE))
    assert list(model) == ["he", "nurse"]
    assert model["nurse"].tolist() == [6, 7]
    assert dict(model.history[0].details) == {
        "from": "input embeddings",
        "pieces inside words left out": 2,
        "special tokens left out": 1,
    }


def test_bytes_are_read_as_letters_and_spaces_begin_words() -> None:
    # Ð and ° are the two bytes of a Cyrillic а; a lone Ð is half a letter.
    vocabulary = {"Ġhe": 0, "he": 1, "ĠÐ°": 2, "ĠÐ": 3}
    built = tokenizer(
        vocabulary, {"pre_tokenizer": {"type": "ByteLevel"}, "model": {"type": "BPE"}}
    )
    model = embedded((built, MATRIX_HUGGING_FACE))
    assert list(model) == ["he", "а"]
    assert model["he"].tolist() == [0, 1]
    assert model.history[0].details["pieces inside words left out"] == 2


def test_sentence_pieces_lose_their_mark_and_collisions_are_named() -> None:
    vocabulary = {"▁he": 0, "he": 1, "▁she": 2, "<0x0A>": 3}
    described = {"model": {"type": "BPE"}, "decoder": {"content": "▁"}}
    assert list(embedded((tokenizer(vocabulary, described), MATRIX_HUGGING_FACE))) == ["he", "she"]
    doubled = tokenizer({"he": 0, "Ġhe": 1}, {"model": {"type": "WordLevel"}})
    assert list(embedded((doubled, MATRIX_HUGGING_FACE))) == ["he", "Ġhe"]
    padded = tokenizer({"▁he": 0, "▁": 1, "▁▁": 2}, described)
    model = embedded((padded, MATRIX_HUGGING_FACE))
    assert list(model) == ["he", "▁"]
    assert model.history[0].details["pieces left out as repeated"] == 1
    assert model.history[0].details["such as"] == "▁"


def test_a_token_beyond_the_matrix_has_no_vector() -> None:
    built = tokenizer({"a": 0, "b": 6}, {"model": {"type": "WordLevel"}})
    model = embedded((built, MATRIX_HUGGING_FACE))
    assert list(model) == ["a"]
    assert model.history[0].details["tokens without a row left out"] == 1


def test_an_ambiguous_tokenizer_is_refused() -> None:
    ends = tokenizer({"he</w>": 0}, {"model": {"type": "BPE", "end_of_word_suffix": "</w>"}})
    with pytest.raises(SettingError, match="whole words cannot be told from endings"):
        as_model((ends, MATRIX_HUGGING_FACE))
    slow = like("transformers.models.x", kind="SlowTokenizer", get_vocab=lambda: WORDPIECE)
    with pytest.raises(SettingError, match=r"SlowTokenizer does not say .* \(use_fast=True\)"):
        as_model((slow, MATRIX_HUGGING_FACE))
    plain = tokenizer({"a": 0}, {"model": {"type": "WordLevel"}})
    with pytest.raises(SettingError, match="no matrix of input embeddings"):
        as_model((plain, "model"))
    with pytest.raises(
        SettingError, match=r"Tokenizer of tokenizers alone; give \(tokenizer, model\)"
    ):
        as_model(plain)
    with pytest.raises(SettingError, match="the words or the tokenizer first"):
        as_model((MATRIX_HUGGING_FACE, plain))


def test_a_real_tokenizer_and_a_real_model() -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    torch = pytest.importorskip("torch", reason="torch is not installed")
    torch.set_num_threads(1)
    built = tokenizers.Tokenizer(tokenizers.models.WordPiece(WORDPIECE, unk_token="[CLS]"))
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=built, unk_token="[CLS]")
    config = transformers.BertConfig(
        vocab_size=6, hidden_size=4, num_hidden_layers=1, num_attention_heads=1, intermediate_size=4
    )
    network = transformers.BertModel(config)
    weight = network.get_input_embeddings().weight
    for precision in (torch.float32, torch.bfloat16):
        network = network.to(precision)
        model = embedded((fast, network))
        assert list(model) == ["he", "nurse"]
        expected = weight.detach().float().numpy()[[1, 3]]
        np.testing.assert_array_equal(model.vectors, expected)
    assert model.vectors.dtype == np.float32
    assert list(embedded((fast, network.get_input_embeddings()))) == ["he", "nurse"]
    with pytest.raises(SettingError, match=r"BertModel of transformers alone; give \(tok"):
        as_model(network)


# --- spaCy's vectors; a stand-in of the same shape, and the real ones where installed ---


DATA = np.array([[1, 0], [0, 2], [3, 3]], dtype=np.float32)
ROWS = {"kitten": 1, "dog": 0, "cat": 1}


def test_words_that_share_a_row_are_reported() -> None:
    model = embedded(pipeline(ROWS, DATA, lang="en", name="core_web_md"))
    assert list(model) == ["dog", "kitten", "cat"]
    assert model.vectors.tolist() == [[1, 0], [0, 2], [0, 2]]
    assert model.name == "en_core_web_md"
    assert model.languages == ("en",)
    assert dict(model.history[0].details) == {
        "from": "vectors of spaCy",
        "rows without a word": 1,
        "rows shared by several words": 1,
        "words that share a row": 2,
        "such as": "kitten and cat",
    }


def test_explicit_arguments_take_precedence() -> None:
    model = embedded(pipeline(ROWS, DATA, lang="xx", name="n"), name="mine", language="de")
    assert (model.name, model.languages) == ("mine", ("de",))
    assert embedded(pipeline(ROWS, DATA, lang="xx", name="n")).languages == ()


def test_a_vocabulary_will_do_and_vectors_without_letters_will_not() -> None:
    nlp = pipeline(ROWS, DATA)
    assert list(embedded(nlp.vocab)) == ["dog", "kitten", "cat"]
    with pytest.raises(SettingError, match=r"not their letters; give the pipeline \(nlp\)"):
        as_model(nlp.vocab.vectors)


def test_what_has_no_word_list_is_refused() -> None:
    nlp = pipeline(ROWS, DATA)
    nlp.vocab.vectors.mode = "floret"
    with pytest.raises(SettingError, match="floret vectors have no list of words"):
        as_model(nlp)
    with pytest.raises(FileFormatError, match="has no vectors; small pipelines"):
        as_model(pipeline({}, DATA))
    with pytest.raises(
        FileFormatError, match="gives row 7 for 'a', and the matrix has rows 0 to 2"
    ):
        as_model(pipeline({"a": 7}, DATA))


def test_vectors_on_a_gpu_are_brought_here() -> None:
    data = like("cupy._core.core", kind="ndarray", get=lambda: DATA)
    assert embedded(pipeline(ROWS, data))["dog"].tolist() == [1, 0]


def test_real_spacy() -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    nlp = spacy.blank("en")
    for word, row in ROWS.items():
        nlp.vocab.set_vector(word, DATA[row])
    nlp.vocab.set_vector("bird", DATA[2])
    nlp.vocab.vectors.add("fledgling", row=nlp.vocab.vectors.find(key="bird"))
    nlp.vocab.strings.add("fledgling")
    model = embedded(nlp)
    assert {*model} == {"kitten", "dog", "cat", "bird", "fledgling"}
    for word in model:
        np.testing.assert_array_equal(model[word], nlp.vocab.get_vector(word))
    assert model.history[0].details["such as"] == "bird and fledgling"
    assert model.languages == ("en",)
    with pytest.raises(FileFormatError, match="has no vectors"):
        as_model(spacy.blank("de"))

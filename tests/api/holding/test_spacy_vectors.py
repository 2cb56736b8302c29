"""spaCy's vectors; a stand-in of the same shape, and the real ones where installed."""

from typing import Any

import numpy as np
import pytest

from fairvec.api.models import as_model
from fairvec.core.errors import FileFormatError, SettingError
from fairvec.embedding import Embedding
from tests.api.holding.stand_ins import like, pipeline

DATA = np.array([[1, 0], [0, 2], [3, 3]], dtype=np.float32)
ROWS = {"kitten": 1, "dog": 0, "cat": 1}


def embedded(held: Any, **settings: Any) -> Embedding:
    found = as_model(held, **settings)
    assert isinstance(found, Embedding)
    return found


def test_words_that_share_a_row_are_said() -> None:
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


def test_what_the_caller_says_comes_first() -> None:
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

"""How the words of a text lean in a model: WEAT's s(w, A, B)."""

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import UndefinedError
from fairvec.documents.measure import Sample, leaning_figures, match_document, model_leanings
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean
from fairvec.languages.people import people_lists
from fairvec.languages.text import parse_document
from tests.results.documents import IDENTITY

LISTS = people_lists("en")
MEN, WOMEN = (1.0, 0.0), (0.0, 1.0)
MODEL = Embedding(
    keys=["he", "man", "she", "woman", "pilot", "nurses", "brave"],
    vectors=np.array([MEN, MEN, WOMEN, WOMEN, MEN, WOMEN, (1.0, 1.0)]),
    geometry=Euclidean(),
    name="toy",
)


def test_a_words_leaning_is_its_closeness_to_men_less_that_to_women() -> None:
    found = model_leanings(MODEL, LISTS)
    assert found.scores == pytest.approx({"pilot": 1.0, "nurse": -1.0, "brave": 0.0})
    assert found.baseline == pytest.approx(0.0)
    assert "judge" in found.unknown


def test_a_text_has_the_mean_over_its_words() -> None:
    text = "The pilot and the pilot.\nThe brave judge.\nA nurse.\nA pilot."
    texts = Sample((match_document(parse_document(text, "en")),))
    (found,) = leaning_figures(IDENTITY, texts, LISTS, model_leanings(MODEL, LISTS))
    assert found.value == pytest.approx((1 + 1 + 0 - 1 + 1) / 5)
    assert (found.count_a, found.count_b) == (3, 1)
    assert found.interval is not None
    assert found.interval.low < found.value < found.interval.high
    assert "1 more is not known to it" in found.sentence
    assert "could as well be" in found.sentence


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A nurse.", "word or occupation has a leaning of −1.000, more to women than the 0.000"),
        ("So brave.", "has a leaning of 0.000, which could as well be the 0.000 of all listed"),
    ],
    ids=["to one side", "to none"],
)
def test_one_word_is_told_as_one(text: str, said: str) -> None:
    texts = Sample((match_document(parse_document(text, "en")),))
    (found,) = leaning_figures(IDENTITY, texts, LISTS, model_leanings(MODEL, LISTS))
    assert said in found.sentence


def test_a_model_of_another_language_is_refused() -> None:
    with pytest.raises(UndefinedError, match="choose a model of the language 'hi'"):
        model_leanings(MODEL, people_lists("hi"))


@pytest.mark.parametrize(
    ("language", "model"),
    [("en", "glove-en-small"), ("hi", "glove-hi-small"), ("ru", "navec-ru-small")],
)
def test_shipped_models_know_some_of_the_words(language: str, model: str) -> None:
    found = model_leanings(fairvec.load(model), people_lists(language))
    assert len(found.scores) > 20
    assert all(np.isfinite(score) for score in found.scores.values())

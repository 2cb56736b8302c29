"""Grammatical gender of nouns in a model."""

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import UndefinedError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.experiments.noun_gender import NounGenders, noun_genders
from fairvec.geometry import FloatArray
from fairvec.languages.people import NounLists, noun_lists
from fairvec.languages.words import Word
from fairvec.stats import permutation_test


def named(role: str, count: int) -> tuple[Word, ...]:
    return tuple(Word(word=f"{role}{place}") for place in range(count))


LISTS = NounLists(
    version="1",
    language="und",
    source="made up",
    licence="CC0",
    varying=named("v", 8),
    masculine=named("m", 8),
    feminine=named("f", 8),
    masculine_forms=named("a", 5),
    feminine_forms=named("b", 5),
)


def planted(
    varying: list[float], seed: int = 0, *, known: float = 1.0, noise: float = 0.25
) -> NounGenders:
    """Nouns along one axis at -1 and 1, with noise, and the varying ones where they are put."""
    generator = np.random.default_rng(seed)
    at = {"m": known, "f": -known, "a": 20.0, "b": -20.0}
    lists = (LISTS.varying, LISTS.masculine, LISTS.feminine)
    nouns = [word.word for each in lists for word in each]
    forms = [word.word for word in (*LISTS.masculine_forms, *LISTS.feminine_forms)]
    places = [*varying, *(at[word[0]] for word in nouns[8:])]
    rows = [[generator.normal(place, noise), 4.0] for place in places]
    rows += [[at[word[0]], generator.normal()] for word in forms]
    # An offset moves all nouns alike: the middle is not zero.
    vectors = np.array(rows) + np.array([[0.6, 0.0]] * len(nouns) + [[0, 0]] * len(forms))
    return noun_genders(Embedding([*nouns, *forms], vectors, name="made"), lists=LISTS)


def test_nouns_put_in_the_middle_are_found_there() -> None:
    found = planted([0.0] * 8)
    assert found.told_right == 1
    assert found.varying_away < found.certain_away / 2
    assert found.p.value < 0.001
    assert "lie nearer to the middle" in found.sentence
    outside = planted([-3.0, 3.0] * 4)
    assert "lie farther from the middle" in outside.sentence


def test_nouns_of_one_gender_each_are_no_nearer_in_nineteen_of_twenty_cases() -> None:
    found = [planted([-1.0, 1.0] * 4, seed).p.value <= 0.05 for seed in range(300)]
    assert np.mean(found) == pytest.approx(0.05, abs=0.038)  # three standard errors


def test_a_model_that_does_not_know_gender_is_not_asked() -> None:
    found = planted([0.0] * 8, 3, known=0.0)
    assert found.told_right < 0.75
    assert "cannot be tested" in found.sentence


def test_masculine_and_feminine_are_a_mirror() -> None:
    model = fairvec.load("glove-hi-small")
    lists = noun_lists("hi")
    turned = lists.model_copy(
        update={
            "masculine": lists.feminine,
            "feminine": lists.masculine,
            "masculine_forms": lists.feminine_forms,
            "feminine_forms": lists.masculine_forms,
        }
    )
    one, other = noun_genders(model), noun_genders(model, lists=turned)
    leans = {noun.word: noun.leaning for noun in other.nouns}
    assert {noun.word: -noun.leaning for noun in one.nouns} == pytest.approx(leans, abs=1e-12)
    assert one.p.value == pytest.approx(other.p.value, abs=1e-4)
    assert one.told_right == other.told_right


def test_places_are_what_plain_numpy_says() -> None:
    model = fairvec.load("glove-hi-small")
    found = noun_genders(model)
    lists = noun_lists("hi")
    vectors = np.asarray(model.vectors, np.float64)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def rows(words: tuple[Word, ...]) -> FloatArray:
        keys = [next((s for s in w.spellings if s in model), None) for w in words]
        found: FloatArray = unit[[model.positions[key] for key in keys if key]]
        return found

    towards = rows(lists.masculine_forms).mean(axis=0) - rows(lists.feminine_forms).mean(axis=0)
    m, f = rows(lists.masculine) @ towards, rows(lists.feminine) @ towards
    middle = (m.mean() + f.mean()) / 2
    places = {noun.word: noun.leaning for noun in found.nouns}
    dahi = unit[model.positions["दही"]] @ towards - middle
    assert places["दही"] == pytest.approx(dahi, abs=1e-6)
    assert found.varying_away == pytest.approx(
        np.mean([abs(noun.leaning) for noun in found.nouns if noun.kind == "varying"])
    )
    # Each certain noun against a middle that it did not make.
    away = [
        abs(each - (np.delete(own, place).mean() + others.mean()) / 2)
        for own, others in ((m, f), (f, m))
        for place, each in enumerate(own)
    ]
    assert found.certain_away == pytest.approx(np.mean(away), abs=1e-6)
    varying = np.array([abs(noun.leaning) for noun in found.nouns if noun.kind == "varying"])
    assert found.p.value == pytest.approx(permutation_test(varying, np.array(away)).value, abs=1e-5)
    assert found.missing == ("श्वास",)


def test_a_model_is_asked_in_its_own_language() -> None:
    with pytest.raises(UnknownNameError, match="named 'en'; known: hi"):
        noun_genders(fairvec.load("glove-en-small"))


def test_a_model_without_the_words_is_reported() -> None:
    with pytest.raises(UndefinedError, match="fewer than 3 of some forms"):
        noun_genders(fairvec.load("glove-en-small"), language="hi")
    some = LISTS.model_copy(update={"varying": named("absent", 4)})
    forms = [*some.masculine_forms, *some.feminine_forms, *some.masculine, *some.feminine]
    vectors = np.random.default_rng(0).normal(size=(len(forms), 3))
    model = Embedding([word.word for word in forms], vectors, name="made")
    with pytest.raises(UndefinedError, match="fewer than 3 of some nouns"):
        noun_genders(model, lists=some)

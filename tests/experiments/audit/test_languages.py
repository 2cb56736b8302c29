"""A model is measured in its own language; in another only when that is asked for."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairvec
from fairvec.core.errors import FairvecError, LexiconError, SettingError
from fairvec.embedding import Embedding, Step
from fairvec.experiments.audit.languages import languages_of, model_languages
from fairvec.experiments.audit.suites import fitting_suites
from fairvec.lexicon import shipped_suites

LETTERS = {"en": "bcdfg", "ru": "бвгдж", "hi": "कखगघच"}
LANGUAGES = st.permutations(sorted(LETTERS))


def words_of(language: str) -> dict[str, str]:
    """Every word of the shipped suites of a language, with its part of speech."""
    sets = [
        each
        for suite in shipped_suites()
        if suite.language == language
        for test in suite.tests
        for each in test.sets.values()
    ]
    words = [word for each in sets for word in each.words]
    return {part: word.pos or "NOUN" for word in words for part in (word.word, *word.word.split())}


TAGS = {language: words_of(language) for language in LETTERS}
WORDS = {language: list(TAGS[language]) for language in LETTERS}


def filled(language: str, known: float, size: int) -> list[str]:
    """So many keys of a language, among them this share of the words of its suites."""
    words = WORDS[language][: round(known * len(WORDS[language]))]
    letters = LETTERS[language]
    random_word = random.Random(size).choices
    filler = ["".join(random_word(letters, k=9)) for _ in range(max(0, size - len(words)))]
    return list(dict.fromkeys([*words, *filler]))


def model(keys: list[str], seed: int = 0, **fields: Any) -> Embedding:
    keys = list(dict.fromkeys(keys))
    random.Random(seed).shuffle(keys)
    return Embedding(keys, np.ones((len(keys), 2), np.float32), **fields)


def of_suites(embedding: Embedding) -> set[str]:
    return {fit.suite.language for fit in fitting_suites(embedding)}


@settings(max_examples=20)
@given(order=LANGUAGES, share=st.floats(0.05, 0.3), tagged=st.booleans(), seed=st.integers(0, 99))
def test_foreign_words_do_not_make_a_model_foreign(
    order: list[str], share: float, tagged: bool, seed: int
) -> None:
    home, guest, _ = order
    guests = filled(guest, 1.0, 0)
    keys = [*filled(home, 0.8, round(len(guests) * (1 - share) / share)), *guests]
    if tagged:  # a tag is written in Latin letters
        tags = TAGS["en"] | TAGS["hi"] | TAGS["ru"]
        keys = [f"{key}_{tags.get(key, 'NOUN')}" for key in keys]
    found = model_languages(model(keys, seed))
    assert (found.languages, found.others) == ((home,), ())
    assert of_suites(model(keys, seed)) == {home}


@settings(max_examples=20)
@given(
    order=LANGUAGES,
    share=st.floats(0.4, 0.6),
    known=st.tuples(st.floats(0.65, 0.75), st.floats(0.85, 1.0)),
    seed=st.integers(0, 99),
)
def test_of_a_model_of_two_languages_the_better_covered_is_taken_and_the_other_named(
    order: list[str], share: float, known: tuple[float, float], seed: int
) -> None:
    less, better, _ = order
    sizes = round(5000 * share), round(5000 * (1 - share))
    keys = [*filled(less, known[0], sizes[0]), *filled(better, known[1], sizes[1])]
    both = model(keys, seed)
    assert model_languages(both) == model_languages(model(keys, seed + 1))
    found = model_languages(both)
    assert (found.languages, found.others) == ((better,), (less,))
    assert of_suites(both) == {better}


@given(order=LANGUAGES, known=st.floats(0.6, 1.0))
def test_a_tiny_model_of_a_suites_words_has_its_language(order: list[str], known: float) -> None:
    tiny = model(filled(order[0], known, 0))
    assert languages_of(tiny) == (order[0],)
    assert model_languages(tiny).others == ()


@pytest.mark.parametrize("keys", [["1", "2"], ["?"], ["bcd"], ["бвг"], [""], ["词", "语"]])
def test_a_model_that_knows_no_suite_has_no_language_that_is_known(keys: list[str]) -> None:
    assert languages_of(model(keys)) == ()
    with pytest.raises(LexiconError, match="no shipped suite fits"):
        fitting_suites(model(keys))


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (
            ["she_NN", "he_NN"],
            "begin with 'she_NN', 'he_NN'; only universal tags are understood",
        ),
        (["she|NOUN", "he|NOUN"], "as in woman_NOUN. Name a suite"),
        (
            ["0.12", "-3.4"],
            "fits; no word of any suite is in the model, whose keys begin with '0.12', '-3.4'.",
        ),
    ],
)
def test_keys_that_are_no_words_are_shown(keys: list[str], message: str) -> None:
    with pytest.raises(LexiconError) as caught:
        fitting_suites(model(keys))
    assert message in str(caught.value)


def test_a_model_in_a_script_of_its_own_is_not_measured_by_its_english_words() -> None:
    rest = [chr(0x4E00 + number) for number in range(4 * len(WORDS["en"]))]
    chinese = model([*WORDS["en"], *rest])
    assert languages_of(chinese) == ()
    with pytest.raises(LexiconError, match=r"CJK.*--language en"):
        fitting_suites(chinese)
    assert of_suites(chinese.with_languages("en")) == {"en"}


@given(order=LANGUAGES, many=st.integers(1, 3))
def test_what_is_reported_wins_over_what_is_found(order: list[str], many: int) -> None:
    everything = model([word for words in WORDS.values() for word in words])
    ordered = everything.with_languages(order[:many])
    assert model_languages(ordered).languages == tuple(order[:many])
    assert model_languages(ordered).others == ()
    assert of_suites(ordered) == set(order[:many])


def test_a_language_without_suites_gets_none_of_another_language() -> None:
    french = model(WORDS["en"]).with_languages("fr")
    assert languages_of(french) == ("fr",)
    with pytest.raises(LexiconError, match=r"no shipped suite is in fr.*suites new"):
        fitting_suites(french)


def test_a_suite_that_does_not_fit_is_not_used_even_in_the_language_said() -> None:
    with pytest.raises(LexiconError, match=r"no shipped suite fits.*in ru"):
        fitting_suites(model(WORDS["en"]).with_languages("ru"))


@pytest.mark.parametrize("wrong", ["English", "e", "EN", "", "en hi", ["en", "Hindi"], []])
def test_a_language_is_a_code(wrong: Any) -> None:
    with pytest.raises(SettingError, match="code such as en"):
        model(["a"]).with_languages(wrong)


def test_the_catalogue_says_the_language() -> None:
    assert fairvec.load("navec-ru-small").languages == ("ru",)
    assert fairvec.load("navec-ru-small", language="en").languages == ("en",)
    assert fairvec.load("glove-hi-small", language=["en", "hi"]).languages == ("en", "hi")


@pytest.mark.parametrize("languages", [(), ("hi",), ("en", "hi")])
def test_a_native_file_keeps_the_language_and_a_change_does_too(
    tmp_path: Path, languages: tuple[str, ...]
) -> None:
    before = model(["a", "b"])
    before = before.with_languages(languages) if languages else before
    after = before.with_vectors(before.vectors * 2, Step("twice")).with_name("after")
    assert fairvec.load(fairvec.save(after, tmp_path / "m.fairvec")).languages == languages
    assert fairvec.load(tmp_path / "m.fairvec", language="ru").languages == ("ru",)
    assert fairvec.load(fairvec.save(after, tmp_path / "m.vec")).languages == ()
    assert after.content_hash == after.with_languages("ru").content_hash


def test_points_held_in_python_take_a_language_too() -> None:
    assert fairvec.load({"a": [1.0], "b": [2.0]}, language="ru").languages == ("ru",)
    assert fairvec.load(np.eye(2), keys=["a", "b"], language="ru").languages == ("ru",)


def test_an_audit_takes_the_language_of_all_its_models() -> None:
    both = fairvec.load({key: [1.0, float(n)] for n, key in enumerate(WORDS["en"] + WORDS["hi"])})

    def heard(**settings: Any) -> set[str]:
        fits: set[str] = set()
        fairvec.audit(
            both,
            on_choice=lambda _, found: fits.update(fit.suite.language for fit in found),
            method="sampled",
            samples=100,
            resamples=100,
            **settings,
        )
        return fits

    assert len(heard()) == 1
    assert heard(language="hi") == {"hi"}
    assert heard(language=["en", "hi"]) == {"en", "hi"}
    with pytest.raises(FairvecError, match="code such as en"):
        heard(language="Hindi")

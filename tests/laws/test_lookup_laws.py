"""What holds for every vocabulary and every word."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from fairvec.embedding.lookup import Lookup
from fairvec.languages.spelling import RULES, edit_distance, fold_spelling, normalize

LETTERS = "абеёЕЁйabéB" + "कखजनणमटडतदपबािंँ़्" + "\u0301\u0306\u200c\u200d\u095c"
languages = st.sampled_from([*RULES, "en", ""])
spellings = st.text(LETTERS, min_size=1, max_size=5)
vocabularies = st.lists(spellings, max_size=25, unique=True)


@given(vocabularies, languages)
def test_every_key_finds_itself(keys: list[str], language: str) -> None:
    lookup = Lookup(keys, language)
    for key in keys:
        match = lookup.find([key])
        assert match is not None
        assert (match.key, match.how) == (key, "exact")


@given(vocabularies, spellings, languages)
def test_what_is_found_is_a_key_and_the_same_word(
    keys: list[str], word: str, language: str
) -> None:
    match = Lookup(keys, language).find([word])
    if match is not None:
        rules = RULES.get(language, ())
        assert match.key in keys
        assert fold_spelling(match.key, rules).casefold() == fold_spelling(word, rules).casefold()


@given(vocabularies, spellings, languages)
def test_a_word_spelled_as_some_key_but_for_the_rules_is_found(
    keys: list[str], word: str, language: str
) -> None:
    rules = RULES.get(language, ())
    fold = fold_spelling(word, rules)
    expected = any(fold_spelling(key, rules) == fold for key in keys)
    if expected:
        assert Lookup(keys, language).find([word]) is not None


@given(vocabularies, spellings, languages)
def test_unicode_forms_of_a_word_reach_keys_of_one_plain_form(
    keys: list[str], word: str, language: str
) -> None:
    lookup = Lookup(keys, language)
    forms = [word, unicodedata.normalize("NFD", word), normalize(word)]
    matches = [lookup.find([form]) for form in forms]
    assert len({normalize(match.key) if match else None for match in matches}) == 1


@given(vocabularies, spellings)
def test_without_rules_only_case_may_differ(keys: list[str], word: str) -> None:
    match = Lookup(keys, "en").find([word])
    if match is not None:
        assert normalize(match.key).lower() == normalize(word).lower()


@given(spellings, st.sampled_from(["hi", "ru"]), st.data())
def test_the_nearest_spelling_wins_then_the_earliest_key(
    word: str, language: str, data: st.DataObject
) -> None:
    # Vocabularies of spellings of this very word, made by adding and swapping optional letters.
    optional = {"hi": ("़", "ंँ"), "ru": ("", "её")}[language]
    keys = []
    for _ in range(data.draw(st.integers(1, 6))):
        text = ""
        for letter in word:
            if letter in optional[1]:
                text += data.draw(st.sampled_from(optional[1]))
            else:
                text += letter + data.draw(st.sampled_from(["", optional[0]]))
        keys.append(text)
    keys = list(dict.fromkeys(keys))
    rules = RULES[language]
    if any(normalize(key) == normalize(word) for key in keys):
        return
    alike = [key for key in keys if fold_spelling(key, rules) == fold_spelling(word, rules)]
    if alike:
        nearest = min(edit_distance(normalize(word), normalize(key)) for key in alike)
        expected = next(
            key for key in alike if edit_distance(normalize(word), normalize(key)) == nearest
        )
        match = Lookup(keys, language).find([word])
        assert match is not None
        assert match.key == expected
        assert set(match.how.split("+")) <= {"nukta", "nasal", "yo"}


MARKS = ("", "\u200c", "\u200d")


@given(
    st.text("кम", min_size=1, max_size=3),
    st.lists(st.lists(st.sampled_from(MARKS), min_size=3, max_size=3), min_size=1, max_size=6),
    languages,
)
def test_of_keys_with_one_plain_form_the_earliest_is_found(
    word: str, joiners: list[list[str]], language: str
) -> None:
    keys = [
        "".join(letter + mark for letter, mark in zip(word, marks, strict=False))
        for marks in joiners
    ]
    match = Lookup(keys, language).find([word])
    assert match is not None
    assert match.key == (word if word in keys else keys[0])
    assert match.how == "exact"


@given(st.text(LETTERS, max_size=8), st.sampled_from(["hi", "ru"]))
def test_folding_twice_is_folding_once(text: str, language: str) -> None:
    once = fold_spelling(text, RULES[language])
    assert fold_spelling(once, RULES[language]) == once


@given(vocabularies, spellings, languages)
def test_a_dict_of_positions_serves_as_well_as_the_keys(
    keys: list[str], word: str, language: str
) -> None:
    positions = {key: row for row, key in enumerate(keys)}
    assert Lookup(positions, language).find([word]) == Lookup(keys, language).find([word])

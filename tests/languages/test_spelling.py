"""Spelling rules of each language."""

import unicodedata

import pytest

from fairvec.languages.language import language
from fairvec.languages.spelling import Spelling, case_variants, edit_distance, normalize

HINDI = language("hi").spelling
RUSSIAN = language("ru").spelling


def test_plain_text_is_nfc_without_joiners() -> None:
    assert normalize("क्\u200dष") == normalize("क्\u200cष") == "क्ष"
    assert normalize("и\u0306") == "й"
    assert normalize("\u095c") == "\u0921\u093c"  # NFC writes ड़ as two characters


def test_removing_a_joiner_may_let_two_characters_compose() -> None:
    assert normalize("e\u200d\u0301") == "é"


def test_accents_are_never_stripped() -> None:
    for spelling in (Spelling(), HINDI, RUSSIAN):
        assert spelling.fold("é") == "é"
        assert spelling.fold("й") == "й"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("हिन्दी", "हिंदी"),
        ("पण्डित", "पंडित"),
        ("लम्बा", "लंबा"),
        ("चञ्चल", "चंचल"),
        ("गङ्गा", "गंगा"),
        ("चन्द्र", "चंद्र"),
        ("माँ", "मां"),
        ("हँसी", "हंसी"),
    ],
)
def test_one_nasal_sound_has_several_spellings(one: str, other: str) -> None:
    assert HINDI.fold(one) == HINDI.fold(other)
    assert HINDI.rules_between(one, other) == ("nasal",)


@pytest.mark.parametrize(
    "word",
    [
        "अन्न",  # a geminate
        "अम्मा",  # a geminate
        "जन्म",  # before another nasal
        "उन्हें",  # before h
        "सन्यासी",  # before a semivowel
        "तम्तम",  # a half m before a dental stop
        "म्पा",  # an anusvara cannot begin a word
    ],
)
def test_other_half_nasals_stay_as_they_are(word: str) -> None:
    assert HINDI.fold(word) == word


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ज़मींदार", "जमींदार"),
        ("घड़ा", "घडा"),
        ("बडा\u093c", "बड़ा"),  # a nukta typed after the vowel sign, as real corpora have it
        ("\u0931", "र"),
    ],
)
def test_a_nukta_may_be_left_out(one: str, other: str) -> None:
    assert HINDI.rules_between(one, other) == ("nukta",)


def test_the_fewest_rules_are_named() -> None:
    assert HINDI.rules_between("गंदा", "गंदा") == ()
    assert HINDI.rules_between("ज़िन्दा", "ज़िंदा") == ("nasal",)
    assert HINDI.rules_between("ज़िन्दा", "जिंदा") == ("nukta", "nasal")
    assert RUSSIAN.rules_between("тётя", "тетя") == ("yo",)


def test_yo_may_be_written_decomposed() -> None:
    assert RUSSIAN.fold(unicodedata.normalize("NFD", "Ёлка")) == "Елка"


def test_what_folding_leaves_is_composed_again() -> None:
    assert RUSSIAN.fold("ё\u0306") == "\u04d7"
    assert RUSSIAN.fold("ё\u0308") == "е"


def test_only_cases_that_differ_are_tried() -> None:
    assert list(case_variants("anna")) == ["Anna", "ANNA"]
    assert list(case_variants("McCain")) == ["mccain", "Mccain", "MCCAIN"]
    assert list(case_variants("गंगा")) == []


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [("", "", 0), ("", "ab", 2), ("kitten", "sitting", 3), ("हिन्दी", "हिंदी", 2), ("ab", "ba", 2)],
)
def test_edits_are_counted(one: str, other: str, count: int) -> None:
    assert edit_distance(one, other) == edit_distance(other, one) == count

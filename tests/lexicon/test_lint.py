import unicodedata

import pytest

from fairvec.lexicon import Finding, lint, parse_suite
from tests.lexicon.lists import PAIRS, SETS, SUITE, WORDS_TEST, changed, suite_text

CLEAN = {"x": ["один"], "y": ["два"], "a": ["три"], "b": ["пять"]}


def findings(language: str = "ru", /, **sets: list[str]) -> list[Finding]:
    return list(lint(parse_suite(suite_text(language, **{**CLEAN, **sets}))))


def codes(found: list[Finding]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(finding.code, finding.where, finding.words) for finding in found]


def test_good_lists_have_no_findings() -> None:
    assert findings() == []
    assert lint(parse_suite(SUITE)) == ()


def test_latin_letters_in_a_cyrillic_word_are_named() -> None:
    (finding,) = findings(x=["пapa"])
    assert (finding.code, finding.where, finding.words) == ("mixed-scripts", "x", ("пapa",))
    assert "a (U+0061 LATIN SMALL LETTER A), p (U+0070 LATIN SMALL LETTER P)" in finding.message
    assert "п" not in finding.message.replace("'пapa'", "")
    assert finding.waived is None


def test_a_word_in_another_script_than_its_language_is_found() -> None:
    (finding,) = findings(x=["papa"])
    assert finding.code == "mixed-scripts"
    assert "is written in Latin, not Cyrillic" in finding.message


def test_the_script_of_other_languages_is_that_of_most_words() -> None:
    greek = {"x": ["άνδρας"], "y": ["γυναίκα"], "a": ["πόλεμος"], "b": ["ειρήνη"]}
    assert findings("el", **greek) == []
    assert codes(findings("el", **{**greek, "x": ["man"]})) == [("mixed-scripts", "x", ("man",))]


def test_digits_and_hyphens_belong_to_every_script() -> None:
    assert (
        findings(
            x=[
                "кто-то",
            ],
            y=["а1"],
        )
        == []
    )


def test_repeated_words_are_found() -> None:
    found = findings(x=["он", "она", "он"], y=["мы", "вы", "их"])
    assert codes(found) == [("duplicate-word", "x", ("он",))]


@pytest.mark.parametrize(
    ("language", "words"),
    [("ru", ["тетя", "тётя"]), ("ru", ["мир", "Мир"]), ("hi", ["सुन्दर", "सुंदर"])],
)
def test_two_spellings_of_one_word_are_a_repetition(language: str, words: list[str]) -> None:
    found = findings(language, x=words, y=["1", "2"], a=["3"], b=["4"])
    assert codes(found) == [("duplicate-word", "x", (words[1],))]
    assert found[0].message == f"{words[1]!r} repeats {words[0]!r} and will count once"


def test_a_variant_counts_as_its_word() -> None:
    text = changed('"ant", "flea"', '"ant", { word = "flea", variants = ["aster"] }')
    (finding,) = lint(parse_suite(text))
    assert (finding.code, finding.where, finding.words) == ("target-overlap", "one", ("aster",))


def test_shared_words_are_found_between_each_two_sides() -> None:
    assert codes(findings(x=["он"], y=["он"])) == [("target-overlap", "t", ("он",))]
    assert codes(findings(a=["он"], b=["он"])) == [("attribute-overlap", "t", ("он",))]
    for target in "xy":
        for attribute in "ab":
            found = findings(**{target: ["он"], attribute: ["он"]})
            assert codes(found) == [("target-attribute-overlap", "t", ("он",))]
            assert f"list {target} and in list {attribute}" in found[0].message


def test_a_test_of_one_list_is_read_like_one_of_two() -> None:
    assert lint(parse_suite(WORDS_TEST)) == ()
    found = lint(parse_suite(WORDS_TEST.replace('"nurse"', '"queen"')))
    assert codes(list(found)) == [("target-attribute-overlap", "one", ("queen",))]
    assert codes(list(lint(parse_suite(PAIRS)))) == [("unused-set", "jobs", ())]
    found = lint(parse_suite(WORDS_TEST.replace('"he"', '"she"')))
    assert codes(list(found)) == [("attribute-overlap", "one", ("she",))]


def test_one_list_on_both_sides_shares_every_word() -> None:
    found = lint(parse_suite(changed('y = "insects"', 'y = "flowers"')))
    assert [(finding.code, finding.words) for finding in found] == [
        ("unused-set", ()),
        ("target-overlap", ("aster",)),
        ("target-overlap", ("lovely",)),
    ]


def test_lists_of_unequal_size_are_found() -> None:
    found = findings(x=["он", "мы"], b=["они", "вы"])
    assert codes(found) == [("unequal-sizes", "t", ()), ("unequal-sizes", "t", ())]
    assert found[0].message == "list x has 2 words and list y 1"


def test_entries_of_more_than_one_word_are_found() -> None:
    assert codes(findings(x=["железная дорога"])) == [("multi-word", "x", ("железная дорога",))]


def test_unnormalised_words_are_found_and_corrected() -> None:
    decomposed = unicodedata.normalize("NFD", "чай")
    (finding,) = findings(x=[decomposed])
    assert finding.code == "unnormalised"
    assert "write it as 'чай'" in finding.message


@pytest.mark.parametrize("letter", ["\u200d", "\u200c", "\u00ad", "\u200b"])
def test_invisible_letters_are_named(letter: str) -> None:
    (finding,) = findings("hi", x=[f"क्{letter}ष"], y=["1"], a=["2"], b=["3"])
    assert finding.code == "unnormalised"
    assert f"U+{ord(letter):04X} {unicodedata.name(letter)}" in finding.message


def test_sets_that_no_test_uses_are_found() -> None:
    extra = '[sets.spare]\ntitle = "s"\nwords = ["spare"]\n'
    (finding,) = lint(parse_suite(changed(SETS, SETS + extra)))
    assert (finding.code, finding.where) == ("unused-set", "spare")

"""The shipped Hindi lists are those of the papers and the authors' notebook."""

import json
import unicodedata
from pathlib import Path

import pytest

from fairvec.languages.sentences import templates
from fairvec.lexicon import lint_suite
from fairvec.lexicon.suite_files import select_tests, shipped_suites
from tests.golden.lists import words, wordset


@pytest.mark.parametrize("test", ["me-verbs", "me-adjectives"])
def test_hindi_forms_are_pairs_that_differ_in_their_ending(test: str) -> None:
    pairs = zip(words(f"malik2022/{test}", "x"), words(f"malik2022/{test}", "y"), strict=True)
    for male, female in pairs:
        assert male.endswith("ा")
        # गया and आया lose their य before ई.
        assert female == male[:-1] + "ी" or (male[:-2] + "ई" == female and male[-2] == "य")


def test_religious_entities_are_the_religion_terms_without_the_believers() -> None:
    for target, attribute in (("x", "a"), ("y", "b")):
        believers, *entities = words("malik2022/religion-terms", attribute)
        assert words("malik2022/me-religious-entities", target) == entities
        assert words("malik2022/me-religious-entities", attribute)[0] == believers


def test_the_thesis_prints_two_compounds_and_no_broken_ones() -> None:
    entries = {
        word
        for test in range(1, 6)
        for role in "xyab"
        for word in words(f"bharti2021/b{test}", role)
    }
    assert {entry for entry in entries if " " in entry} == {"रसायन विज्ञान", "भौतिक विज्ञान"}
    assert {entry for entry in entries if "-" in entry} == {"आयात-निर्यात", "मामा-मामी", "चाचा-चाची"}
    assert {"आजीविका", "ज्यामिति", "कैलकुलस", "कलात्मक", "सावधान", "वाणिज्य", "संकाय"} <= entries
    assert words("bharti2021/b2", "y") == words("bharti2021/b3", "y")


def test_known_findings_of_the_thesis_are_waived_and_no_others() -> None:
    (suite,) = (suite for suite in shipped_suites() if suite.id == "bharti2021")
    assert {(finding.code, *finding.words) for finding in lint_suite(suite)} == {
        ("multi-word", "रसायन विज्ञान"),
        ("multi-word", "भौतिक विज्ञान"),
        ("duplicate-word", unicodedata.normalize("NFC", "ज़ोर")),
        ("target-attribute-overlap", "पिता"),
        ("target-attribute-overlap", "पति"),
        ("target-attribute-overlap", "भाई"),
    }


def test_translated_tests_are_twins_of_the_specific_ones() -> None:
    for test in (each.test for each in select_tests(["malik2022-translated"])):
        (twin,) = select_tests([f"malik2022/{test.name}"])
        assert (test.tags, twin.test.tags) == (("translated",), ("specific",))
        assert test.category == twin.test.category
        if test.category != "gender":
            assert [test.sets[role] for role in "ab"] == [twin.test.sets[role] for role in "ab"]


def test_hindi_lists_take_the_templates_that_the_paper_names() -> None:
    kinds = {
        wordset.id: wordset.pos
        for test in (each.test for each in select_tests(["malik2022", "malik2022-translated"]))
        for wordset in test.sets.values()
    }
    others = {name: pos for name, pos in kinds.items() if pos != "NOUN"}
    assert others == {
        "male-adjectives": "ADJ",
        "female-adjectives": "ADJ",
        "masculine-adjectives": "ADJ",
        "feminine-adjectives": "ADJ",
        "positive-status": "ADJ",
        "negative-status": "ADJ",
        "positive-character": "ADJ",
        "negative-character": "ADJ",
        "pleasant": "ADJ",
        "unpleasant": "ADJ",
        "male-verbs": "VERB",
        "female-verbs": "VERB",
        "hindu-last-names": "PROPN",
        "muslim-last-names": "PROPN",
    }


def test_hindi_templates_are_the_notebooks_but_for_two_spellings(shared_data: Path) -> None:
    file = shared_data / "sochindi_weat_seat" / "sochindi.json"
    theirs = json.loads(file.read_text(encoding="utf-8"))["seat_templates"]
    for kind, name in (
        ("name", "names"),
        ("common-noun", "common_nouns"),
        ("verb", "verbs"),
        ("adjective", "adjectives"),
    ):
        respelt = {each.replace("यहां", "यहाँ").replace("इस्का", "इसका") for each in theirs[name]}
        assert set(templates("hi").kinds[kind]) == respelt


NOTEBOOK = {
    2: "maths-arts",
    3: "science-arts",
    6: "gender-adjectives",
    7: "me-verbs",
    8: "me-adjectives",
    9: "me-entities",
    10: "me-titles",
    11: "caste-occupations",
    12: "caste-adjectives",
    13: "religion-terms",
    14: "religion-last-names",
    15: "me-religious-entities",
    17: "urban-rural",
}
PAPER_INSTEAD_OF_NOTEBOOK = {
    ("science-arts", "a"): ({"लड़का"}, {"पिता"}),
    ("science-arts", "b"): ({"लड़की"}, {"मां"}),
    ("me-adjectives", "y"): ({"मीठी"}, {"मोती"}),
}


def test_hindi_lists_are_the_notebooks_but_for_three_words(shared_data: Path) -> None:
    file = shared_data / "sochindi_weat_seat" / "sochindi.json"
    tests = json.loads(file.read_text(encoding="utf-8"))["weat_tests"]
    notebook = {test["id"]: test["language_specific"] for test in tests}
    for number, name in NOTEBOOK.items():
        for role in "xyab":
            theirs = {unicodedata.normalize("NFC", w) for w in notebook[number][role.upper()]}
            entries = wordset(f"malik2022/{name}", role).words
            only_here = {word.word for word in entries if not theirs & set(word.spellings)}
            only_there = theirs - {form for word in entries for form in word.spellings}
            ours, other = PAPER_INSTEAD_OF_NOTEBOOK.get((name, role), (set(), set()))
            nfc = {unicodedata.normalize("NFC", word) for word in ours}
            assert (only_here, only_there) == (nfc, other), (name, role)


def test_translated_lists_are_the_notebooks(shared_data: Path) -> None:
    file = shared_data / "sochindi_weat_seat" / "sochindi.json"
    tests = json.loads(file.read_text(encoding="utf-8"))["weat_tests"]
    notebook = {NOTEBOOK[test["id"]]: test["translated"] for test in tests if "translated" in test}
    translated = select_tests(["malik2022-translated"])
    assert set(notebook) == {each.test.name for each in translated}
    for name, lists in notebook.items():
        for role in "xyab":
            theirs = [unicodedata.normalize("NFC", word) for word in lists[role.upper()]]
            assert words(f"malik2022-translated/{name}", role) == theirs, (name, role)


def test_names_career_and_family_are_the_first_test_of_the_notebook(shared_data: Path) -> None:
    file = shared_data / "sochindi_weat_seat" / "sochindi.json"
    notebook = json.loads(file.read_text(encoding="utf-8"))["weat_tests"][0]
    assert notebook["name"] == "names_vs_career_family"
    for role, theirs in notebook["language_specific"].items():
        ours = words("malik2022-names/career-family", role.lower())
        assert ours == [unicodedata.normalize("NFC", word) for word in theirs]

"""The shipped lists are the published ones."""

import json
import unicodedata
from pathlib import Path

import pytest

from fairvec.languages.sentences import templates
from fairvec.languages.words import WordSet
from fairvec.lexicon import concept, lint_suite
from fairvec.lexicon.suite_files import select_tests, shipped_suites

# --- Looking at the shipped lists by test and role ---


def wordset(test: str, role: str) -> WordSet:
    (selected,) = select_tests([test])
    return selected.test.sets[role]


def words(test: str, role: str) -> list[str]:
    return [word.word for word in wordset(test, role).words]


# --- The shipped lists are the published ones: their sizes, and what the papers say of their words


# Words in X, Y, A and B, or in the one list, A and B, as published.
PUBLISHED_SIZES: dict[str, dict[str, tuple[int, ...]]] = {
    "bharti2021": {f"b{number}": (20, 20, 15, 15) for number in range(1, 6)},
    "bolukbasi2016": {"professions": (320, 10, 10)},
    "caliskan2017": {
        "weat-1": (25, 25, 25, 25),
        "weat-2": (25, 25, 25, 25),
        "weat-3": (32, 32, 25, 25),
        "weat-4": (16, 16, 25, 25),
        "weat-5": (16, 16, 8, 8),
        "weat-6": (8, 8, 8, 8),
        "weat-7": (8, 8, 8, 8),
        "weat-8": (8, 8, 8, 8),
        "weat-9": (6, 6, 7, 7),
        "weat-10": (8, 8, 8, 8),
    },
    "chaloner2019": {
        "b1": (8, 8, 11, 11),
        "b2": (8, 8, 11, 11),
        "b3": (8, 8, 11, 11),
        "b4": (25, 25, 11, 11),
        "b5": (15, 15, 11, 11),
    },
    "kumar2020": {f"b{number}": (8, 8, 8, 8) for number in range(1, 4)},
    "malik2022-names": {"career-family": (8, 8, 8, 8)},
    "malik2022-translated": {
        "maths-arts": (8, 8, 8, 8),
        "science-arts": (8, 8, 8, 8),
        "caste-adjectives": (25, 24, 8, 8),
        "religion-terms": (25, 24, 8, 8),
        "religion-last-names": (25, 24, 9, 9),
        "urban-rural": (25, 24, 8, 8),
    },
    "malik2022": {
        "maths-arts": (8, 8, 8, 8),
        "science-arts": (8, 8, 8, 8),
        "gender-adjectives": (7, 7, 8, 8),
        "me-verbs": (8, 8, 8, 8),
        "me-adjectives": (9, 9, 8, 8),
        "me-titles": (8, 8, 8, 8),
        "me-entities": (9, 9, 8, 8),
        "caste-occupations": (7, 7, 8, 8),
        "caste-adjectives": (7, 7, 8, 8),
        "religion-terms": (7, 7, 8, 8),
        "religion-last-names": (7, 7, 9, 9),
        "me-religious-entities": (7, 7, 2, 2),
        "urban-rural": (7, 7, 8, 8),
    },
    "pestova": {
        "e1": (8, 8, 9, 9),
        "e2": (7, 7, 9, 9),
        "e3": (7, 7, 9, 9),
        "e4": (14, 14, 9, 9),
        "e5": (11, 11, 9, 9),
        "e6": (5, 5, 9, 9),
        "e7": (6, 6, 9, 9),
    },
}


@pytest.mark.parametrize("suite", PUBLISHED_SIZES)
def test_every_list_has_its_published_size(suite: str) -> None:
    sizes = {
        test.name: tuple(len(wordset.words) for wordset in test.sets.values())
        for test in (each.test for each in select_tests([suite]))
    }
    assert sizes == PUBLISHED_SIZES[suite]


def test_every_shipped_suite_has_its_published_sizes_here() -> None:
    assert {suite.id for suite in shipped_suites()} == set(PUBLISHED_SIZES)


@pytest.mark.parametrize("suite", sorted(set(PUBLISHED_SIZES) - {"malik2022-translated"}))
def test_a_list_counts_every_word_once(suite: str) -> None:
    for test in (each.test for each in select_tests([suite])):
        for each in test.sets.values():
            spellings = [spelling for word in each.words for spelling in word.spellings]
            assert len(spellings) == len(set(spellings)), each.id


def test_names_that_caliskan_excludes_are_left_out() -> None:
    excluded = {"Hank", "Chip", "Wendy", "Bobbie-Sue", "Latonya", "Tawanda", "Jay", "Kristen"}
    included = {
        name for test in "345" for role in "xy" for name in words(f"caliskan2017/weat-{test}", role)
    }
    assert not included & (excluded | {"Tremayne"})
    assert {
        "Adam",
        "Megan",
        "Shaniqua",
        "Yvette",
        "Todd",
        "Meredith",
        "Kenya",
        "Tamika",
    } <= included


def test_bomb_and_evil_replace_agony_and_prison_in_weat_3_and_4() -> None:
    first, third = (set(words(f"caliskan2017/weat-{test}", "b")) for test in "13")
    assert first - third == {"agony", "prison"}
    assert third - first == {"bomb", "evil"}
    assert words("caliskan2017/weat-4", "b") == words("caliskan2017/weat-3", "b")


def test_words_that_copies_of_caliskans_lists_get_wrong() -> None:
    assert words("caliskan2017/weat-8", "b")[-1] == "her"
    assert words("caliskan2017/weat-10", "x")[-1] == "Billy"
    assert words("caliskan2017/weat-10", "b")[-1] == "failure"
    assert "bluebell" in words("caliskan2017/weat-1", "x")
    (short,) = [word for word in wordset("caliskan2017/weat-9", "a").words if word.variants]
    assert short.spellings == ("short-term", "short")


def test_capital_letters_are_preserved() -> None:
    assert {"Einstein", "NASA"} <= set(words("caliskan2017/weat-8", "x"))
    assert "Shakespeare" in words("caliskan2017/weat-8", "y")
    assert "Shakespeare" in words("chaloner2019/b2", "y")


def test_chaloner_and_maldonado_unite_caliskans_lists() -> None:
    for role in "ab":
        united = {*words("caliskan2017/weat-7", role), *words("caliskan2017/weat-8", role)}
        assert set(words("chaloner2019/b1", role)) == united
    assert words("chaloner2019/b1", "x") == words("caliskan2017/weat-6", "a")
    assert words("chaloner2019/b1", "y") == words("caliskan2017/weat-6", "b")
    assert words("chaloner2019/b2", "x") == words("caliskan2017/weat-7", "x")
    assert words("chaloner2019/b3", "x") == words("caliskan2017/weat-8", "x")
    for test in ("b2", "b3"):
        assert words(f"chaloner2019/{test}", "y") == words("caliskan2017/weat-8", "y")


def test_the_russian_word_for_dad_is_all_cyrillic() -> None:
    assert "\u043f\u0430\u043f\u0430" in words("pestova/e1", "a")
    for test in (each.test for each in select_tests(["pestova"])):
        for each in test.sets.values():
            assert all("а" <= letter <= "я" for word in each.words for letter in word.word)


def test_russian_words_carry_the_part_of_speech_of_tagged_keys() -> None:
    tagged = {
        f"{word.word}_{word.pos}"
        for test in (each.test for each in select_tests(["pestova"]))
        for each in test.sets.values()
        for word in each.words
    }
    assert {"мужчина_NOUN", "мужской_ADJ", "сдаться_VERB", "лидер_NOUN", "умный_ADJ"} <= tagged
    # The same word never has two: слабый is an adjective in E4 and in E5.
    assert len(tagged) == len({key.partition("_")[0] for key in tagged})


def test_kumar_takes_chaloners_targets_and_caliskans_terms() -> None:
    for test in ("b1", "b2", "b3"):
        for role in "xy":
            assert words(f"kumar2020/{test}", role) == words(f"chaloner2019/{test}", role)
        for role in "ab":
            assert words(f"kumar2020/{test}", role) == words("caliskan2017/weat-8", role)


def test_pairs_are_those_of_the_suites_and_papers() -> None:
    english, hindi, russian = (
        [
            [pair[half].word for pair in concept(f"{language}/gender:pairs").definition.pairs]
            for half in (0, 1)
        ]
        for language in ("en", "hi", "ru")
    )
    assert english == [words("bolukbasi2016/professions", role) for role in "ab"]
    assert hindi == [["पिता", "बाप", "देव", "बंदा", "नर"], ["माता", "मां", "देवी", "बंदी", "नारी"]]
    assert russian == [words("pestova/e1", role) for role in "ab"]


def test_lists_in_corresponding_order_are_paired() -> None:
    paired = {test.id for suite in shipped_suites() for test in suite.tests if test.paired}
    malik = "maths-arts science-arts gender-adjectives me-verbs me-adjectives me-titles me-entities"
    assert paired == {
        "bolukbasi2016/professions",
        *("caliskan2017/weat-7", "caliskan2017/weat-8"),
        *(f"chaloner2019/b{n}" for n in range(1, 6)),
        *(f"kumar2020/b{n}" for n in range(1, 4)),
        *(f"malik2022/{name}" for name in malik.split()),
        *(f"pestova/e{n}" for n in range(1, 8)),
    }


PARTNERS = {
    "male": "female", "man": "woman", "boy": "girl", "guy": "gal", "he": "she", "him": "her",
    "himself": "herself", "brother": "sister", "son": "daughter", "father": "mother",
    "uncle": "aunt", "grandfather": "grandmother", "dad": "mum", "John": "Mary",
    "male person": "lady", "husband": "wife", "father's father": "father's mother",
    "father's brother": "wife of a father's brother",
    "mother's brother": "wife of a mother's brother",
}  # fmt: skip


def test_partners_differ_in_gender_alone() -> None:
    for test in (test for suite in shipped_suites() for test in suite.tests if test.paired):
        for male, female in zip(test.sets["a"].words, test.sets["b"].words, strict=True):
            one, other = (word.gloss or word.word for word in (male, female))
            # As printed, his goes with hers in one paper and with her in another.
            assert PARTNERS.get(one) == other or (one == "his" and other in ("her", "hers"))


def test_lists_of_bolukbasi_are_the_authors(shared_data: Path) -> None:
    folder = shared_data / "debiaswe"
    professions = json.loads((folder / "professions.json").read_text(encoding="utf-8"))
    pairs = json.loads((folder / "definitional_pairs.json").read_text(encoding="utf-8"))
    ours = words("bolukbasi2016/professions", "words")
    assert [word.replace(" ", "_") for word in ours] == [row[0] for row in professions]
    assert [
        list(pair)
        for pair in zip(*(words("bolukbasi2016/professions", role) for role in "ba"), strict=True)
    ] == pairs


@pytest.mark.parametrize(
    "suite", ["bharti2021", "malik2022", "malik2022-names", "malik2022-translated", "pestova"]
)
def test_words_off_the_latin_script_are_explained_alike_everywhere(suite: str) -> None:
    romanised: dict[str, str] = {}
    for test in (each.test for each in select_tests([suite])):
        for each in test.sets.values():
            for word in each.words:
                assert word.transliteration.isascii()
                assert word.transliteration
                assert word.gloss
                assert word.pos
                assert romanised.setdefault(word.word, word.transliteration) == word.transliteration


def test_every_spelling_is_composed_and_every_sensitive_list_has_a_reason() -> None:
    for suite in shipped_suites():
        for each in suite.sets.values():
            for word in each.words:
                assert all(unicodedata.is_normalized("NFC", form) for form in word.spellings)
    sensitive = {
        test.name
        for test in (each.test for each in select_tests(["malik2022"]))
        if test.sensitive_reason
    }
    assert sensitive == {
        "caste-occupations",
        "caste-adjectives",
        "religion-terms",
        "religion-last-names",
        "urban-rural",
    }


# The authors' notebook, by its numbers, and the three places where the paper's own word differs.


# --- The shipped Hindi lists are those of the papers and the authors' notebook ---


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


def test_translated_tests_correspond_to_the_specific_ones() -> None:
    for test in (each.test for each in select_tests(["malik2022-translated"])):
        (counterpart,) = select_tests([f"malik2022/{test.name}"])
        assert (test.tags, counterpart.test.tags) == (("translated",), ("specific",))
        assert test.category == counterpart.test.category
        if test.category != "gender":
            assert [test.sets[role] for role in "ab"] == [
                counterpart.test.sets[role] for role in "ab"
            ]


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
    published = json.loads(file.read_text(encoding="utf-8"))["seat_templates"]
    for kind, name in (
        ("name", "names"),
        ("common-noun", "common_nouns"),
        ("verb", "verbs"),
        ("adjective", "adjectives"),
    ):
        respelt = {each.replace("यहां", "यहाँ").replace("इस्का", "इसका") for each in published[name]}
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
            published = {unicodedata.normalize("NFC", w) for w in notebook[number][role.upper()]}
            entries = wordset(f"malik2022/{name}", role).words
            only_here = {word.word for word in entries if not published & set(word.spellings)}
            only_there = published - {form for word in entries for form in word.spellings}
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
            published = [unicodedata.normalize("NFC", word) for word in lists[role.upper()]]
            assert words(f"malik2022-translated/{name}", role) == published, (name, role)


def test_names_career_and_family_are_the_first_test_of_the_notebook(shared_data: Path) -> None:
    file = shared_data / "sochindi_weat_seat" / "sochindi.json"
    notebook = json.loads(file.read_text(encoding="utf-8"))["weat_tests"][0]
    assert notebook["name"] == "names_vs_career_family"
    for role, published in notebook["language_specific"].items():
        ours = words("malik2022-names/career-family", role.lower())
        assert ours == [unicodedata.normalize("NFC", word) for word in published]

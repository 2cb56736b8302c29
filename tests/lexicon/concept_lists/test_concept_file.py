from pathlib import Path

import pytest

from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.lexicon import (
    concept,
    parse_concepts,
    read_concepts,
    select_tests,
    shipped_concepts,
    shipped_suites,
)

TEXT = """
version = "1"
language = "en"
[concepts.gender]
title = "Gender"
source = "Somebody (2026)"
licence = "None needed."
default = "pairs"
equalise = [["uncle", "aunt"]]
specific = ["beard"]
[concepts.gender.variants.pairs]
pos = "NOUN"
pairs = [["man", "woman"], [{ word = "he", pos = "PRON" }, { word = "she", variants = ["She"] }]]
[concepts.gender.variants.list]
words = ["man", "woman"]
[concepts.gender.keep.verbs]
pairs = [["goes", "went"]]
"""


def test_a_concept_with_its_variants() -> None:
    (found,) = parse_concepts(TEXT)
    assert found.name == "en/gender:pairs"
    assert found.choosing("list").name == "en/gender:list"
    (man, woman), (he, she) = found.definition.pairs
    assert (man.pos, woman.pos, he.pos, she.pos) == ("NOUN", "NOUN", "PRON", "NOUN")
    assert she.spellings == ("she", "She")
    assert [word.word for word in found.definition.entries] == ["man", "woman", "he", "she"]
    assert found.kept("verbs").pairs[0][1].word == "went"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('source = "Somebody (2026)"', "", r"concepts\.gender\.source is required"),
        ('licence = "None needed."', "", r"licence is required"),
        ("specific", "specifc", r"specifc is not a known key \(did you mean specific\?\)"),
        ("variants = [", "varints = [", r"varints is not a known key \(did you mean variants"),
        ('default = "pairs"', 'default = "pair"', "default 'pair', which is none of its variants"),
        ('pairs = [["goes", "went"]]', 'pairs = [["goes"]]', r"keep\.verbs\.pairs"),
        ('pairs = [["goes", "went"]]', "", "needs either pairs, sets or words"),
        (
            '["goes", "went"]]',
            '["goes", "went"]]\nwords = ["go"]',
            "needs either pairs, sets or words",
        ),
        ('title = "Gender"', 'title = "Gender"\nsensitive = true', "and a sensitive_reason"),
        ("variants.list", 'variants."a:b"', "may hold only small letters"),
        ('words = ["man", "woman"]', 'sets = [["man"]]', r"variants\.list\.sets"),
        ('words = ["man", "woman"]', 'sets = [["a", { wrd = "b" }]]', r"did you mean word\?"),
        ('version = "1"', 'version = "1', "line 2.*not TOML"),
    ],
)
def test_malformed_files_are_refused_by_field(old: str, new: str, words: str) -> None:
    assert old in TEXT
    with pytest.raises(LexiconError, match=rf"^mine\.toml.*{words}"):
        parse_concepts(TEXT.replace(old, new), "mine.toml")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match="the concept file cannot be read"):
        read_concepts(tmp_path / "none.toml")


def test_concepts_are_chosen_by_name() -> None:
    assert concept("hi/gender").variant == "pairs"
    one = concept("hi/gender:one-pair").definition.pairs
    assert [word.word for pair in one for word in pair] == ["नर", "नारी"]
    with pytest.raises(UnknownNameError, match="concept named 'hi/gendr'; did you mean hi/gender"):
        concept("hi/gendr")
    with pytest.raises(UnknownNameError, match="variant of hi/gender named 'pair'; did you mean"):
        concept("hi/gender:pair")
    with pytest.raises(UnknownNameError, match="to keep in hi/gender named 'verb'; did you mean"):
        concept("hi/gender").kept("verb")


def test_what_is_shipped() -> None:
    found = {each.id: each for each in shipped_concepts()}
    english, hindi = (
        ["en/gender", "en/race", "en/religion"],
        ["hi/caste", "hi/gender", "hi/religion"],
    )
    assert [*found] == [*english, *hindi, "ru/gender"]
    sensitive = {"en/race", "en/religion", "hi/caste", "hi/religion"}
    assert {each.id for each in found.values() if each.sensitive} == sensitive
    assert "STAND-INS" in found["hi/gender"].notes
    for each in found.values():
        for definition in (*each.variants.values(), *each.keep.values()):
            words = [word.word for word in definition.entries]
            assert len(set(words)) == len(words), each.id
            if each.language == "hi":
                assert all(word.transliteration and word.gloss for word in definition.entries)


def test_the_stand_ins_keep_apart_from_the_words_of_the_tests() -> None:
    about = concept("hi/gender")
    ours = {w.word for pair in about.equalise for w in pair} | {w.word for w in about.specific}
    (suite,) = (suite for suite in shipped_suites() if suite.id == "malik2022")
    tested = {w.word for wordset in suite.sets.values() for w in wordset.words}
    assert ours & tested == set()


def test_sets_of_several_words_may_share_words() -> None:
    text = TEXT.replace(
        'words = ["man", "woman"]',
        'pos = "NOUN"\nsets = [["church", "mosque", "temple"], ["church", "shrine"]]',
    )
    (found,) = parse_concepts(text)
    first, second = found.choosing("list").definition.sets
    assert first[0] == second[0]
    entries = found.choosing("list").definition.entries
    assert [(word.word, word.pos) for word in entries] == [
        (word, "NOUN") for word in ("church", "mosque", "temple", "shrine")
    ]


def test_the_sets_of_religion_and_race_are_aligned() -> None:
    """Manzini et al. (2019): one word a religion, or a group of people, in each set."""
    religion, race = (concept(f"en/{name}").definition.sets for name in ("religion", "race"))
    assert [len(each) for each in religion] == [3] * 5
    assert [len(each) for each in race] == [3] * 6
    assert [each[2].word for each in religion] == ["islam", "muslim", "mosque", "quran", "imam"]
    for each in concept("en/race").equalise:
        assert each in race


@pytest.mark.parametrize("language", ["en", "hi", "ru"])
def test_the_pairs_apart_are_in_no_test(language: str) -> None:
    lists = (
        words
        for test in (each.test for each in select_tests([language]))
        for words in test.sets.values()
    )
    tested = [word for words in lists for word in words.words]
    whole = concept(f"{language}/gender:apart")
    assert whole.without(tested).definition == whole.definition
    assert len(whole.definition.pairs) >= 9

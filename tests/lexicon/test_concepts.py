"""Concepts: files, selection, concepts of one's own."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec import languages
from fairvec.core.errors import FairvecError, LexiconError, UnknownNameError
from fairvec.languages.language import language_folders, languages_with
from fairvec.languages.words import Word
from fairvec.lexicon import (
    Concept,
    ConceptWords,
    concept,
    lint_concept,
    parse_concepts,
    read_concepts,
    select_tests,
    shipped_concepts,
    shipped_suites,
)
from fairvec.mitigation import debiaser
from tests import toys
from tests.lexicon.lists import CONCEPT_TEXT

# --- files ---


def test_a_concept_with_its_variants() -> None:
    (found,) = parse_concepts(CONCEPT_TEXT)
    assert found.name == "en/gender:pairs"
    assert found.choosing("list").name == "en/gender:list"
    (man, woman), (he, she) = found.definition.pairs
    assert (man.pos, woman.pos, he.pos, she.pos) == ("NOUN", "NOUN", "PRON", "NOUN")
    assert she.spellings == ("she", "She")
    assert [word.word for word in found.definition.entries] == ["man", "woman", "he", "she"]
    assert found.direction_to_keep("verbs").pairs[0][1].word == "went"


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
    assert old in CONCEPT_TEXT
    with pytest.raises(LexiconError, match=rf"^mine\.toml.*{words}"):
        parse_concepts(CONCEPT_TEXT.replace(old, new), "mine.toml")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match="the concept file cannot be read"):
        read_concepts(tmp_path / "none.toml")


def test_concepts_are_chosen_by_name() -> None:
    assert concept("hi/gender").variant == concept("ru/gender").variant == "definitional"
    one = concept("hi/gender:one-pair").definition.pairs
    assert [word.word for pair in one for word in pair] == ["नर", "नारी"]
    with pytest.raises(UnknownNameError, match="concept named 'hi/gendr'; did you mean hi/gender"):
        concept("hi/gendr")
    with pytest.raises(UnknownNameError, match="variant of hi/gender named 'pair'; did you mean"):
        concept("hi/gender:pair")
    with pytest.raises(UnknownNameError, match="to keep in hi/gender named 'verb'; did you mean"):
        concept("hi/gender").direction_to_keep("verb")


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


@pytest.mark.parametrize("id", ["hi/gender", "ru/gender"])
def test_gender_is_defined_by_the_ten_pairs_of_bolukbasi_translated(id: str) -> None:
    """The glosses are the English words, and behind them what differs."""
    found, published = concept(id), concept("en/gender")
    assert len(found.definition.pairs) == len(published.definition.pairs) == 10
    english = [[word.word for word in pair] for pair in published.definition.pairs]
    glosses = [[word.gloss for word in pair] for pair in found.definition.pairs]
    translated = [pair for pair in glosses if pair in english]
    replaced = [pair for pair in glosses if pair not in english]
    assert len(translated) == (10 if id == "ru/gender" else 7)
    assert all("(for " in gloss for pair in replaced for gloss in pair)
    seed = {word.word.replace("_", " ") for word in published.specific}
    from_it = [word for word in found.specific if word.gloss.partition(" (")[0] in seed]
    assert len(from_it) > 120
    assert all(word.transliteration and word.gloss for word in found.specific)
    assert all(word.transliteration and word.gloss for pair in found.equalise for word in pair)


@pytest.mark.parametrize("id", ["hi/gender", "ru/gender"])
def test_the_variant_for_held_out_judging_equalises_no_word_of_a_test(id: str) -> None:
    apart = concept(id).choosing("apart")
    assert apart.equality_sets == apart.definition.pairs != concept(id).equality_sets
    tested = {
        spelling
        for suite in shipped_suites()
        if suite.language == apart.language
        for wordset in suite.sets.values()
        for word in wordset.words
        for spelling in word.spellings
    }
    equal = {s for pair in apart.equality_sets for word in pair for s in word.spellings}
    assert equal.isdisjoint(tested)
    assert not equal.isdisjoint({s for w in apart.specific for s in w.spellings})


def test_only_pairs_and_sets_equalise_themselves() -> None:
    text = CONCEPT_TEXT.replace('words = ["man"', 'equalises_itself = true\nwords = ["man"')
    with pytest.raises(LexiconError, match="equalises_itself, which is for pairs or sets"):
        parse_concepts(text)


def test_sets_of_several_words_may_share_words() -> None:
    text = CONCEPT_TEXT.replace(
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
    both_sides = concept(f"{language}/gender:apart")
    assert both_sides.without(tested).definition == both_sides.definition
    assert len(both_sides.definition.pairs) >= 9


# --- Concept files of strangers: chosen by path, and refused in one sentence ---


MINE = CONCEPT_TEXT.replace("concepts.gender", "concepts.mine")
GOOD: dict[str, Any] = {
    "version": "1",
    "language": "en",
    "concepts": {
        "mine": {
            "title": "Mine",
            "category": "gender",
            "source": "Somebody (2026)",
            "licence": "None.",
            "default": "pairs",
            "sensitive": False,
            "equalise": [["uncle", "aunt"]],
            "specific": ["beard", {"word": "wife", "variants": ["wives"], "pos": "NOUN"}],
            "variants": {"pairs": {"pos": "NOUN", "pairs": [["man", "woman"], ["boy", "girl"]]}},
            "keep": {"jobs": {"words": ["nurse", "doctor", "judge"]}},
            "waivers": [{"finding": "quoted", "where": "specific", "reason": "Printed so."}],
        }
    },
}


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    return path


def test_a_file_is_chosen_by_its_path_and_variant(mine: Path) -> None:
    (only,) = parse_concepts(MINE)
    assert concept(mine) == concept(str(mine)) == concept(f"{mine}/mine") == only
    assert concept(f"{mine}:list") == concept(f"{mine}/mine:list") == only.choosing("list")
    with pytest.raises(UnknownNameError, match="variant of en/mine named 'lst'; did you mean list"):
        concept(f"{mine}:lst")
    with pytest.raises(UnknownNameError, match=r"concept in .*named 'mien'; did you mean mine"):
        concept(f"{mine}/mien")


def test_of_several_concepts_one_is_named(mine: Path) -> None:
    other = MINE[MINE.index("[concepts") :].replace("concepts.mine", "concepts.other")
    mine.write_text(MINE + other, encoding="utf-8")
    with pytest.raises(LexiconError, match=r"2 concepts; choose one: .*/mine or .*/other\.$"):
        concept(mine)
    assert concept(f"{mine}/other:list").name == "en/other:list"


def test_the_id_of_a_shipped_concept_is_refused(mine: Path) -> None:
    mine.write_text(CONCEPT_TEXT, encoding="utf-8")
    with pytest.raises(LexiconError, match=r"call yours \[concepts\.my-gender\] and give it the"):
        concept(mine)


def test_a_name_that_is_no_file_gets_a_hint() -> None:
    with pytest.raises(UnknownNameError, match=r"your own is chosen by the path of its \.toml"):
        concept("my-gender")


def test_the_category_of_its_tests_is_its_name_by_default() -> None:
    (only,) = parse_concepts(MINE)
    assert only.about == "mine"
    (about,) = parse_concepts(MINE.replace("title", 'category = "gender"\ntitle', 1))
    assert about.about == "gender"
    assert {each.id.partition("/")[2] for each in shipped_concepts()} == {
        each.about for each in shipped_concepts()
    }


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('["man", "woman"]', '["man"]', r"pairs\.pairs\[1\] has 1 word, and a pair has two"),
        ('["man", "woman"]', "[]", r"pairs\.pairs\[1\] has 0 words, and a pair has two"),
        ('["man", "woman"]', '["a", "b", "c"]', r"pairs\[1\] has 3 words, and a pair has two"),
        ('["man", "woman"]', '"man"', r"pairs\.pairs\[1\] must be a list of words, as in"),
        ('["man", "woman"]', '["man", "man"]', r"pairs\[1\] has 'man' twice, and its words must"),
        ('["man", "woman"]', '["man", 3]', r"pairs\[1\]\[2\] must be a word in quotes, or a table"),
        ('["uncle", "aunt"]', '["uncle"]', r"equalise\[1\] has 1 word, and a set has two or more"),
        ('["beard"]', '"beard"', r"specific must be a list, as in"),
        (
            'pos = "NOUN"',
            'pos = "noun"',
            r"variants\.pairs\.pos is 'noun'.*\(did you mean NOUN\?\)",
        ),
        ("concepts.gender]", "concepts.'My own']", "concepts.My own is 'My own' and may hold only"),
    ],
)
def test_odd_pairs_and_lists_are_refused_by_place(old: str, new: str, words: str) -> None:
    assert old in CONCEPT_TEXT
    with pytest.raises(LexiconError, match=rf"^mine\.toml: .*{words}") as caught:
        parse_concepts(CONCEPT_TEXT.replace(old, new, 1), "mine.toml")
    assert str(caught.value).count("noun'") <= 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "version is required; language is required; concepts is required"),
        (b'version = "1"\nlanguage = "en"\n[concepts]\n', "concepts must not be empty"),
        (MINE.encode("utf-16"), "this is not UTF-8; save it as UTF-8"),
        (MINE.encode("utf-16-le"), "this is not UTF-8; save it as UTF-8"),
        (MINE.encode("utf-16-be"), "this is not UTF-8; save it as UTF-8"),
        (bytes(100), "this is not UTF-8"),
        (MINE.encode("utf-8-sig"), ""),
        (MINE.replace("\n", "\r\n").encode(), ""),
    ],
)
def test_odd_files_answer_in_one_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(content)
    if not words:
        assert concept(path).name == "en/mine:pairs"
        return
    with pytest.raises(LexiconError, match=words) as caught:
        concept(path)
    assert str(caught.value).startswith(str(path))


def test_a_folder_and_a_missing_path_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    for name in ("folder.toml", "none.toml"):
        with pytest.raises(LexiconError, match="the concept file cannot be read"):
            concept(tmp_path / name)


def as_toml(value: Any) -> str:
    """Write a value as inline TOML."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{json.dumps(k)} = {as_toml(v)}' for k, v in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(as_toml, value))}]"
    return json.dumps(value)


def places(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if not isinstance(value, dict | list):
        return [here]
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    return [here, *(place for key, part in inside for place in places(part, (*here, key)))]


def put(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    """Return the value with something else at a place."""
    if not place:
        return new
    copy = value.copy()
    copy[place[0]] = put(value[place[0]], place[1:], new)
    return copy


ANYTHING = st.recursive(
    st.sampled_from(["", " ", "he", "NOUN", "pairs", 3, 0.5, True, "“he”"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["word", "pairs", "wrod", "title", "id"]), inner, max_size=2
        )
    ),
    max_leaves=4,
)


def test_the_file_that_is_changed_below_is_good() -> None:
    (only,) = parse_concepts("\n".join(f"{key} = {as_toml(GOOD[key])}" for key in GOOD))
    assert [one.code for one in lint_concept(only)] == ["unused-waiver"]


@given(st.sampled_from(places(GOOD)[1:]), ANYTHING)
def test_any_change_of_a_file_loads_or_answers_in_one_sentence(
    place: tuple[Any, ...], new: Any
) -> None:
    changed = put(GOOD, place, new)
    text = "\n".join(f"{key} = {as_toml(changed[key])}" for key in changed)
    try:
        found = parse_concepts(text, "mine.toml")
    except FairvecError as error:
        message = str(error)
        assert message.startswith("mine.toml: ")
        assert message.endswith(".")
        assert "\n" not in message
        assert "input should be" not in message
        return
    for each in found:
        lint_concept(each)


# --- concept ---


def test_held_out_words_remove_complete_pairs_and_the_rest_is_a_concept() -> None:
    about = concept("hi/gender:pairs")
    first, *rest = about.definition.pairs
    held_out = about.without([first[1]])
    assert held_out.definition.pairs == tuple(rest)
    assert held_out.specific == about.specific
    assert all(first not in each.pairs for each in held_out.variants.values())


def test_a_concept_without_any_words_left_is_refused() -> None:
    about = concept("hi/gender:one-pair")
    with pytest.raises(LexiconError, match=r"All words that define hi/gender:one-pair"):
        about.without(about.definition.entries)


def test_held_out_words_remove_complete_sets() -> None:
    about = concept("en/race")
    (asian,) = (word for word in about.definition.entries if word.word == "asian")
    held_out = about.without([asian])
    assert [[word.word for word in each] for each in held_out.definition.sets] == [
        ["africa", "america", "asia"],
        ["africa", "america", "china"],
        ["africa", "europe", "asia"],
    ]
    assert held_out.equalise == about.equalise[1:]


# --- own ---


PAIRS = [("man", "woman"), ("boy", "girl"), ("brother", "sister")]
FILE = """
version = "1"
language = "en"
[concepts.mine]
title = "mine"
source = "Written here."
licence = "None needed."
default = "pairs"
[concepts.mine.variants.pairs]
pairs = [["man", "woman"], ["boy", "girl"], ["brother", "sister"]]
"""


def test_pairs_in_python_are_the_pairs_of_a_file() -> None:
    own, (filed,) = Concept(pairs=PAIRS, id="gender", language="en"), parse_concepts(FILE)
    assert own.definition == filed.definition
    model = toys.embedding(0.5)
    fitted = [debiaser("hard").fit(model, each).transform(model) for each in (own, filed)]
    assert (fitted[0].vectors == fitted[1].vectors).all()
    assert (fitted[0].vectors != model.vectors).any()


def test_a_concept_takes_name_and_category_from_its_id() -> None:
    own = Concept(pairs=PAIRS, id="gender")
    assert (own.name, own.about, own.language) == ("own/gender:pairs", "gender", "und")
    assert Concept(words=["man"], id="own/x", category="gender").about == "gender"
    assert Concept(sets=[("man", "boy", "father")]).name == "own/concept:sets"
    assert lint_concept(own) == ()


def test_other_words_are_another_version() -> None:
    versions = [Concept(pairs=pairs).version for pairs in (PAIRS, PAIRS[:2], iter(PAIRS))]
    assert versions[0] == versions[2] != versions[1]


def test_words_that_stay_are_a_list_of_words() -> None:
    own = Concept(pairs=PAIRS, specific=iter(["father"]), equalise=[("man", "woman")])
    assert own.specific == (Word(word="father"),)
    assert ConceptWords(own, toys.embedding()).defining


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "defined by nothing; give either pairs="),
        ({"pairs": PAIRS, "words": ["man"]}, "defined by pairs and words; give either"),
        ({"pairs": []}, "pairs is an empty list"),
        ({"pairs": "he she"}, "pairs must be a list of lists"),
        ({"pairs": ["he", "she"]}, r"pairs\[1\] is one string"),
        ({"pairs": [("he", "she", "it")]}, "has 3 words, and a pair has two"),
        ({"pairs": [("he", "he")]}, "has 'he' twice"),
        ({"words": "he"}, "words is one string"),
        ({"pairs": PAIRS, "specific": "he"}, "specific is one string"),
        ({"pairs": PAIRS, "equalise": ["he"]}, r"equalise\[1\] is one string"),
        ({"pairs": PAIRS, "varaint": "pairs"}, "varaint is not a known key"),
        ({"pairs": PAIRS, "variants": {}}, "has variants= and words of its own"),
        ({"pairs": PAIRS, "variant": "one"}, "one"),
    ],
    ids=lambda each: "-".join(each) or "nothing" if isinstance(each, dict) else "",
)
def test_a_mistake_is_reported_in_one_sentence(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(LexiconError, match=message) as caught:
        Concept(**settings)
    assert "\n" not in str(caught.value)


def test_shipped_concepts_are_what_they_were() -> None:
    shipped = concept("en/gender")
    assert shipped == Concept.model_validate(shipped.model_dump())


# --- Of a folder of data only the lists are read ---


@pytest.mark.parametrize(
    "name", ["concepts.toml~", ".people.toml.swp", "people.toml.orig", "README.md", "#concepts#"]
)
def test_the_backup_of_an_editor_is_no_list(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped, spoken = shipped_concepts(), languages_with("people")
    for code, folder in language_folders().items():
        shutil.copytree(folder, tmp_path / code)
        (tmp_path / code / name).write_bytes(b"\x00 half written [")
    monkeypatch.setattr(languages, "__path__", [str(tmp_path)])
    assert shipped_concepts() == shipped
    assert languages_with("people") == spoken

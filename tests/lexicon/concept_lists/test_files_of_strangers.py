"""Concept files of strangers: chosen by path, and refused in one sentence."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FairvecError, LexiconError, UnknownNameError
from fairvec.lexicon import concept, lint_concept, parse_concepts, shipped_concepts
from tests.lexicon.concept_lists.test_concept_file import TEXT

MINE = TEXT.replace("concepts.gender", "concepts.mine")
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


def test_the_id_of_a_shipped_concept_is_not_taken(mine: Path) -> None:
    mine.write_text(TEXT, encoding="utf-8")
    with pytest.raises(LexiconError, match=r"call yours \[concepts\.my-gender\] and give it the"):
        concept(mine)


def test_a_name_that_is_no_file_gets_a_hint() -> None:
    with pytest.raises(UnknownNameError, match=r"your own is chosen by the path of its \.toml"):
        concept("my-gender")


def test_the_category_of_its_tests_is_its_name_unless_said() -> None:
    (only,) = parse_concepts(MINE)
    assert only.about == "mine"
    (said,) = parse_concepts(MINE.replace("title", 'category = "gender"\ntitle', 1))
    assert said.about == "gender"
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
    assert old in TEXT
    with pytest.raises(LexiconError, match=rf"^mine\.toml: .*{words}") as caught:
        parse_concepts(TEXT.replace(old, new, 1), "mine.toml")
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


def test_a_folder_and_nothing_at_all_are_no_files(tmp_path: Path) -> None:
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
        said = str(error)
        assert said.startswith("mine.toml: ")
        assert said.endswith(".")
        assert "\n" not in said
        assert "input should be" not in said
        return
    for each in found:
        lint_concept(each)

"""A language that fairvec does not come with, added by one folder: tests/languages/folders/ml."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fairvec.embedding import Embedding
from fairvec.experiments.audit.suites import hold_out
from fairvec.lexicon import ConceptWords, concept, read_suite, select_tests
from tests.cli.conftest import Shell
from tests.languages.folders.search_path import HERE, more_languages

SUITE = HERE / "ml" / "suites" / "ml-toy.toml"
OLD_N = "ന\u0d4d\u200d"
"""The letter n without a vowel as older texts write it."""


@pytest.fixture(autouse=True)
def malayalam() -> Iterator[None]:
    with more_languages():
        yield


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Vectors of all words of the suite, those of men in the older spelling."""
    words = [word.word for each in read_suite(SUITE).sets.values() for word in each.words]
    rows = np.random.default_rng(0).normal(size=(len(words), 6)).round(3)
    path = tmp_path / "ml.vec"
    lines = [
        " ".join([word.replace("ൻ", OLD_N), *map(str, row)])
        for word, row in zip(words, rows.tolist(), strict=True)
    ]
    path.write_text("\n".join([f"{len(words)} 6", *lines, ""]), encoding="utf-8")
    return path


def test_its_suite_is_audited_because_the_model_is_in_its_script(
    shell: Shell, model: Path, tmp_path: Path
) -> None:
    assert shell("audit", model, "-o", tmp_path / "run").code == 0
    lines = (tmp_path / "run" / "results.jsonl").read_text(encoding="utf-8").splitlines()
    (record,) = [one for one in map(json.loads, lines) if one["test"]["id"] == "ml-toy/flowers"]
    assert (record["status"], record["test"]["language"]) == ("measured", "ml")
    men = next(each for each in record["coverage"] if each["role"] == "a")
    assert men["found"] == men["wanted"] == 4
    assert {*men["how"].values()} == {"chillu"}


def test_what_it_has_is_listed_and_linted(shell: Shell) -> None:
    assert "ml-toy" in shell("suites", "list").out
    assert "ml/gender" in shell("concepts", "list").out
    for kind in ("suites", "concepts"):
        assert shell(kind, "lint").code == 0
    assert shell("suites", "lint", SUITE)[:2] == (0, "")


def test_its_joiners_are_letters_to_the_linter_and_those_of_hindi_are_not(
    shell: Shell, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.toml"
    text = SUITE.read_text(encoding="utf-8").replace("ml-toy", "mine")
    mine.write_text(text.replace("അച്ഛൻ", f"അച്ഛ{OLD_N}"), encoding="utf-8")
    assert shell("suites", "lint", mine)[:2] == (0, "")
    mine.write_text(text.replace('"ml"', '"hi"').replace("റോസ", "रो\u200dस"), encoding="utf-8")
    assert "ZERO WIDTH JOINER" in shell("suites", "lint", mine).out


def test_a_typed_word_is_looked_up_by_its_rules(shell: Shell, model: Path) -> None:
    answer = shell("neighbours", model, "അവൻ")
    assert answer.code == 0
    assert "(chillu)" in answer.out + answer.err


def test_a_text_in_it_is_known_by_its_script_and_read(shell: Shell, tmp_path: Path) -> None:
    text = tmp_path / "letter.txt"
    text.write_text(f"അവ{OLD_N} വീട്ടിൽ ഉണ്ട്. അവൾ ഡോക്ടർ ആണ്.", encoding="utf-8")
    assert shell("document", text, "-o", tmp_path / "out").code == 0
    lines = (tmp_path / "out" / "document.jsonl").read_text(encoding="utf-8").splitlines()
    marked = [mark for line in lines for mark in json.loads(line).get("marks", [])]
    assert [mark["side"] for mark in marked if mark["kind"] == "person"] == ["a", "b"]


def test_a_text_in_it_is_rewritten_by_its_rules(shell: Shell, tmp_path: Path) -> None:
    text, new = tmp_path / "letter.txt", tmp_path / "new.txt"
    text.write_text(f"അവ{OLD_N} ഇവിടെ ഉണ്ട്.\n“അവൾ ഇവിടെ ഉണ്ട്.”\n", encoding="utf-8")
    options = ("--language", "ml", "--aim", "swap", "--apply", new, "-o", tmp_path / "out")
    assert shell("document", text, *options).code == 0
    assert new.read_text(encoding="utf-8") == "അവൾ ഇവിടെ ഉണ്ട്.\n“അവൾ ഇവിടെ ഉണ്ട്.”\n"
    lines = (tmp_path / "out" / "document.jsonl").read_text(encoding="utf-8").splitlines()
    changes = [change for line in lines for change in json.loads(line).get("changes", [])]
    assert [len(change["edits"]) for change in changes] == [0, 0, 1, 0]
    assert changes[3]["reason"] == "Left alone: it is somebody's words, in quotation marks."


@pytest.mark.parametrize(("kind", "example"), [("suites", "താമര"), ("concepts", "അച്ഛൻ")])
def test_drafts_have_its_examples(kind: str, example: str, shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "draft.toml"
    assert shell(kind, "new", path, "--language", "ml").code == 0
    assert f'word = "{example}"' in path.read_text(encoding="utf-8")


def test_held_out_words_are_sought_by_the_rules_of_their_tests_and_no_others() -> None:
    """One index of a vocabulary takes seconds for a large model."""
    keys = ["he", "she", "man", "woman", f"മക{OLD_N}", "മകൾ"]
    embedding = Embedding(keys, np.eye(len(keys)))
    tests = select_tests([SUITE])
    held_out = hold_out(concept("en/gender:one-pair"), tests)
    assert ConceptWords(held_out, embedding).held_out == {f"മക{OLD_N}", "മകൾ"}
    assert {*embedding.lookups} == {"en", "ml"}

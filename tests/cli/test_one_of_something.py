"""A count of one is told as one, wherever a count can be one."""

from pathlib import Path

import pytest

from tests.cli.conftest import Shell

SUITE = """
id = "mine"
version = "1"
title = "Mine"
language = "en"
source = "Written for this test"
licence = "CC0-1.0"

[sets.x]
title = "x"
words = ["she"]

[sets.y]
title = "y"
words = ["he", "him"]

[[tests]]
id = "one"
title = "One"
category = "gender"
kind = "bias"
x = "y"
y = "x"
a = "y"
b = "x"
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    file = tmp_path / "mine.toml"
    file.write_text(SUITE, encoding="utf-8")
    return file


def test_a_list_of_one_word(shell: Shell, suite: Path) -> None:
    shown = shell("suites", "show", suite).out
    assert "  y: x, 1 word\n" in shown
    assert "  x: y, 2 words\n" in shown


def test_one_finding(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "draft.toml"
    assert shell("suites", "new", file).code == 0
    file.write_text(file.read_text(encoding="utf-8").replace('"tulip"', '"rose"', 1), "utf-8")
    answer = shell("suites", "lint", file)
    assert len(answer.out.splitlines()) == 1
    assert (answer.code, answer.err) == (1, "1 suite, 1 finding, 0 waived\n")


@pytest.mark.parametrize(("words", "said"), [("he", "1 key x"), ("he\nshe", "2 keys x")])
def test_a_model_of_one_word(shell: Shell, tmp_path: Path, words: str, said: str) -> None:
    (tmp_path / "words.txt").write_text(f"{words}\nqqqq\n", encoding="utf-8")
    listed = ("--words", tmp_path / "words.txt")
    answer = shell("convert", "glove-en-small", tmp_path / "one.vec", *listed)
    assert f": {said} 100 in the format" in answer.err
    assert "words wanted is not in glove-en-small." in answer.err


def test_a_suite_that_lacks_a_word_does_not_fit_whole(shell: Shell) -> None:
    fits = shell("audit", "glove-en-small", "--metric", "mac").err.splitlines()[0]
    assert "caliskan2017 (99% of its words), chaloner2019 (100% of its words)" in fits

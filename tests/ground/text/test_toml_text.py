"""TOML of strangers is read as tomllib reads it, or refused in one sentence."""

import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairvec.core.errors import LexiconError
from fairvec.core.parsing import DEEPEST, parse_toml_tables
from tests.limits import outcome

MARKS = ["a", "b", '"', "'", "=", "[", "]", "{", "}", ".", ",", "1", "-", "inf", "nan", "#", "e9"]
MARKS += ['"""', "\\", "0x", "1979-05-27", ":", "true", "é"]
PIECES = st.lists(st.sampled_from([*MARKS, " ", "\n", "\r", "\t", "\x00"]), max_size=30)


@given(PIECES.map("".join))
@example("a = inf")
@example("a = { b = [1, nan] }")
def test_every_text_is_read_as_it_is_or_refused_in_one_sentence(text: str) -> None:
    said = ""
    try:
        assert parse_toml_tables(text, "my.toml", LexiconError) == tomllib.loads(text)
    except LexiconError as error:
        said = str(error)
    assert not said or (said.startswith("my.toml") and said.endswith("."))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = " + "[" * 100_000, "nested too deeply"),
        ("a = " + "{a = " * 5000 + "1" + "}" * 5000, "nested too deeply"),
        (".".join("a" * (DEEPEST + 1)) + " = 1", "line 1: a name has too many parts"),
        ("x = 1\n[" + " . ".join(['"\\"."'] * 200) + "]", "line 2: a name has too many parts"),
        (".".join("a" * 60) + " = {" + ".".join("b" * 60) + " = 1}", "nested too deeply"),
        ("a = " + "9" * 5000, "too long"),
        ("b = 1\n[a]\nc = [1, 0x" + "f" * 5000 + "]", r"a\.c\[2\] is too long"),
        ("a = 9223372036854775808", "a is too long"),
        ("a = [1, {b = -inf}]", r"a\[2\]\.b is -inf, which is no finite number"),
        ("a = nan", "a is nan"),
        ("a = 1e999", "a is inf"),
    ],
    ids=lambda text: text[:9],
)
def test_what_would_end_a_reader_later_is_refused(text: str, reason: str) -> None:
    with pytest.raises(LexiconError, match=reason):
        parse_toml_tables(text, "my.toml", LexiconError)


def test_the_deepest_and_the_largest_are_still_read() -> None:
    parts = ".".join("a" * DEEPEST)
    assert (
        parse_toml_tables(f"{parts} = 1\nb = 9223372036854775807", "my.toml", LexiconError)["b"] > 0
    )


def test_a_name_of_very_many_parts_ends_soon() -> None:
    code = """
from fairvec.core.errors import LexiconError
from fairvec.core.parsing import parse_toml_tables
for text in (".".join("a" * 300_000) + " = 1", "a" * 300_000, '"' * 300_000, "'a" * 300_000):
    try:
        parse_toml_tables(text, "my.toml", LexiconError)
    except LexiconError as error:
        print(str(error)[:7])
"""
    assert outcome(code, seconds=30) == "my.toml"

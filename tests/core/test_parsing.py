"""JSON and TOML of strangers."""

import json
import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from fairvec.core.errors import LexiconError
from fairvec.core.io.toml_files import as_lexicon_error
from fairvec.core.parsing import DEEPEST, LONGEST_NUMBER, parse_json, parse_toml_tables
from fairvec.core.validation import Record, as_list, suggest_key
from tests.loops import loop_over
from tests.resource_limits import outcome

# --- JSON of strangers is read as json reads it, or refused by a ValueError ---


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS | st.floats(allow_nan=False).filter(abs),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
).filter(lambda value: "Infinity" not in json.dumps(value))


@given(VALUES, st.booleans())
def test_what_json_can_hold_is_read_as_it_is(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert parse_json(text) == value
    assert parse_json(text.encode()) == value


@loop_over(
    ("text", "reason"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nested too deeply"),
        ("[1, NaN]", "NaN is no number"),
        ("-Infinity", "-Infinity is no number"),
        ("[1e999]", "'1e999' is too large"),
        ("-1e0000400", "too large"),
        ("9" * 299 + ".5e99", "too large"),
        ("9" * (LONGEST_NUMBER + 1), "a number has 301 digits"),
        ("-" + "9" * 5000, "digits"),
        ("9" * 5000, "digits"),
        ('{"a": 1, "b": 2, "a": 3}', "'a' stands twice in one object"),
        ('{"a": 1, "a": 1}', "'a' stands twice in one object"),
        ('{"b": [{"a": 1, "a": 2}]}', "'a' stands twice in one object"),
        ('["\\ud800"]', "half a character"),
        ('{"\\uDFFF": 1}', "half a character"),
        (r'[["\ude00\ud83d"]]', "half a character"),
        ("", "Expecting value"),
        ("[1, 2", "Expecting"),
        ("{", "Expecting"),
        (b'"\xff"', "can't decode byte 0xff"),
        (b'"\xed\xa0\x80"', "can't decode byte 0xed"),
        ('{"a": 1}'.encode("utf-16"), "can't decode"),
    ],
)
def test_what_would_end_a_reader_later_is_refused(text: str | bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_json(text)


@given(st.binary(max_size=30))
def test_any_bytes_are_read_as_json_reads_them_or_a_value_error(content: bytes) -> None:
    try:
        value = parse_json(content)
    except ValueError:
        return
    assert value == json.loads(content.decode("utf-8-sig"))


def test_the_deepest_and_the_longest_are_still_read() -> None:
    assert parse_json("[" * DEEPEST + "]" * DEEPEST)
    assert parse_json("9" * LONGEST_NUMBER) == 10**LONGEST_NUMBER - 1
    assert parse_json('"\\ud83d\\ude00"') == "\N{GRINNING FACE}"
    assert parse_json(b"\xef\xbb\xbf[1]") == [1]


def test_files_of_other_programs_may_hold_no_number() -> None:
    found = parse_json('{"a": 2, "limit": [0.0, Infinity]}', lenient=True)
    assert found == {"a": 2, "limit": [0.0, None]}
    with pytest.raises(ValueError, match="nested"):
        parse_json("[" * 100_000, lenient=True)


def test_many_names_of_which_one_stands_twice_end_soon() -> None:
    code = """
from fairvec.core.parsing import parse_json
names = ",".join(f'"{n}":1' for n in range(300_000))
try:
    parse_json("{" + names + ',"299999":1}')
except ValueError as error:
    print(error)
"""
    assert outcome(code, seconds=30) == "'299999' stands twice in one object"


# --- TOML of strangers is read as tomllib reads it, or refused in one sentence ---


MARKS = ["a", "b", '"', "'", "=", "[", "]", "{", "}", ".", ",", "1", "-", "inf", "nan", "#", "e9"]
MARKS += ['"""', "\\", "0x", "1979-05-27", ":", "true", "é"]
PIECES = st.lists(st.sampled_from([*MARKS, " ", "\n", "\r", "\t", "\x00"]), max_size=30)


@given(PIECES.map("".join))
@example("a = inf")
@example("a = { b = [1, nan] }")
def test_every_text_is_read_as_it_is_or_refused_in_one_sentence(text: str) -> None:
    message = ""
    try:
        assert parse_toml_tables(text, "my.toml", LexiconError) == tomllib.loads(text)
    except LexiconError as error:
        message = str(error)
    assert not message or (message.startswith("my.toml") and message.endswith("."))


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
def test_what_would_end_a_reader_later_is_refused_toml(text: str, reason: str) -> None:
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


# --- validation ---


class Seven(BaseModel):
    a: str
    b: str
    c: str
    d: str
    e: str
    f: str
    g: str


def test_a_long_list_of_problems_is_cut() -> None:
    with pytest.raises(ValidationError) as caught:
        Seven.model_validate({})
    message = str(as_lexicon_error(caught.value, "file.toml", lambda _: ()))
    assert message == (
        "file.toml: a is required; b is required; c is required; d is required; "
        "e is required; and 2 more."
    )


def test_near_names_are_offered_and_far_ones_are_not() -> None:
    assert suggest_key("licens", ["licence", "title"]) == " (did you mean licence?)"
    assert suggest_key("zzz", ["licence", "title"]) == ""


def test_one_thing_or_several_become_a_list() -> None:
    class Named(Record):
        name: str = "one"

    for one in ("text", Named(), 1, None):
        assert as_list(one) == [one]
    assert as_list(each for each in "ab") == ["a", "b"]

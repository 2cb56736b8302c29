"""Texts that are shown or written: controls, lengths, Markdown."""

import csv
import io
import json
import os
import unicodedata
from ast import literal_eval
from collections import OrderedDict
from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fairvec.core.text import (
    FORMULAS,
    escape_control,
    escape_formula,
    escape_formulas,
    escape_surrogates,
    escape_tags,
    is_valid_utf8,
    join_names,
    replace_surrogates,
    short_repr,
    truncate_words,
)
from tests.loops import loop_over

# --- visible ---


@given(st.text())
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    shown = escape_control(text, but="")
    assert not [letter for letter in shown if unicodedata.category(letter) in ("Cc", "Zl", "Zp")]
    turning = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    assert not [letter for letter in shown if unicodedata.bidirectional(letter) in turning]
    assert escape_control(shown, but="") == shown


@given(st.text())
def test_json_keeps_its_meaning(text: str) -> None:
    assert json.loads(escape_control(json.dumps(text, ensure_ascii=False))) == text


def test_plain_text_stays_as_it_is() -> None:
    for text in ("क्‍ष क्‌ष", "мать\n\tи", "e\u0301 \U0001f600"):
        assert escape_control(text) == text
    assert escape_control("a\x1b[2J\n", but="") == "a\\u001b[2J\\u000a"
    assert escape_control("\ud800") == "\\ud800"
    assert escape_control("a\u200b\ufeff\U000e0041") == "a\\u200b\\ufeff\\udb40\\udc41"


def test_what_takes_no_room_is_shown() -> None:
    """All that the standard calls formatting, but the joiners and what scripts write with."""
    written = {"\u200c", "\u200d", *map(chr, range(0x600, 0x606)), "\u06dd", "\u070f"}
    written |= {"\u0890", "\u0891", "\u08e2", "\U000110bd", "\U000110cd"}
    written |= {chr(number) for number in range(0x13430, 0x13440)}
    for letter in map(chr, range(0x110000)):
        if unicodedata.category(letter) == "Cf" and letter not in written:
            assert escape_control(letter) != letter, hex(ord(letter))


@pytest.mark.parametrize(
    "text",
    [
        "क्\u200dष",
        "क्\u200c",
        "\u200dक",
        "می\u200cخواهم",
        "CD\u200cها",
        "שלום عربي",
        "\U0001f469\u200d\u2695\ufe0f",
        "\u2764\ufe0f",
        "1\ufe0f\u20e3",
        "\xa9\ufe0f",
        "caf\u0065\u0301",
    ],
    ids=range(11),
)
def test_what_a_script_or_a_picture_needs_stays(text: str) -> None:
    assert escape_control(text) == text
    assert escape_control(f"a {text} b") == f"a {text} b"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("ki\u200dng", "ki\\u200dng"),
        ("king\u200c\u200d", "king\\u200c\\u200d"),
        ("\u200dмать", "\\u200dмать"),
        ("king\ufe00", "king\\ufe00"),
        ("king\u3164", "king\\u3164"),
        ("ki\u200d\u202eng", "ki\\u200d\\u202eng"),
    ],
    ids=range(6),
)
def test_two_names_do_not_look_like_one(text: str, seen: str) -> None:
    assert escape_control(text) == seen


# --- Every text can be written once it is whole, and one that could be is not touched ---


HALVES = st.text(st.characters(codec=None))
VALUES = st.recursive(
    st.none() | st.integers() | st.booleans() | HALVES,
    lambda inner: (
        st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(HALVES, inner, max_size=4)
    ),
    max_leaves=10,
)


@given(VALUES)
def test_what_is_whole_can_be_written_and_stays(value: Any) -> None:
    made = escape_surrogates(value)
    json.dumps(made, ensure_ascii=False).encode()
    assert escape_surrogates(made) == made
    assert type(made) is type(value)


@given(st.text(st.characters(codec="utf-8")))
def test_text_that_can_be_written_is_not_touched(text: str) -> None:
    assert escape_surrogates(text) == text


def test_a_byte_that_is_no_character_is_shown_as_the_terminal_shows_it() -> None:
    name = os.fsdecode(b"m\xff.vec") if os.name != "nt" else "m\udcff.vec"
    assert escape_surrogates(name) == escape_control(name) == "m\\udcff.vec"


@given(HALVES)
def test_what_is_made_whole_can_be_written_and_loses_nothing_else(text: str) -> None:
    mended = replace_surrogates(text)
    mended.encode("utf-8")
    assert is_valid_utf8(text) == (mended == text)
    halves = [letter for letter in text if "\ud800" <= letter <= "\udfff"]
    assert len(mended) <= len(text)
    assert (not halves) == is_valid_utf8(text)


def test_a_name_that_is_no_utf8_is_shown_with_a_sign() -> None:
    assert replace_surrogates(b"caf\xe9.txt".decode("utf-8", "surrogateescape")) == "caf\ufffd.txt"


# --- What is said of a stranger's value is short, and is said at once ---


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
)


@loop_over(
    ("value", "message"),
    [
        (None, "None"),
        (True, "True"),
        (2.5, "2.5"),
        (-7, "-7"),
        (np.int64(7), "7"),
        ("a", "'a'"),
        (b"\xff", r"b'\xff'"),
        ({"b": 1}, "{'b': 1}"),
        (10**5000, "a huge number"),
        (OrderedDict(a=1), "<OrderedDict>"),
        (object(), "<object>"),
        (np.float32(0.5), "0.5"),
        (Fraction(10**400), "<Fraction>"),
        (date(2026, 1, 2), "2026-01-02"),
        ("स्त्री", "'स्त्री'"),
        ("a\nb\x1b[2J\u202e\ud800", r"'a\nb\x1b[2J\u202e\ud800'"),
        ("a" * 61, f"'{'a' * 60}...'"),
    ],
)
def test_small_values_are_shown_as_they_are(value: object, message: str) -> None:
    assert short_repr(value) == message


def test_a_value_of_endless_paths_is_described_at_once() -> None:
    deep: tuple[Any, ...] = ()
    doubled: tuple[Any, ...] = ()
    mixed: OrderedDict[str, Any] = OrderedDict()
    for _ in range(100_000):
        deep = (deep,)
    for _ in range(100):
        doubled = (doubled, doubled)
        mixed = OrderedDict(a=mixed, b=[mixed])
    assert all(len(short_repr(value)) < 110 for value in (deep, doubled, mixed, [mixed]))
    while deep:
        (deep,) = deep


@given(values)
def test_every_plain_value_is_shown_shortly_and_on_one_line(value: object) -> None:
    message = short_repr(value)
    # Each letter of a text may be shown by its number, as \\U0010ffff is.
    assert len(message) <= 110 or (isinstance(value, str) and len(message) < 10 * 65)
    assert message.isprintable()
    assert message.encode()


@given(st.text(), st.integers(0, 20))
def test_of_a_text_so_many_letters_are_repeated(text: str, most: int) -> None:
    message = short_repr(text, most)
    assert literal_eval(message) == (text if len(text) <= most else f"{text[:most]}...")


class Hostile:
    """What a stranger's object says of itself is not asked for."""

    def __repr__(self) -> str:
        raise AssertionError

    __str__ = __repr__


def test_no_object_is_asked_what_it_is() -> None:
    assert short_repr([Hostile(), {"a": Hostile()}]) == "[<Hostile>, {'a': <Hostile>}]"


@given(st.text(), st.integers(400, 6000), st.text())
def test_no_name_fills_a_sentence(before: str, length: int, after: str) -> None:
    shown = truncate_words(f"{before} {'ж' * length} {after}")
    assert all(len(word) < 400 for word in shown.split())
    assert f" {'ж' * 200}... " in shown


@given(st.lists(st.text(max_size=399)))
def test_names_of_a_usual_length_stay_as_they_are(names: list[str]) -> None:
    assert truncate_words(" ".join(names)) == " ".join(names)


@pytest.mark.parametrize("many", [0, 1, 12, 13, 5000])
def test_of_many_names_a_few_are_named_and_the_others_counted(many: int) -> None:
    shown = join_names([f"{number}-{'x' * 5000}" for number in range(many)])
    assert (shown == "none") == (not many)
    assert (f" and {many - 12:,} more" in shown) == (many > 12)
    assert len(shown) < 1000


# --- cells ---


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+A1",
        "-2+3+cmd|' /C calc'!A0",
        "@SUM(A1)",
        "\tA1",
        "\rA1",
        "\nA1",
        " =1",
        "\uff1d1",
        "\xa0=1",
        "\ufeff =1",
    ],
    ids=range(11),
)
def test_text_that_a_spreadsheet_would_run_begins_with_an_apostrophe(text: str) -> None:
    assert escape_formula(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["", "-", "=", "-0.31", "+.5", "-1e-9", "a=b", "man - woman", "'=1"]
)
def test_what_is_no_formula_stays(text: str) -> None:
    assert escape_formula(text) == text


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("a;=1+1", "a;'=1+1"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("\n=1", "'\n'=1"),
        ("a; @SUM(A1);-b", "a; '@SUM(A1);'-b"),
        ('a\n"=1', "a\n\"'=1"),
        ("a;b\tc", "a;b\tc"),
        ("x; - y", "x; - y"),
        ("a; -", "a; -"),
    ],
    ids=range(9),
)
def test_no_formula_begins_behind_a_semicolon_either(text: str, cell: str) -> None:
    """Half of all spreadsheets end a cell there."""
    assert escape_formula(text) == cell


def test_numbers_stay_numbers() -> None:
    row = {"effect": -1.25, "count": -3, "nothing": None, "met": True}
    assert escape_formulas(row) == row


@given(st.text())
def test_no_cell_is_a_formula_and_none_loses_a_letter(text: str) -> None:
    cell = escape_formula(text)
    assert cell.replace("'", "") == text.replace("'", "")
    if cell[:1] in ("=", "@"):
        assert len(cell.strip(" ")) == 1
    if cell[:1] and cell[0] in FORMULAS and len(cell.strip(" ")) > 1:
        float(cell)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_a_guarded_cell_comes_back_as_it_was_written(text: str) -> None:
    file = io.StringIO(newline="")
    csv.writer(file).writerow([escape_formula(text), "end"])
    file.seek(0)
    assert next(csv.reader(file)) == [escape_formula(text), "end"]


# --- markdown ---


page = MarkdownIt("commonmark")
ACTING = {"html_inline", "html_block", "link_open", "image", "code_inline"}


def acting(text: str) -> set[str]:
    tokens = page.parse(text)
    return ACTING & {one.type for token in tokens for one in (token, *(token.children or []))}


@pytest.mark.parametrize(
    "name",
    [
        "<img src=x onerror=alert(1)>",
        "</td><script>",
        "<!-- x -->",
        "<?php x ?>",
        "[x](https://a.example/y)",
        "![x](https://a.example/y)",
        "[x][y]\n\n[y]: https://a.example\n\n",
        "`x`",
        "<https://a.example>",
    ],
    ids=range(9),
)
def test_a_name_in_our_prose_does_nothing(name: str) -> None:
    assert acting(f"of {name} here")
    assert not acting(f"of {escape_tags(name)} here")


@given(st.text(alphabet="<>/!?[]()`:a \n\\x", max_size=20))
def test_no_name_begins_a_tag_a_link_or_code(name: str) -> None:
    assert not acting(f"of {escape_tags(name)} here")


@pytest.mark.parametrize("text", ["p < .001, d = [0.1, 0.2]", "a > b & c", "पुरुष (x)"])
def test_figures_are_written_as_they_are(text: str) -> None:
    assert escape_tags(text) == text

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.text import escape_control


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

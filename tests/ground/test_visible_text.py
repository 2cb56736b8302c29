import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from fairvec.ground.visible_text import visible


@given(st.text())
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    shown = visible(text, but="")
    assert not [letter for letter in shown if unicodedata.category(letter) in ("Cc", "Zl", "Zp")]
    turning = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    assert not [letter for letter in shown if unicodedata.bidirectional(letter) in turning]
    assert visible(shown, but="") == shown


@given(st.text())
def test_json_keeps_its_meaning(text: str) -> None:
    assert json.loads(visible(json.dumps(text, ensure_ascii=False))) == text


def test_plain_text_stays_as_it_is() -> None:
    for text in ("क्‍ष क्‌ष", "мать\n\tи", "e\u0301 \U0001f600"):
        assert visible(text) == text
    assert visible("a\x1b[2J\n", but="") == "a\\u001b[2J\\u000a"
    assert visible("\ud800") == "\\ud800"
    assert visible("a\u200b\ufeff\U000e0041") == "a\\u200b\\ufeff\\udb40\\udc41"


def test_what_takes_no_room_is_shown() -> None:
    """All that the standard calls formatting, but the joiners and what scripts write with."""
    written = {"\u200c", "\u200d", *map(chr, range(0x600, 0x606)), "\u06dd", "\u070f"}
    written |= {"\u0890", "\u0891", "\u08e2", "\U000110bd", "\U000110cd"}
    written |= {chr(number) for number in range(0x13430, 0x13440)}
    for letter in map(chr, range(0x110000)):
        if unicodedata.category(letter) == "Cf" and letter not in written:
            assert visible(letter) != letter, hex(ord(letter))

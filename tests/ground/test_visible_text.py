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

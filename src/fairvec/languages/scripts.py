"""Which script a letter belongs to, and which scripts a language is written in."""

import unicodedata
from collections import Counter
from collections.abc import Iterable

_LANGUAGES = {
    "LATIN": "cs da de en es et fi fr hr hu id it lt lv nl no pl pt ro sk sl sv tr vi",
    "CYRILLIC": "be bg kk mk ru uk",
    "DEVANAGARI": "hi mr ne sa",
}
_SCRIPT_OF = {code: script for script, codes in _LANGUAGES.items() for code in codes.split()}

# Written side by side in one word, so they count as one.
_EAST_ASIAN = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"}


def script(letter: str) -> str:
    """Return the first word of the letter's Unicode name, as in LATIN or CYRILLIC; or nothing."""
    if not unicodedata.category(letter).startswith("L"):
        return ""
    first = unicodedata.name(letter, "").partition(" ")[0]
    return "CJK" if first in _EAST_ASIAN else first


def scripts(text: str) -> set[str]:
    """Return the scripts of the letters of `text`."""
    return {script(letter) for letter in text} - {""}


def script_of_language(language: str, texts: Iterable[str]) -> str:
    """Return the script of a language: the known one, or the one most letters of `texts` have."""
    if language in _SCRIPT_OF:
        return _SCRIPT_OF[language]
    counts = Counter(script(letter) for text in texts for letter in text)
    counts.pop("", None)
    return max(sorted(counts), key=counts.__getitem__, default="")

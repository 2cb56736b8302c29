"""Keys that are written almost like a word."""

from collections.abc import Iterable
from difflib import get_close_matches

MOST = 3
LENGTHS_APART = 2


def near_spellings(word: str, keys: Iterable[str]) -> list[str]:
    """Return up to three keys that are written most like a word, the most alike first.

    Only keys with its first letter and about its length are compared: few, so it is fast.
    """
    first = word[:1].lower()
    like = [
        key
        for key in keys
        if key[:1].lower() == first and abs(len(key) - len(word)) <= LENGTHS_APART
    ]
    return get_close_matches(word.lower(), like, n=MOST)

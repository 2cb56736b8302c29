"""Lists of thousands of words, cut to what a person reads; results.jsonl has all of them."""

from collections.abc import Sequence

from fairvec.ground.numbers import whole
from fairvec.ground.text.enumerations import first_of
from fairvec.results import WordScore

MOST_NAMED = 60
MOST_DRAWN = 120
"""Words of one list that a strip plot draws, and that a table has: the outermost at both ends."""


def some(words: Sequence[str]) -> str:
    """Return a, b, c, and after the first of very many how many more there are."""
    return first_of(words, MOST_NAMED)


def outermost(words: Sequence[WordScore], most: int = MOST_DRAWN) -> list[WordScore]:
    """Return the words of a list, or of a very long one those at both ends of its scores."""
    if len(words) <= most:
        return list(words)
    ordered = sorted(words, key=lambda word: word.score)
    return ordered[: most // 2] + ordered[-(most - most // 2) :]


def about_the_rest(x: Sequence[WordScore], y: Sequence[WordScore]) -> str:
    """Return how many words of two lists are not shown; nothing if all are."""
    rest = [
        f"{whole(len(words) - MOST_DRAWN)} of {whole(len(words))}"
        for words in (x, y)
        if len(words) > MOST_DRAWN
    ]
    if not rest:
        return ""
    return (
        f"Of a long list the {MOST_DRAWN} words that lean most to either side are shown; "
        f"{' and '.join(rest)} words are not, and stand in results.jsonl."
    )

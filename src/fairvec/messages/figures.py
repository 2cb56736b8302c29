"""How effects, intervals, long word lists and languages are written.

Not every effect is an effect size d: the difference of two probabilities has no unit of spread, a
symbol of its own and one more digit. Records keep full lists and plain sentences; what is shortened
or joined on one line here is for display alone.
"""

import re
from collections.abc import Sequence

from fairvec.core.format import format_count, format_number, format_signed, join_first
from fairvec.languages.language import language
from fairvec.results import Interval, Outcome, Result, Skipped
from fairvec.results.records import CategoryAnswer, WordScore


def format_interval(interval: Interval, digits: int = 2) -> str:
    """Return 0.61 to 1.84."""
    return f"{format_number(interval.low, digits)} to {format_number(interval.high, digits)}"


EFFECT_DIGITS, DIFFERENCE_DIGITS = 2, 3


def is_difference(outcome: Outcome) -> bool:
    """Return whether the effect is a plain difference of probabilities, in no unit of spread."""
    recorded = (
        outcome.convention if isinstance(outcome, Result | Skipped | CategoryAnswer) else None
    )
    convention = recorded or (outcome.described.convention if outcome.described else None)
    return convention is not None and not convention.standardised


def effect_symbol(outcome: Outcome) -> str:
    """Return d for an effect size, and the plain word for a difference."""
    return "difference" if is_difference(outcome) else "d"


def effect_digits(outcome: Outcome) -> int:
    """Return how many digits the effect is written with: a point in a hundred must be seen."""
    return DIFFERENCE_DIGITS if is_difference(outcome) else EFFECT_DIGITS


def format_effect(outcome: Outcome, value: float) -> str:
    """Return an effect with its sign."""
    return format_signed(value, effect_digits(outcome))


def format_plain_effect(outcome: Outcome, value: float) -> str:
    """Return an effect without a plus."""
    return format_number(value, effect_digits(outcome))


def format_effect_interval(outcome: Outcome, interval: Interval) -> str:
    """Return the interval of an effect."""
    return format_interval(interval, effect_digits(outcome))


MOST_NAMED = 60
MOST_DRAWN = 120
"""Words of one list that a strip plot draws, and that a table has: the outermost at both ends."""
MOST_ROWS = 200
"""Rows that one plot draws by default."""


def shorten_list(words: Sequence[str]) -> str:
    """Return a, b, c, and after the first of very many how many more there are."""
    return join_first(words, MOST_NAMED)


def similarity_heading(similarity: str) -> str:
    """Return the heading of a column of `format_similarity`: a negative distance is a distance."""
    return similarity.removeprefix("negative-")


def format_similarity(value: float, similarity: str, digits: int = 3) -> str:
    """Return a similarity as text; a negative distance as the distance."""
    return format_number(abs(value) if similarity.startswith("negative-") else value, digits)


def outermost_words(words: Sequence[WordScore], most: int = MOST_DRAWN) -> list[WordScore]:
    """Return the words of a list, or of a very long one those at both ends of its scores."""
    if len(words) <= most:
        return list(words)
    ordered = sorted(words, key=lambda word: word.score)
    return ordered[: most // 2] + ordered[-(most - most // 2) :]


def omitted_words_note(x: Sequence[WordScore], y: Sequence[WordScore]) -> str:
    """Return how many words of two lists are not shown; nothing if all are."""
    omitted = [
        f"{format_count(len(words) - MOST_DRAWN)} of {format_count(len(words))}"
        for words in (x, y)
        if len(words) > MOST_DRAWN
    ]
    if not omitted:
        return ""
    return (
        f"Of a long list only the {MOST_DRAWN} words that lean most to either side are shown; the "
        f"other {' and '.join(omitted)} words are in results.jsonl."
    )


NO_BREAK = "\N{NO-BREAK SPACE}"

_NUMBER = r"[+\-−]?\d[\d.,]*(?:e-?\d+)?"
_UNBREAKABLE = re.compile(
    rf"(?<!\w)(?:d|p|tau|difference|corrected)(?: [=≤])? {_NUMBER}"
    rf"|\d %(?: {_NUMBER}(?: to {_NUMBER})?)?"
)


def keep_together(sentence: str) -> str:
    """Return a sentence whose figures stay on the line of their names: d +1.11, 95 % 0.5 to 1.7."""
    return _UNBREAKABLE.sub(lambda match: match[0].replace(" ", NO_BREAK), sentence)


def language_name(code: str) -> str:
    """Return English for en; the code of a language without a folder."""
    return language(code).name or code or "an unknown language"

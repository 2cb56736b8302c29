"""Figures of a record as text: intervals, effects, shortened lists, languages."""

import re
from collections.abc import Sequence

from fairvec.core.format import format_count, format_number, format_signed, join_first
from fairvec.results import CategoryAnswer, Interval, Outcome, Result, Skipped, WordScore


def span(interval: Interval, digits: int = 2) -> str:
    """Return 0.61 to 1.84."""
    return f"{format_number(interval.low, digits)} to {format_number(interval.high, digits)}"


# What an effect is called and how it is written: not every effect is an effect size.


DIGITS, DIGITS_OF_A_DIFFERENCE = 2, 3


def is_difference(outcome: Outcome) -> bool:
    """Return whether the effect is a plain difference of probabilities, in no unit of spread."""
    own = outcome.convention if isinstance(outcome, Result | Skipped | CategoryAnswer) else None
    convention = own or (outcome.described.convention if outcome.described else None)
    return convention is not None and not convention.standardised


def symbol(outcome: Outcome) -> str:
    """Return d for an effect size, and the plain word for a difference."""
    return "difference" if is_difference(outcome) else "d"


def digits(outcome: Outcome) -> int:
    """Return how many digits the effect is written with: a point in a hundred must be seen."""
    return DIGITS_OF_A_DIFFERENCE if is_difference(outcome) else DIGITS


def effect_of(outcome: Outcome, value: float) -> str:
    """Return an effect with its sign."""
    return format_signed(value, digits(outcome))


def plain_effect_of(outcome: Outcome, value: float) -> str:
    """Return an effect without a plus."""
    return format_number(value, digits(outcome))


def span_of(outcome: Outcome, interval: Interval) -> str:
    """Return the interval of an effect."""
    return span(interval, digits(outcome))


# Lists of thousands of words, cut to what a person reads; results.jsonl has all of them.


MOST_NAMED = 60
MOST_DRAWN = 120
"""Words of one list that a strip plot draws, and that a table has: the outermost at both ends."""


def some(words: Sequence[str]) -> str:
    """Return a, b, c, and after the first of very many how many more there are."""
    return join_first(words, MOST_NAMED)


def outermost(words: Sequence[WordScore], most: int = MOST_DRAWN) -> list[WordScore]:
    """Return the words of a list, or of a very long one those at both ends of its scores."""
    if len(words) <= most:
        return list(words)
    ordered = sorted(words, key=lambda word: word.score)
    return ordered[: most // 2] + ordered[-(most - most // 2) :]


def about_the_rest(x: Sequence[WordScore], y: Sequence[WordScore]) -> str:
    """Return how many words of two lists are not shown; nothing if all are."""
    rest = [
        f"{format_count(len(words) - MOST_DRAWN)} of {format_count(len(words))}"
        for words in (x, y)
        if len(words) > MOST_DRAWN
    ]
    if not rest:
        return ""
    return (
        f"Of a long list the {MOST_DRAWN} words that lean most to either side are shown; "
        f"{' and '.join(rest)} words are not, and stand in results.jsonl."
    )


# Names and sentences as a page shows them; records keep them as they are.


NO_BREAK = "\N{NO-BREAK SPACE}"

_NUMBER = r"[+\-−]?\d[\d.,]*(?:e-?\d+)?"
_JOINED = re.compile(
    rf"(?<!\w)(?:d|p|tau|difference|corrected)(?: =)? {_NUMBER}"
    rf"|\d %(?: {_NUMBER}(?: to {_NUMBER})?)?"
)


def unbroken(sentence: str) -> str:
    """Return a sentence whose figures stay on the line of their names: d +1.11, 95 % 0.5 to 1.7."""
    return _JOINED.sub(lambda found: found[0].replace(" ", NO_BREAK), sentence)


# What the languages of records are called.


NAMES = {"en": "English", "hi": "Hindi", "ru": "Russian"}


def language_name(code: str) -> str:
    """Return English for en; a code without a name here stays a code."""
    return NAMES.get(code, code or "an unknown language")

"""What an effect is called and how it is written: not every effect is an effect size."""

from fairvec.ground.numbers import number, signed
from fairvec.report.words.numbers import span
from fairvec.results import CategoryAnswer, Interval, Outcome, Result, Skipped

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
    return signed(value, digits(outcome))


def plain_effect_of(outcome: Outcome, value: float) -> str:
    """Return an effect without a plus."""
    return number(value, digits(outcome))


def span_of(outcome: Outcome, interval: Interval) -> str:
    """Return the interval of an effect."""
    return span(interval, digits(outcome))

"""Numbers, p-values, lists of names and hints about settings, as people read them."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import Decimal
from math import ceil, floor, isclose, log10
from typing import TypeVar

MINUS = "\N{MINUS SIGN}"
USUAL_LEVEL = 0.05
MOST_DIGITS = 14
"""So many more digits than usual tell any p from a level that it is not equal to."""
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
FROM_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def format_number(value: float, digits: int = 2) -> str:
    """Return 1.23 or −0.40; what rounds to zero has no sign."""
    text = f"{value:,.{digits}f}"
    if not text.strip("-0.,"):
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def format_signed(value: float, digits: int = 2) -> str:
    """Return +1.23 or −0.40, for numbers whose direction is the message."""
    text = format_number(value, digits)
    return text if text.startswith(MINUS) or not text.strip("0.,") else f"+{text}"


def format_signed_digits(value: float) -> str:
    """Return +0.0012, with two telling figures, for numbers that may be small and yet count."""
    return f"{value:+.2g}".replace("-", MINUS) if value else "0"


def format_p(p: float, more: int = 0, *, level: float = USUAL_LEVEL) -> str:
    """Return a probability with one or two telling digits: never 0 unless it is 0, nor 1.

    `more` adds digits; so does a p close to the level, which must not be read on its other side,
    nor as the level itself.
    """
    if p <= 0:
        return "0"
    if p >= 1:
        return "1"
    if p < 1e-6:
        return format_scientific(p, 1 + more)
    if p >= 0.1:
        # As many digits as it takes not to round a p below 1 up to it.
        places = more + max(2, ceil(-log10(1 - p)))
    else:
        beyond_first = more + (1 if p >= 1e-3 else 0)
        # Of the rounded p: 9.99e-6 becomes 1e-5, which is one place less.
        places = beyond_first - int(f"{p:.{beyond_first}e}".partition("e")[2])
    text = f"{p:.{places}f}"
    near = more < MOST_DIGITS and _side(float(text), level) != _side(p, level)
    return format_p(p, more + 1, level=level) if near else text


def _side(p: float, level: float) -> int:
    """Return -1 below the level, 1 above it, and 0 where only rounding tells them apart."""
    return 0 if isclose(p, level, rel_tol=1e-12) else 1 if p > level else -1


def format_p_bounds(low: float, high: float) -> str:
    """Return 0.0312 and 0.0314: two probabilities with the digits that tell them apart."""
    digits = range(12)
    pairs = ((format_p(low, more), format_p(high, more)) for more in digits)
    apart = next((pair for pair in pairs if pair[0] != pair[1]), (format_p(low), format_p(high)))
    return " and ".join(apart)


def format_scientific(value: float, digits: int = 1) -> str:
    """Return 1.8 × 10¹⁸, which does not break at the end of a line."""
    # A whole number may be larger than any float.
    exact = Decimal(value) if isinstance(value, int) else value
    mantissa, exponent = f"{exact:.{digits}e}".split("e")
    return _times_power(mantissa, int(exponent))


def format_power_of_ten(log10: float) -> str:
    """Return 1.8 × 10⁴⁸¹⁴ from its decimal logarithm, where no float can hold the number."""
    exponent = floor(log10)
    mantissa = f"{10 ** (log10 - exponent):.1f}"
    if mantissa.startswith("10"):
        mantissa, exponent = "1.0", exponent + 1
    return _times_power(mantissa, exponent)


def _times_power(mantissa: str, exponent: int) -> str:
    mantissa = mantissa.removesuffix(".0").replace("-", MINUS)
    power = str(exponent).translate(_SUPERSCRIPTS)
    return f"{mantissa}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{power}"


def format_count(count: int) -> str:
    """Return 12,870, and 1.8 × 10¹⁸ where nobody reads the digits."""
    return f"{count:,}" if abs(count) < 10**12 else format_scientific(count)


def format_percent(share: float) -> str:
    """Return 95 %, and 99.5 % where the half counts."""
    return f"{100 * share:.3g} %".replace(" ", "\N{NO-BREAK SPACE}")


def format_percent_floor(share: float) -> str:
    """Return 99% of 0.998: what is not whole is never rounded up to the whole."""
    return f"{floor(100 * share + 1e-9)}%"


def pluralize(count: int, noun: str, plural: str = "") -> str:
    """Return 1 test, 2 tests."""
    return f"{format_count(count)} {noun if count == 1 else plural or noun + 's'}"


# When a p-value is significant.


def is_significant(p: float, alpha: float) -> bool:
    """Say whether a p-value is at most alpha; what only rounding tells apart is equal.

    Every verdict, label and interval asks here, so that they cannot disagree.
    """
    return p <= alpha * (1 + 1e-12)


# Names one after the other in a sentence: all of them, or some and how many more there are.


def join_words(names: Sequence[str], word: str = "and") -> str:
    """Return a, b and c."""
    return f" {word} ".join([", ".join(names[:-1])] * (len(names) > 1) + list(names[-1:]))


def join_first(names: Sequence[str], most: int) -> str:
    """Return a, b, c, and of more than `most` the first and the number of the rest."""
    rest, named = len(names) - most, ", ".join(names[:most])
    return named if rest <= 0 else f"{named} and {rest:,} more"


def join_up_to(names: Sequence[str], most: int) -> str:
    """Return a, b and c as `join_words` does, and of more than `most` what `join_first` does."""
    return join_words(names) if len(names) <= most else join_first(names, most)


# The beginning of a sentence or heading that somebody else's words make.


def capitalize_first(text: str) -> str:
    """Return text with a capital at its beginning, and all else as it is written."""
    return f"{text[:1].upper()}{text[1:]}"


# A setting that helps, said so that a reader in Python and one at the shell can both follow.


def setting_hint(name: str, value: object) -> str:
    """Return a setting and the option of its name: outside='project' (--outside project)."""
    return f"{name}={value!r} (--{name.replace('_', '-')} {value})"


def method_setting_hint(name: str, value: object) -> str:
    """Return a setting of a method and how `--set` says it: moves='all' (--set moves=all)."""
    return f"{name}={value!r} (--set {name}={value})"


def omit_hint(name: str) -> str:
    """Return a setting that is to be left out: vectors= (--vectors)."""
    return f"{name}= (--{name.replace('_', '-')})"


Item = TypeVar("Item")


Key = TypeVar("Key", bound=Hashable)


def group_by(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Return the items by key; keys and items keep the order of their first appearance."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups

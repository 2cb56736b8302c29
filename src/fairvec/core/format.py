"""Numbers, p-values, counts, lists of names and hints about settings, as people read them."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import Decimal
from math import ceil, floor, isclose, log10
from typing import TypeVar

MINUS = "\N{MINUS SIGN}"
AT_MOST = "≤ "
USUAL_LEVEL = 0.05
MOST_DIGITS = 14
"""Extra digits after which any p that differs from the level also reads differently."""
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
    """Return +0.0012, with two significant digits, for numbers that may be small and yet matter."""
    return f"{value:+.2g}".replace("-", MINUS) if value else "0"


def format_p(p: float, more: int = 0, *, level: float = USUAL_LEVEL) -> str:
    """Return a probability with one or two significant digits; only 0 reads as 0, only 1 as 1.

    `more` adds digits; so does a p close to the level, which must not be rounded to the level or
    across it.
    """
    if p <= 0:
        return "0"
    if p >= 1:
        return "1"
    if p < 1e-6:
        return format_scientific(p, 1 + more)
    if p >= 0.1:
        # Enough digits that a p below 1 is not rounded up to 1.
        places = more + max(2, ceil(-log10(1 - p)))
    else:
        beyond_first = more + (1 if p >= 1e-3 else 0)
        # The exponent of the rounded p: 9.99e-6 becomes 1e-5, which needs one place less.
        places = beyond_first - int(f"{p:.{beyond_first}e}".partition("e")[2])
    text = f"{p:.{places}f}"
    near = more < MOST_DIGITS and _side(float(text), level) != _side(p, level)
    return format_p(p, more + 1, level=level) if near else text


def format_p_bound(p: float, at_most: bool, *, level: float = USUAL_LEVEL) -> str:
    """Return 0.031, or ≤ 0.00001 of a p that is known to be at most that."""
    return f"{AT_MOST if at_most else ''}{format_p(p, level=level)}"


def format_p_relation(p: float, at_most: bool, *, level: float = USUAL_LEVEL) -> str:
    """Return = 0.031, or ≤ 0.00001, to stand behind the name of a p."""
    return f"{AT_MOST if at_most else '= '}{format_p(p, level=level)}"


def _side(p: float, level: float) -> int:
    """Return -1 below the level, 1 above it, and 0 where they are equal up to rounding."""
    return 0 if isclose(p, level, rel_tol=1e-12) else 1 if p > level else -1


def is_significant(p: float, alpha: float) -> bool:
    """Return whether a p-value is at most alpha, up to rounding.

    Every verdict, label and interval decides by this function, so that they cannot disagree.
    """
    return p <= alpha * (1 + 1e-12)


def format_p_bounds(low: float, high: float) -> str:
    """Return "0.0312 and 0.0314": two probabilities with enough digits to differ."""
    digits = range(12)
    pairs = ((format_p(low, more), format_p(high, more)) for more in digits)
    apart = next((pair for pair in pairs if pair[0] != pair[1]), (format_p(low), format_p(high)))
    return " and ".join(apart)


def format_scientific(value: float, digits: int = 1) -> str:
    """Return 1.8 × 10¹⁸, without a line break in it."""
    # An int may be larger than any float.
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
    """Return 12,870, and from 10¹² on 1.8 × 10¹⁸."""
    return f"{count:,}" if abs(count) < 10**12 else format_scientific(count)


def format_duration(seconds: float) -> str:
    """Return a time as text: 40 s, 3 min 20 s, 2 h 5 min."""
    total = round(seconds)
    if total < 60:
        return f"{total} s"
    if total < 3600:
        return f"{total // 60} min {total % 60} s"
    return f"{total // 3600} h {total % 3600 // 60} min"


def format_percent(share: float) -> str:
    """Return 95 % or 99.5 %: three significant digits at most; 1,234 % in whole per cent."""
    shown = f"{100 * share:.3g}" if abs(100 * share) < 999.5 else f"{100 * share:,.0f}"
    return f"{shown}\N{NO-BREAK SPACE}%"


def format_percent_floor(share: float) -> str:
    """Return 99% of 0.998: rounded down, so that only a full share reads as 100%."""
    return f"{floor(100 * share + 1e-9)}%"


def pluralize(count: int, noun: str, plural: str = "") -> str:
    """Return 1 test, 2 tests."""
    return f"{format_count(count)} {noun if count == 1 else plural or noun + 's'}"


NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def number_word(count: int) -> str:
    """Return five for 5, and 12 for 12: below ten in words."""
    return NUMBER_WORDS[count] if count < len(NUMBER_WORDS) else format_count(count)


def join_words(names: Sequence[str], word: str = "and") -> str:
    """Return a, b and c."""
    return f" {word} ".join([", ".join(names[:-1])] * (len(names) > 1) + list(names[-1:]))


def join_first(names: Sequence[str], most: int) -> str:
    """Return a, b, c, or of more than `most` names the first ones and the number of the rest."""
    rest, named = len(names) - most, ", ".join(names[:most])
    return named if rest <= 0 else f"{named} and {rest:,} more"


def join_up_to(names: Sequence[str], most: int) -> str:
    """Return a, b and c as `join_words` does, or of more than `most` names as `join_first` does."""
    return join_words(names) if len(names) <= most else join_first(names, most)


def capitalize_first(text: str) -> str:
    """Return text with its first letter as a capital and the rest unchanged."""
    return f"{text[:1].upper()}{text[1:]}"


def setting_hint(name: str, value: object) -> str:
    """Return a setting for Python and for the shell: outside='project' (--outside project)."""
    return f"{name}={value!r} (--{name.replace('_', '-')} {value})"


def method_setting_hint(name: str, value: object) -> str:
    """Return a setting of a method for Python and the shell: moves='all' (--set moves=all)."""
    return f"{name}={value!r} (--set {name}={value})"


def omit_hint(name: str) -> str:
    """Return the name of a setting to leave out, for Python and the shell: vectors= (--vectors)."""
    return f"{name}= (--{name.replace('_', '-')})"


Item = TypeVar("Item")


Key = TypeVar("Key", bound=Hashable)


def group_by(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Return the items by key; keys and items keep their order of first appearance."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups

"""A number of words as a paper prints it, exact or rounded."""

import re

_COUNT = re.compile(r"(?P<whole>\d{1,3}(?:,\d{3})*)(?:\.(?P<digits>\d+))?(?P<unit>[kM]?)")
_UNITS = {"": 1, "k": 1_000, "M": 1_000_000}


def is_count(text: str) -> bool:
    """Say whether a text is a number of words, as 189,533 or 30.4k or 0.2M is."""
    return bool(_COUNT.fullmatch(text))


def is_exact(text: str) -> bool:
    """Say whether a text is a number of words to the last one, as 189,533 is and 30.4k is not."""
    printed = _COUNT.fullmatch(text)
    return printed is not None and not (printed["unit"] or printed["digits"])


def is_rounded_to(number: int, text: str) -> bool:
    """Say whether a number is the printed one, within half a unit of its last digit."""
    printed = _COUNT.fullmatch(text)
    if not printed:
        return False
    unit = _UNITS[printed["unit"]]
    digits = printed["digits"] or ""
    value = float(f"{printed['whole'].replace(',', '')}.{digits or 0}") * unit
    return abs(number - value) <= 0.5 * unit * 10.0 ** -len(digits)

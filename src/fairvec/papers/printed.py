"""Numbers as papers print them: counts that are exact or rounded, and figures with a tolerance."""

import re
from dataclasses import dataclass
from math import sqrt

_COUNT = re.compile(r"(?P<whole>\d{1,3}(?:,\d{3})*)(?:\.(?P<digits>\d+))?(?P<unit>[kM]?)")
_UNITS = {"": 1, "k": 1_000, "M": 1_000_000}


def is_count(text: str) -> bool:
    """Return whether a text is a number of words, as 189,533 or 30.4k or 0.2M is."""
    return bool(_COUNT.fullmatch(text))


def is_exact(text: str) -> bool:
    """Return whether a number of words is exact, as 189,533 is and 30.4k is not."""
    printed = _COUNT.fullmatch(text)
    return printed is not None and not (printed["unit"] or printed["digits"])


def rounds_to(number: int, text: str) -> bool:
    """Return whether a number is the printed one, within half a unit of its last digit."""
    printed = _COUNT.fullmatch(text)
    if not printed:
        return False
    unit = _UNITS[printed["unit"]]
    digits = printed["digits"] or ""
    value = float(f"{printed['whole'].replace(',', '')}.{digits or 0}") * unit
    return abs(number - value) <= 0.5 * unit * 10.0 ** -len(digits)


_NUMBER = re.compile(r"-?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.(\d+))?")
_ROUNDING = 1e-9
_STANDARD_ERRORS = 3
"""Standard errors that a sampled p may be away from the exact one."""


@dataclass(frozen=True)
class PrintedFigure:
    """A quantity (d, p, ...) and its text; `value` is None where the text is no number."""

    quantity: str
    text: str
    value: float | None
    decimals: int

    def tolerance(self, ours: float, samples: int | None) -> float:
        """Return how far `ours` may be away: half a unit of the last digit.

        A p that the paper drew with N random splits may also be three standard errors away:

            1/2 10^-decimals + 3 sqrt(p (1 - p) / N)
        """
        half_a_unit = 0.5 * 10.0**-self.decimals + _ROUNDING
        if self.quantity != "p" or samples is None:
            return half_a_unit
        return half_a_unit + _STANDARD_ERRORS * sqrt(ours * (1 - ours) / samples)

    def matches(self, ours: float | str, samples: int | None) -> bool:
        """Return whether `ours` equals the printed word, or the number within its tolerance."""
        if isinstance(ours, str):
            return ours == self.text
        return self.value is not None and abs(ours - self.value) <= self.tolerance(ours, samples)

    def could_match(self, low: float, high: float, samples: int | None) -> bool:
        """Return whether any number from `low` to `high` could match; if not, skip the search."""
        if self.value is None:
            return False
        # The tolerance of a p is widest where p (1 - p) is largest.
        widest = self.tolerance(min(max(low, 0.5), high), samples)
        return low - widest <= self.value <= high + widest


def parse_figures(
    text: str, shows: tuple[str, ...], decimals: dict[str, int]
) -> tuple[PrintedFigure, ...]:
    """Take a printed cell apart: ``1.12 (0.01)`` that shows d and p holds two figures.

    `decimals` names the digits of a quantity whose trailing zeros are not printed (0.0 for 0.0000).
    """
    parts = [text] if len(shows) == 1 else text.replace("(", " ").replace(")", " ").split()
    if len(parts) != len(shows):
        raise ValueError(f"holds {text!r}, which should be {' and '.join(shows)}")
    return tuple(
        _figure(quantity, part, decimals.get(quantity, 0))
        for quantity, part in zip(shows, parts, strict=True)
    )


def _figure(quantity: str, text: str, least_decimals: int) -> PrintedFigure:
    number = _NUMBER.fullmatch(text)
    if not number:
        return PrintedFigure(quantity, text, None, 0)
    value = float(text.replace(",", ""))
    return PrintedFigure(quantity, text, value, max(least_decimals, len(number[1] or "")))

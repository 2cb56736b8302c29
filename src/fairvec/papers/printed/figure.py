"""One figure as a paper prints it, and how far a number may be from it and still be it."""

import re
from dataclasses import dataclass
from math import sqrt

_NUMBER = re.compile(r"-?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.(\d+))?")
_ROUNDING = 1e-9
_SURE = 3
"""Standard errors that a sampled p may be away from the exact one."""


@dataclass(frozen=True)
class PaperFigure:
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
        return half_a_unit + _SURE * sqrt(ours * (1 - ours) / samples)

    def is_matched_by(self, ours: float | str, samples: int | None) -> bool:
        """Say whether `ours` is the printed word, or number, as far as its digits tell."""
        if isinstance(ours, str):
            return ours == self.text
        return self.value is not None and abs(ours - self.value) <= self.tolerance(ours, samples)

    def may_be_between(self, low: float, high: float, samples: int | None) -> bool:
        """Say whether any number from `low` to `high` could match; if not, none need be sought."""
        if self.value is None:
            return False
        # The tolerance of a p is widest where p (1 - p) is largest.
        widest = self.tolerance(min(max(low, 0.5), high), samples)
        return low - widest <= self.value <= high + widest


def printed_figures(
    text: str, shows: tuple[str, ...], decimals: dict[str, int]
) -> tuple[PaperFigure, ...]:
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


def _figure(quantity: str, text: str, least_decimals: int) -> PaperFigure:
    number = _NUMBER.fullmatch(text)
    if not number:
        return PaperFigure(quantity, text, None, 0)
    value = float(text.replace(",", ""))
    return PaperFigure(quantity, text, value, max(least_decimals, len(number[1] or "")))

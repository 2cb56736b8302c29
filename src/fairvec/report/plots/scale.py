"""From values to places on a horizontal axis."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

from fairvec.ground.numbers import number

FARTHEST = 1e100
"""What lies beyond sits at an end: no figure is so large, and spans of such ones are endless."""


@dataclass(frozen=True)
class Scale:
    """An axis from `low` to `high` with a tick at every multiple of `step`."""

    low: float
    high: float
    step: float

    def at(self, value: float) -> float:
        """Return where `value` lies, in percent of the width; what lies outside sits at the end."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 2)

    @property
    def ticks(self) -> list[float]:
        """The multiples of the step from low to high."""
        first, last = ceil(self.low / self.step - 1e-9), floor(self.high / self.step + 1e-9)
        return [multiple * self.step for multiple in range(first, last + 1)]

    def label(self, tick: float) -> str:
        """Return the tick as text, with the digits that its step needs."""
        return number(tick, max(0, -floor(log10(self.step) + 1e-9)))


def scale_of(values: Iterable[float], *, ticks: int = 4, whole_steps: bool = True) -> Scale:
    """Return a scale that holds all values, with about `ticks` steps of 1, 2 or 5 times 10^k.

    With `whole_steps` it begins and ends at ticks; otherwise at a small margin round the values.
    """
    shown = [min(max(value, -FARTHEST), FARTHEST) for value in values] or [0.0]
    low, high = min(shown), max(shown)
    size = max(abs(low), abs(high))
    if high - low < 1e-12 * max(1, size):
        around = max(0.5, size / 1000)  # of a large number a half is lost
        low, high = low - around, high + around
    rough = (high - low) / ticks
    power = 10.0 ** floor(log10(rough))
    step = next(nice * power for nice in (1, 2, 5, 10) if nice * power >= rough * (1 - 1e-9))
    if whole_steps:
        return Scale(floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, step)
    if high - low < 2 * step:  # that could leave a single tick; it is 5 times a power
        step = 2 * power
    margin = 0.04 * (high - low)
    return Scale(low - margin, high + margin, step)

"""The few words of SVG that the plots need, and their axes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import asinh, ceil, floor, log10

from markupsafe import Markup, escape

from fairvec.core.format import format_number
from fairvec.results.frontier import NOTHING


def element(name: str, *children: str, **attributes: str | float) -> Markup:
    """Return one SVG element, its attributes escaped and empty ones left out.

    Children are SVG already, or escaped text; `class_` stands for class and `x_y` for x-y.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_short(value))}"'
        for key, value in attributes.items()
        if value != ""
    )
    inside = Markup("").join(children)
    return Markup(f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>")  # noqa: S704  (all parts are escaped above)


def percent(place: float) -> str:
    """Return a horizontal place as SVG writes it."""
    return f"{place:g}%"


def _short(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"


# From values to places on a horizontal axis.


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
        return format_number(tick, max(0, -floor(log10(self.step) + 1e-9)))


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


# An axis for losses: small ones stand apart, and what loses nothing has a lane of its own.


APART = 14.0
"""Ticks are at least so far apart, in percent of the width: on a phone their numbers fit."""

EDGE = 3.0
"""What lies outermost is so far from the edge, in percent of the width."""

SMALLEST_BEND, LARGEST_BEND = 0.0005, 0.02
LEAST_SHOWN = 0.01
"""Of losses that are all smaller the axis still reaches to one in a hundred."""


@dataclass(frozen=True)
class LossScale:
    """An axis from a largest gain over a lane for no loss to a largest loss x, at asinh(x / bend).

    Up to about `bend` it is linear and beyond it logarithmic, so that 0.5 %, 1 % and 2 % are as far
    apart as 5 %, 10 % and 20 %. A gain is a loss below 0 and lies on the other side of the lane,
    which is `lane` percent of the width.
    """

    gain: float
    loss: float
    bend: float
    lane: float

    @cached_property
    def _unit(self) -> float:
        both = asinh(self.gain / self.bend) + asinh(self.loss / self.bend)
        return (100 - 2 * EDGE - self.lane) / both

    @cached_property
    def lane_ends(self) -> tuple[float, float]:
        """Where the lane of those that lose nothing begins and ends, in percent of the width."""
        start = EDGE + self._unit * asinh(self.gain / self.bend)
        return start, start + self.lane

    def at(self, loss: float) -> float:
        """Return where a loss lies, in percent of the width; what lies outside sits at the end."""
        start, end = self.lane_ends
        if abs(loss) <= NOTHING:
            return (start + end) / 2
        way = self._unit * asinh(abs(loss) / self.bend)
        return min(end + way, 100.0) if loss > 0 else max(start - way, 0.0)

    @property
    def ticks(self) -> list[float]:
        """Round losses that stand apart, 0 first of all: powers of ten before fives and twos."""
        chosen: list[float] = []
        for tick in (0.0, *self._round()):
            inside = -self.gain <= tick <= self.loss
            if inside and all(abs(self.at(tick) - self.at(other)) >= APART for other in chosen):
                chosen.append(tick)
        return sorted(chosen)

    def label(self, tick: float) -> str:
        """Return the tick as text; a gain has a plus."""
        return f"{'+' if tick < 0 else ''}{100 * abs(tick):.3g} %" if tick else "0"

    def _round(self) -> Iterator[float]:
        powers = range(ceil(log10(max(self.gain, self.loss))), floor(log10(self.bend)) - 1, -1)
        for times in (1, 5, 2):
            for power in powers:
                yield from (times * 10.0**power, -times * 10.0**power)


def loss_scale_of(losses: Iterable[float], *, lane: float = 5.0) -> LossScale:
    """Return an axis that holds 0 and all losses, bent where the smallest of them lies."""
    shown = [loss for loss in losses if abs(loss) > NOTHING]
    bend = min(map(abs, shown), default=LARGEST_BEND)
    return LossScale(
        gain=max(0.0, -min(shown, default=0.0)),
        loss=max(LEAST_SHOWN, *shown, 0.0),
        bend=min(max(bend, SMALLEST_BEND), LARGEST_BEND),
        lane=lane,
    )

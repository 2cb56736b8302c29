"""An axis for losses: small ones stand apart, and what loses nothing has a lane of its own."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import asinh, ceil, floor, log10

NOTHING = 1e-9
"""A smaller loss is the rounding of a mean: nothing was lost."""

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

"""Effects of cells as one balanced table; what has to be left out for that is said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.results import CellEffect, CellPlace
from fairvec.stats.arrays import FloatArray

FACTORS = ("corpus", "model", "window", "dim")
AXES = (*FACTORS, "seed")
FEWEST_SEEDS = 2


@dataclass(frozen=True, eq=False)
class WholeTable:
    """One effect in every cell: an axis for each factor and one for seeds, with their levels."""

    values: FloatArray
    levels: dict[str, tuple[str, ...]]
    effects: tuple[CellEffect, ...]
    left_out: str


def whole_table(
    places: Sequence[CellPlace], found: Mapping[CellPlace, CellEffect]
) -> WholeTable | str:
    """Return the table of a test, or one sentence that says why there is none.

    Where cells are missing, the one level (of a factor, or seed) that all of them share is left
    out, that of fewest cells if there are several; where no level holds them all, or too little
    would be left, the test is refused. Nothing is ever filled in.
    """
    levels = {axis: tuple(dict.fromkeys(p.level(axis) for p in places)) for axis in AXES}
    missing = [place for place in places if place not in found]
    said = ""
    if missing:
        choice = _droppable(levels, missing)
        if choice is None:
            return (
                f"{_some(missing)} without an effect, and no single level holds all of these cells "
                "that could be left out; see why they failed, and run the study again."
            )
        axis, level = choice
        levels[axis] = tuple(one for one in levels[axis] if one != level)
        said = f"{axis} {level} is left out: {_some(missing)} without an effect."
    kept = [p for p in places if all(p.level(axis) in levels[axis] for axis in AXES)]
    values = np.zeros([len(levels[axis]) for axis in AXES])
    for place in kept:
        at = tuple(levels[axis].index(place.level(axis)) for axis in AXES)
        values[at] = found[place].effect
    return WholeTable(values, levels, tuple(found[place] for place in kept), said)


def _droppable(
    levels: Mapping[str, Sequence[str]], missing: Sequence[CellPlace]
) -> tuple[str, str] | None:
    """Return the axis and level whose loss costs least; None if nothing useful would be left."""
    choices = []
    for axis in AXES:
        shared = {place.level(axis) for place in missing}
        left = len(levels[axis]) - 1
        if len(shared) > 1 or left < (FEWEST_SEEDS if axis == "seed" else 1):
            continue
        counts = {name: left if name == axis else len(levels[name]) for name in FACTORS}
        if max(counts.values()) > 1:
            choices.append((1 / len(levels[axis]), axis, shared.pop()))
    return min(choices)[1:] if choices else None


def _some(missing: Sequence[CellPlace]) -> str:
    first = f"the cell ({missing[0]})"
    if len(missing) == 1:
        return f"{first} is"
    return f"{first} and {len(missing) - 1} more are"

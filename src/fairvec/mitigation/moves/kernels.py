"""The compiled loop that projects many rows; importing this file imports numba.

Each row is read once, worked on in float64 and written once, with no array in between. Threads take
blocks in turn, for the loop runs without the interpreter lock.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.geometry import BoolArray, FloatArray
from fairvec.ground.machine.compiled import compiled, in_threads
from fairvec.mitigation.moves.linear_moves import Projection

Rows = NDArray[np.floating[Any]]

ROWS = 4096
"""How many rows a thread takes at a time."""
IN_ANY_ORDER = {"reassoc", "contract"}
"""Sums may be taken in any order, which makes them several times as fast; NaN stays NaN."""
TINY = 1e-250
"""A square that is smaller has lost digits, and so have the numbers that are taken from it."""
FREE, KEPT, UNIT = range(3)
LENGTHS = {"free": FREE, "kept": KEPT, "unit": UNIT}


def project_rows(
    rows: Rows, out: Rows, move: Projection, lengths: str, still: NDArray[np.intp]
) -> list[slice]:
    """Write where a projection moves rows, at the lengths wanted, and return what is left to do.

    Rows at `still` stay, or only change their length. A block ends at a row whose square is too
    large or too small for a float, or which holds NaN or infinity: that row and the rest are not
    written.
    """
    basis, strength = np.ascontiguousarray(move.basis, np.float64), float(move.strength)
    moves = np.ones(len(rows), np.bool_)
    moves[still] = False

    def left(some: slice) -> slice:
        done = _project(rows[some], out[some], basis, strength, LENGTHS[lengths], moves[some])
        return slice(some.start + done, some.stop)

    return [block for block in in_threads(left, len(rows), ROWS) if block.start < block.stop]


@compiled(fastmath=IN_ANY_ORDER)
def _project(
    rows: Rows, out: Rows, basis: FloatArray, strength: float, lengths: int, moves: BoolArray
) -> int:
    """Return how many rows were written before one that cannot be."""
    axes, columns = basis.shape
    left, shares = np.empty(columns), np.empty(axes)
    for number in range(len(rows)):
        row, target = rows[number], out[number]
        before = 0.0
        for column in range(columns):
            value = np.float64(row[column])
            left[column] = value
            before += value * value
        if not np.isfinite(before) or (before < TINY and row.any()):
            return number
        if moves[number]:
            for axis in range(axes):
                along = 0.0
                for column in range(columns):
                    along += left[column] * basis[axis, column]
                shares[axis] = strength * along
            for axis in range(axes):
                for column in range(columns):
                    left[column] -= shares[axis] * basis[axis, column]
        factor = 1.0
        if lengths == UNIT or (lengths == KEPT and moves[number]):
            now = 0.0
            for column in range(columns):
                now += left[column] * left[column]
            wanted = before if lengths == KEPT else 1.0
            # A row of which only rounding is left becomes zero, as in tangent.at_lengths.
            factor = np.sqrt(wanted / now) if now > 1e-24 * before else 0.0
        for column in range(columns):
            target[column] = factor * left[column]
    return len(rows)

"""The compiled loops of projection and of PGD; importing this file imports numba.

Each row is read once, worked on in float64 and written once, with no array in between. Threads take
blocks in turn, since the loops run without the interpreter lock.
"""

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.core.jit import jit, map_blocks
from fairvec.geometry import BoolArray, FloatArray
from fairvec.mitigation.methods.pgd import PARALLEL, PgdWeights
from fairvec.mitigation.moves import Projection

Rows = NDArray[np.floating[Any]]

ROWS = 4096
"""How many rows a thread takes at a time."""
IN_ANY_ORDER = {"reassoc", "contract"}
"""Sums may be taken in any order, which makes them several times as fast; NaN stays NaN."""
TINY = 1e-250
"""A square that is smaller has lost digits, and so have the numbers that are taken from it."""
MARGIN = 1e-5
"""How far inside the border, in shares of the radius, Adam keeps a point."""
FREE, KEPT, UNIT = range(3)
LENGTHS = {"free": FREE, "kept": KEPT, "unit": UNIT}


def project_rows(
    rows: Rows, out: Rows, move: Projection, lengths: str, fixed: NDArray[np.intp]
) -> list[slice]:
    """Write where a projection moves rows, at these lengths, and return the slices left to do.

    Rows at `fixed` stay, or only change their length. A block ends at a row whose square is too
    large or too small for a float, or which holds NaN or infinity: that row and the rest are not
    written.
    """
    basis, strength = np.ascontiguousarray(move.basis, np.float64), float(move.strength)
    moves = np.ones(len(rows), np.bool_)
    moves[fixed] = False

    def unfinished(block: slice) -> slice:
        written = _project(rows[block], out[block], basis, strength, LENGTHS[lengths], moves[block])
        return slice(block.start + written, block.stop)

    return [rest for rest in map_blocks(unfinished, len(rows), ROWS) if rest.start < rest.stop]


@jit(fastmath=IN_ANY_ORDER)
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
            square = 0.0
            for column in range(columns):
                square += left[column] * left[column]
            target_square = before if lengths == KEPT else 1.0
            # A row of which only rounding is left becomes zero, as in moves.at_lengths.
            factor = np.sqrt(target_square / square) if square > 1e-24 * before else 0.0
        for column in range(columns):
            target[column] = factor * left[column]
    return len(rows)


BETAS, EPSILON = (0.9, 0.999), 1e-8
"""The memories of the two moments, and what keeps the first steps finite: Adam's own numbers."""
AT_A_TIME = 1024
"""How many rows a thread takes at a time."""
LANES = 64
"""How many points descend side by side: the processor works on several of them at once."""


def balance_rows(
    rows: Rows,
    out: Rows,
    axis: FloatArray,
    weights: PgdWeights,
    *,
    strength: float,
    fixed: NDArray[np.intp],
    c: float,
) -> list[slice]:
    """Write where PGD moves points at its minimum, in one pass, and return the slices left to do.

    Only directions change, so that points of the ball need no tangent vectors. Rows at `fixed`
    stay. A block ends at a row that is no point of the ball (or, c = 0, of flat space): that row
    and the rest are not written.
    """
    size = float(np.linalg.norm(axis))
    limit = 1 / c if c else np.inf
    numbers = (axis / size, size, *weights, float(strength), limit, PARALLEL * PARALLEL)
    moves = np.ones(len(rows), np.bool_)
    moves[fixed] = False

    def unfinished(block: slice) -> slice:
        written = _balance(rows[block], out[block], moves[block], *numbers)
        return slice(block.start + written, block.stop)

    return [rest for rest in map_blocks(unfinished, len(rows), AT_A_TIME) if rest.start < rest.stop]


@jit(fastmath=IN_ANY_ORDER)
def _balance(
    rows: Rows,
    out: Rows,
    moves: BoolArray,
    axis: FloatArray,
    size: float,
    stay: float,
    balance: float,
    strength: float,
    limit: float,
    narrow: float,
) -> int:
    """Return how many rows were written before one that cannot be (formulas: `pgd.minimum`).

    Rows of which a share of at most `narrow` of the squared length is across the axis stay.
    """
    columns = len(axis)
    for number in range(len(rows)):
        row, target = rows[number], out[number]
        along, square = 0.0, 0.0
        for column in range(columns):
            value = np.float64(row[column])
            along += value * axis[column]
            square += value * value
        if not square < limit or (square < TINY and row.any()):
            return number
        across = 0.0
        for column in range(columns):
            rest = np.float64(row[column]) - along * axis[column]
            across += rest * rest
        own, towards = 1.0, 0.0
        if moves[number] and across > narrow * square:
            length = sqrt(square)
            left = stay * abs(along) - balance * size * length
            own_weight, bias = 1.0, 0.0
            if left > 0:
                own_weight, bias = stay, np.sign(along) * left
            share = strength * length / sqrt(own_weight * own_weight * across + bias * bias)
            own = 1 - strength + share * own_weight
            towards = share * (bias - own_weight * along)
            lean = own * along + towards
            scale = length / sqrt(own * own * across + lean * lean)
            own, towards = scale * own, scale * towards
        after = 0.0
        for column in range(columns):
            target[column] = own * np.float64(row[column]) + towards * axis[column]
            after += np.float64(target[column]) * np.float64(target[column])
        shrink = 2e-7
        while not after < limit:  # narrow floats may round a point at the border onto it
            if not np.isfinite(after) or shrink >= 1:
                return number
            after = 0.0
            for column in range(columns):
                target[column] = np.float64(target[column]) * (1 - shrink)
                after += np.float64(target[column]) * np.float64(target[column])
            shrink *= 2
    return len(rows)


def descend(
    points: FloatArray, size: float, weights: PgdWeights, *, c: float, rate: float, epochs: int
) -> None:
    """Move points (two columns, in place) by Riemannian Adam; `size` is |h|."""
    numbers = (size, *weights, c, rate, epochs, *BETAS, EPSILON, (1 - MARGIN) / sqrt(c))
    map_blocks(lambda some: _descend(points[some], *numbers), len(points), AT_A_TIME)


@jit(fastmath=IN_ANY_ORDER)
def _descend(
    points: FloatArray,
    size: float,
    stay: float,
    balance: float,
    c: float,
    rate: float,
    epochs: int,
    b1: float,
    b2: float,
    eps: float,
    limit: float,
) -> None:
    root_c = sqrt(c)
    home_re, home_im, first_re, first_im = np.empty((4, LANES))
    second, lengths, gaps = np.empty((3, LANES))
    for start in range(0, len(points), LANES):
        x = points[start : start + LANES].T.copy()
        re, im = x[0], x[1]
        for lane in range(len(re)):
            length = sqrt(re[lane] * re[lane] + im[lane] * im[lane])
            lengths[lane], gaps[lane] = length, (1 - root_c * length) * (1 + root_c * length)
            home_re[lane], home_im[lane] = (
                -0.5 * stay / length * re[lane],
                -0.5 * stay / length * im[lane],
            )
            first_re[lane], first_im[lane], second[lane] = 0.0, 0.0, 0.0
        left1, left2 = 1.0, 1.0
        for _ in range(epochs):
            left1, left2 = left1 * b1, left2 * b2
            pace, widen = rate / (1 - left1), 1 / (1 - left2)
            for lane in range(len(re)):
                a, b, gap, per = re[lane], im[lane], gaps[lane], 1 / lengths[lane]
                side = (1.0 if a > 0 else 0.0) - (1.0 if a < 0 else 0.0)
                pull = home_re[lane] + 0.5 * balance * size * side
                # The part of the pull across x; the ball shrinks it by the square of its scale.
                across = (home_im[lane] * a - pull * b) * per * per
                turn = (1 - b1) * across * gap * gap * per / 4
                m_re, m_im = b1 * first_re[lane] - turn * b, b1 * first_im[lane] + turn * a
                v = b2 * second[lane] + (1 - b2) * (across * gap / 2) ** 2
                step = pace / (sqrt(v * widen) + eps)
                y_re, y_im = a - m_re * step, b - m_im * step
                length = sqrt(y_re * y_re + y_im * y_im)
                within = limit / length if length > limit else 1.0
                y_re, y_im, length = within * y_re, within * y_im, within * length
                gap_y = (1 - root_c * length) * (1 + root_c * length)
                p, q = 1 - c * (y_re * a + y_im * b), c * (y_re * b - y_im * a)
                carry = gap_y / (gap * (p * p + q * q))
                u_re, u_im = carry * (p * p - q * q), carry * 2 * p * q
                first_re[lane] = m_re * u_re - m_im * u_im
                first_im[lane] = m_re * u_im + m_im * u_re
                second[lane], lengths[lane], gaps[lane] = v, length, gap_y
                re[lane], im[lane] = y_re, y_im
        points[start : start + LANES] = x.T

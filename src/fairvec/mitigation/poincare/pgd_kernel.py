"""The compiled loops of PGD: its minimum, and Riemannian Adam; importing this file imports numba.

Adam runs in the plane of each word and the axis, whose points are complex numbers: along the axis,
and beside it. Parallel transport is then one multiplication, because gyr[y, -x] is the rotation by
(1 - c y x*) / (1 - c y* x), and only one number of the gradient is not zero: that across x.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from fairvec.geometry import BoolArray, FloatArray
from fairvec.geometry.ball.riemannian_adam import MARGIN
from fairvec.ground.machine.compiled import compiled, in_threads
from fairvec.mitigation.moves.kernels import IN_ANY_ORDER, TINY, Rows
from fairvec.mitigation.poincare.pgd_math import PARALLEL, PgdWeights

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
    still: NDArray[np.intp],
    c: float,
) -> list[slice]:
    """Write where PGD moves points at its minimum, in one pass, and return what is left to do.

    Only directions change, so that points of the ball need no tangent vectors. Rows at `still`
    stay. A block ends at a row that is no point of the ball (or, c = 0, of flat space): that row
    and the rest are not written.
    """
    size = float(np.linalg.norm(axis))
    limit = 1 / c if c else np.inf
    numbers = (axis / size, size, *weights, float(strength), limit)
    moves = np.ones(len(rows), np.bool_)
    moves[still] = False

    def left(some: slice) -> slice:
        done = _balance(rows[some], out[some], moves[some], *numbers)
        return slice(some.start + done, some.stop)

    return [block for block in in_threads(left, len(rows), AT_A_TIME) if block.start < block.stop]


@compiled(fastmath=IN_ANY_ORDER)
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
) -> int:
    """Return how many rows were written before one that cannot be; pgd_math has the formulas."""
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
        beside = 0.0
        for column in range(columns):
            rest = np.float64(row[column]) - along * axis[column]
            beside += rest * rest
        own, towards = 1.0, 0.0
        if moves[number] and beside > PARALLEL * PARALLEL * square:
            length = sqrt(square)
            left = stay * abs(along) - balance * size * length
            kept, bias = 1.0, 0.0
            if left > 0:
                kept, bias = stay, np.sign(along) * left
            share = strength * length / sqrt(kept * kept * beside + bias * bias)
            own = 1 - strength + share * kept
            towards = share * (bias - kept * along)
            lean = own * along + towards
            scale = length / sqrt(own * own * beside + lean * lean)
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
    """Move points (two columns, in place) as geometry.riemannian_adam would; `size` is |h|."""
    numbers = (size, *weights, c, rate, epochs, *BETAS, EPSILON, (1 - MARGIN) / sqrt(c))
    in_threads(lambda some: _descend(points[some], *numbers), len(points), AT_A_TIME)


@compiled(fastmath=IN_ANY_ORDER)
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

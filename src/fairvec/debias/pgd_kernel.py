"""Riemannian Adam on the objective of PGD; importing this file imports numba.

It runs in the plane of each word and the axis, whose points are complex numbers: along the axis,
and beside it. Parallel transport is then one multiplication, because gyr[y, -x] is the rotation by
(1 - c y x*) / (1 - c y* x), and only one number of the gradient is not zero: that across x.
"""

from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from os import cpu_count

from fairvec.debias.kernels import MOST_THREADS, ROWS, compiled
from fairvec.debias.pgd_math import Weights
from fairvec.geometry import FloatArray
from fairvec.geometry.riemannian_adam import MARGIN

BETAS, EPSILON = (0.9, 0.999), 1e-8
"""The memories of the two moments, and what keeps the first steps finite: Adam's own numbers."""


def descend(
    points: FloatArray, size: float, weights: Weights, *, c: float, rate: float, epochs: int
) -> None:
    """Move points (two columns, in place) as geometry.riemannian_adam would; `size` is |h|."""
    numbers = (size, *weights, c, rate, epochs, *BETAS, EPSILON, (1 - MARGIN) / sqrt(c))
    with ThreadPoolExecutor(min(cpu_count() or 1, MOST_THREADS)) as pool:
        starts = range(0, len(points), ROWS)
        list(pool.map(lambda start: _descend(points[start : start + ROWS], *numbers), starts))


@compiled
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
    for row in range(len(points)):
        x = complex(points[row, 0], points[row, 1])
        length = sqrt(x.real * x.real + x.imag * x.imag)
        home = x * (-0.5 * stay / length)
        first, second, left1, left2 = 0j, 0.0, 1.0, 1.0
        gap = (1 - root_c * length) * (1 + root_c * length)
        for _ in range(epochs):
            pull = home
            if x.real > 0:
                pull += 0.5 * balance * size
            elif x.real < 0:
                pull -= 0.5 * balance * size
            # The part of the pull across x; the ball shrinks it by the square of its scale.
            across = (pull.imag * x.real - pull.real * x.imag) / (length * length)
            slope = across * gap * gap / 4
            first = b1 * first + complex(-x.imag, x.real) * ((1 - b1) * slope / length)
            second = b2 * second + (1 - b2) * (across * gap / 2) ** 2
            left1, left2 = left1 * b1, left2 * b2
            step = rate / ((1 - left1) * (sqrt(second / (1 - left2)) + eps))
            y = x - first * step
            length = sqrt(y.real * y.real + y.imag * y.imag)
            if length > limit:
                y, length = y * (limit / length), limit
            gap_y = (1 - root_c * length) * (1 + root_c * length)
            turn = 1 - c * (y * x.conjugate())
            square = turn.real * turn.real + turn.imag * turn.imag
            first *= turn * turn * (gap_y / (gap * square))
            x, gap = y, gap_y
        points[row, 0], points[row, 1] = x.real, x.imag

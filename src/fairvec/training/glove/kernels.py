"""The compiled loops of GloVe and Poincaré GloVe: filling tiles, and training on their pairs."""

from collections.abc import Callable
from math import acosh, sqrt, tanh
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.core.jit import jit
from fairvec.training.models import Glove, PoincareGlove

Array = NDArray[Any]


@jit()
def count_tiles(starts: Array, columns: Array, block_of: Array, blocks: int, sizes: Array) -> None:
    """Count the pairs of each tile."""
    for word in range(len(starts) - 1):
        targets = block_of[word]
        for entry in range(starts[word], starts[word + 1]):
            contexts = block_of[columns[entry]]
            sizes[(contexts - targets) % blocks * blocks + targets] += 1


@jit()
def fill_tiles(
    starts: Array,
    columns: Array,
    counts: Array,
    unit: int,
    block_of: Array,
    slots: Array,
    borders: Array,
    largest: float,
    power: float,
    ends: Array,
    rows: Array,
    others: Array,
    logs: Array,
    weights: Array,
) -> None:
    """Write the pairs of each tile, with log X and f(X)."""
    blocks = len(borders) - 1
    filled = np.zeros(len(ends), np.int64)
    filled[1:] = ends[:-1]
    for word in range(len(starts) - 1):
        targets = block_of[word]
        for entry in range(starts[word], starts[word + 1]):
            other = columns[entry]
            contexts = block_of[other]
            tile = (contexts - targets) % blocks * blocks + targets
            place = filled[tile]
            filled[tile] += 1
            count = counts[entry] / unit
            rows[place] = slots[word] - borders[targets]
            others[place] = slots[other] - borders[contexts]
            logs[place] = np.log(count)
            weights[place] = min(1.0, (count / largest) ** power)


@jit()
def shuffle_tiles(
    ends: Array, seed: int, rows: Array, others: Array, logs: Array, weights: Array
) -> None:
    """Bring the pairs of each tile into a random order (Fisher and Yates; Durstenfeld, 1964)."""
    np.random.seed(seed)
    start = 0
    for end in ends:
        for last in range(end - 1, start, -1):
            one = start + np.random.randint(0, last - start + 1)
            rows[one], rows[last] = rows[last], rows[one]
            others[one], others[last] = others[last], others[one]
            logs[one], logs[last] = logs[last], logs[one]
            weights[one], weights[last] = weights[last], weights[one]
        start = end


@jit(check_division=False)
def likeness(squared: bool, coshes: float) -> tuple[float, float]:
    """Return h(d) and dh/d(cosh d) at cosh d: h = cosh^2, or h = d^2."""
    if not squared:
        return coshes * coshes, 2 * coshes
    if coshes - 1 < 1e-9:  # d / sinh d tends to 1
        return 2 * (coshes - 1), 2.0
    distance = acosh(coshes)
    return distance * distance, 2 * distance / sqrt(coshes * coshes - 1)


@jit(check_division=False)
def step(
    own: float, other: float, apart: float, slope: float, rate: float, squares: float
) -> tuple[float, float, float]:
    """Return p and q with x' = p x + q y, and the new sum of squares of the gradients at x.

    `own` is 1 - |x|^2, `other` 1 - |y|^2, `apart` |x - y|^2 and `slope` dJ/d(cosh d). The
    Riemannian gradient, over the root of the sum of the squares of all there were, is followed
    along the geodesic: x' = x (+) tanh(a |g| / 4 ...) in gyrovector addition, the exponential map.
    """
    size, dot = 1 - own, (2 - own - other - apart) / 2
    stretch = 1 + apart / own
    # g = slope 4 / (own other) (stretch x - y), in plain coordinates.
    along = stretch * size - dot
    length = sqrt(max(0.0, stretch * along - stretch * dot + 1 - other))
    steep = slope * 4 / (own * other)
    norm = abs(steep) * length * own / 2
    squares += norm * norm
    if norm == 0:
        return 1.0, 0.0, squares
    reach = tanh(rate * norm / sqrt(squares) / 2) * (-1 if steep > 0 else 1)
    across = reach * along / length
    scale = 1 + 2 * across + size * reach * reach
    p = (1 + 2 * across + reach * reach + own * reach * stretch / length) / scale
    return p, -own * reach / length / scale, squares


@jit(fastmath={"reassoc", "contract", "nsz"}, check_division=False)
def train_ball_tiles(
    tiles: Array,
    ends: Array,
    borders: Array,
    rows: Array,
    columns: Array,
    logs: Array,
    weights: Array,
    targets: Array,
    contexts: Array,
    target_biases: Array,
    context_biases: Array,
    target_squares: Array,
    context_squares: Array,
    losses: Array,
    balls: int,
    size: int,
    squared: bool,
    rate: float,
    room: float,
) -> None:
    """Go once through the pairs of some tiles; their losses are written, tile by tile.

    J = f(X) (b + b' - sum over the balls of h(d) - log X)^2 / 2, with Riemannian AdaGrad: each ball
    of a vector, and each bias, has a sum of squares of its own.
    """
    slopes, aparts = np.empty(balls), np.empty(balls)
    owns, others = np.empty(balls), np.empty(balls)
    blocks = len(borders) - 1
    for tile in tiles:
        first = ends[tile - 1] if tile else 0
        own = borders[tile % blocks]
        other = borders[(tile % blocks + tile // blocks) % blocks]
        loss = 0.0
        for pair in range(first, ends[tile]):
            i, j = own + rows[pair], other + columns[pair]
            x, y, xs, ys = targets[i], contexts[j], target_squares[i], context_squares[j]
            error = target_biases[i] + context_biases[j] - logs[pair]
            for ball in range(balls):
                p, q, s = 0.0, 0.0, 0.0
                for k in range(ball * size, (ball + 1) * size):
                    p += x[k] * x[k]
                    q += y[k] * y[k]
                    s += (x[k] - y[k]) * (x[k] - y[k])
                owns[ball], others[ball], aparts[ball] = 1 - p, 1 - q, s
                alike, slopes[ball] = likeness(squared, 1 + 2 * s / ((1 - p) * (1 - q)))
                error -= alike
            weighted = weights[pair] * error
            loss += weighted * error
            for ball in range(balls):
                slope = -weighted * slopes[ball]
                a, b, s = owns[ball], others[ball], aparts[ball]
                px, qx, xs[ball] = step(a, b, s, slope, rate, xs[ball])
                py, qy, ys[ball] = step(b, a, s, slope, rate, ys[ball])
                new_x, new_y = 0.0, 0.0
                for k in range(ball * size, (ball + 1) * size):
                    before = x[k]
                    x[k] = px * before + qx * y[k]
                    y[k] = py * y[k] + qy * before
                    new_x += x[k] * x[k]
                    new_y += y[k] * y[k]
                if new_x > 1 - room:
                    x[ball * size : (ball + 1) * size] *= sqrt((1 - room) / new_x)
                if new_y > 1 - room:
                    y[ball * size : (ball + 1) * size] *= sqrt((1 - room) / new_y)
            xs[balls] += weighted * weighted
            ys[balls] += weighted * weighted
            if weighted != 0:
                target_biases[i] -= rate * weighted / sqrt(xs[balls])
                context_biases[j] -= rate * weighted / sqrt(ys[balls])
        losses[tile] = loss


@jit(fastmath=True, check_division=False)
def train_flat_tiles(
    tiles: Array,
    ends: Array,
    borders: Array,
    rows: Array,
    columns: Array,
    logs: Array,
    weights: Array,
    targets: Array,
    contexts: Array,
    target_squares: Array,
    context_squares: Array,
    losses: Array,
    size: int,
    rate: float,
) -> None:
    """Go once through the pairs of some tiles; their losses are written, tile by tile.

    J = f(X) (w.c + b + b' - log X)^2 / 2 with AdaGrad, as in the published program: each number g
    of the gradient, times the rate, is divided by the root of 1 + the sum of the squares of those
    before it. The last of the `size` columns is the bias.
    """
    bias = size - 1
    pace = np.float32(rate)
    blocks = len(borders) - 1
    for tile in tiles:
        first = ends[tile - 1] if tile else 0
        own = borders[tile % blocks]
        other = borders[(tile % blocks + tile // blocks) % blocks]
        loss = 0.0
        for pair in range(first, ends[tile]):
            w, c = targets[own + rows[pair]], contexts[other + columns[pair]]
            ws, cs = target_squares[own + rows[pair]], context_squares[other + columns[pair]]
            error = w[bias] + c[bias] - logs[pair]
            for k in range(bias):
                error += w[k] * c[k]
            weighted = weights[pair] * error
            loss += weighted * error
            weighted *= pace
            for k in range(bias):
                down, across = weighted * c[k], weighted * w[k]
                w[k] -= down / np.sqrt(ws[k])
                c[k] -= across / np.sqrt(cs[k])
                ws[k] += down * down
                cs[k] += across * across
            w[bias] -= weighted / np.sqrt(ws[bias])
            c[bias] -= weighted / np.sqrt(cs[bias])
            ws[bias] += weighted * weighted
            cs[bias] += weighted * weighted
        losses[tile] = loss


TILE_KERNELS: dict[str, Callable[..., None]] = {
    Glove.name: train_flat_tiles,
    PoincareGlove.name: train_ball_tiles,
}
"""Which kernel trains which model: it takes tiles, arrays of pairs, state, losses, settings."""

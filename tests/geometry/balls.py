"""Points of the ball, and its textbook formulas in arbitrary precision."""

from collections.abc import Sequence

import mpmath
import numpy as np

from fairvec.geometry import FloatArray

Exact = list[mpmath.mpf]


def points(
    n: int, d: int, *, c: float = 1.0, near: float = 0, far: float = 2, seed: int = 0
) -> FloatArray:
    """Random directions, at distances between `near` and `far` (times 1/sqrt c) from the origin."""
    generator = np.random.default_rng(seed)
    rows = generator.normal(size=(n, d))
    reach = np.tanh(generator.uniform(near, far, (n, 1)) / 2) / np.sqrt(c)
    return np.asarray(rows * reach / np.linalg.norm(rows, axis=1, keepdims=True))


def exact(row: Sequence[float]) -> Exact:
    return [mpmath.mpf(float(number)) for number in row]


def dot(x: Exact, y: Exact) -> mpmath.mpf:
    return mpmath.fsum(a * b for a, b in zip(x, y, strict=True))


def times(r: mpmath.mpf, x: Exact) -> Exact:
    return [r * a for a in x]


def added(x: Exact, y: Exact, c: mpmath.mpf) -> Exact:
    xy, xx, yy = dot(x, y), dot(x, x), dot(y, y)
    below = 1 + 2 * c * xy + c**2 * xx * yy
    first, second = (1 + 2 * c * xy + c * yy) / below, (1 - c * xx) / below
    return [first * a + second * b for a, b in zip(x, y, strict=True)]


def gyrated(u: Exact, v: Exact, w: Exact, c: mpmath.mpf) -> Exact:
    """The definition, which needs a short w; gyrations are linear, so it is shortened first."""
    short = mpmath.mpf(10) ** -5 / mpmath.sqrt(dot(w, w))
    inner = added(u, added(v, times(short, w), c), c)
    return times(1 / short, added(times(-1, added(u, v, c)), inner, c))


def factor(x: Exact, c: mpmath.mpf) -> mpmath.mpf:
    return 2 / (1 - c * dot(x, x))


def exponential(x: Exact, v: Exact, c: mpmath.mpf) -> Exact:
    length = mpmath.sqrt(c * dot(v, v))
    return added(x, times(mpmath.tanh(factor(x, c) * length / 2) / length, v), c)


def logarithm(x: Exact, y: Exact, c: mpmath.mpf) -> Exact:
    way = added(times(-1, x), y, c)
    length = mpmath.sqrt(c * dot(way, way))
    return times(2 / factor(x, c) * mpmath.atanh(length) / length, way)


def transported(x: Exact, y: Exact, v: Exact, c: mpmath.mpf) -> Exact:
    return times(factor(x, c) / factor(y, c), gyrated(y, times(-1, x), v, c))

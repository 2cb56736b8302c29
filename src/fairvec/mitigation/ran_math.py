"""Repulsion, attraction and neutralisation as pure functions, solved exactly and many at a time.

For a unit vector w, m neighbours n_i, a direction g and weights r, a, s that unit vector x is
sought which minimises

    F(x) = r mean_i |n_i.x| + a (1 - w.x)/2 + s |g.x|

F less its constant a/2 grows in proportion to |x|, so that the sphere may be filled to the ball;
there the problem is convex, and its dual is a least-squares problem between bounds:

    minimise |y|,   y = (a/2) w - (r/m) sum_i t_i n_i - u s g,   t_i and u from [-1, 1]

Then x = y/|y|, and F(x) - a/2 + |y|, which is never negative, bounds how far x is from the best.
Mostly all t_i are 1: a word is pushed away from the mean of its neighbours, and g is taken out.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairvec.geometry import FloatArray

TOLERANCE = 1e-9
SWEEPS = 1000
"""After how many rounds over all neighbours a word is left as it is; two or three are usual."""


@dataclass(frozen=True)
class RanWeights:
    """What repulsion, attraction and neutralisation count: r, a and s."""

    repulsion: float
    attraction: float
    neutralisation: float


@dataclass(frozen=True, eq=False)
class Solved:
    """The minimisers x, one row a word, and by how much each F(x) may exceed its minimum.

    Words that are not `held` are pushed harder than attraction holds them (y = 0): their row is w.
    """

    rows: FloatArray
    gaps: FloatArray
    held: NDArray[np.bool_]


def forces(
    neighbours: FloatArray, repelled: NDArray[np.bool_], g: FloatArray, weights: RanWeights
) -> FloatArray:
    """Return (r/m) n_i of each word's repelled neighbours (others count 0), and s g at the end.

    `neighbours` has a matrix of unit vectors a word.
    """
    shares = weights.repulsion / np.maximum(repelled.sum(axis=1, keepdims=True), 1) * repelled
    along = np.broadcast_to(weights.neutralisation * g, (len(neighbours), 1, len(g)))
    return np.concatenate([neighbours * shares[..., None], along], axis=1)


def objective(
    x: FloatArray, words: FloatArray, pushes: FloatArray, attraction: float
) -> FloatArray:
    """Return F(x) for unit vectors x, the words w and their forces."""
    alike = np.einsum("wd,wd->w", words, x)
    values: FloatArray = attraction * (1 - alike) / 2 + np.abs(_along(pushes, x)).sum(axis=1)
    return values


def solved(words: FloatArray, pushes: FloatArray, attraction: float) -> Solved:
    """Return the minimisers of F for the same words, by descent along one bound after the other."""
    # Starting where every neighbour pushes with all its might, most words are solved at once.
    bounds = np.sign(_along(pushes, words))
    bounds[:, -1] = 0
    y = attraction / 2 * words - np.einsum("wn,wnd->wd", bounds, pushes)
    _turn(y, bounds, pushes, -1)
    gaps = _gaps(y, words, pushes, attraction)
    for _ in range(SWEEPS):
        (open_,) = (gaps > TOLERANCE).nonzero()
        if not len(open_):
            break
        some, at, against = y[open_], bounds[open_], pushes[open_]
        for column in range(pushes.shape[1]):
            _turn(some, at, against, column)
        y[open_], bounds[open_] = some, at
        gaps[open_] = _gaps(some, words[open_], against, attraction)
    lengths = np.linalg.norm(y, axis=1)
    held = lengths > TOLERANCE
    rows = np.where(held[:, None], y / np.where(held, lengths, 1)[:, None], words)
    return Solved(rows, gaps, held)


def _turn(y: FloatArray, bounds: FloatArray, pushes: FloatArray, column: int) -> None:
    """Set one bound of each word to its best value, in place."""
    push, now = pushes[:, column], bounds[:, column]
    square = np.einsum("wd,wd->w", push, push)
    step = np.divide(
        np.einsum("wd,wd->w", push, y), square, out=np.zeros_like(square), where=square > 0
    )
    best = np.clip(now + step, -1, 1)
    y -= (best - now)[:, None] * push
    bounds[:, column] = best


def _gaps(y: FloatArray, words: FloatArray, pushes: FloatArray, attraction: float) -> FloatArray:
    lengths = np.linalg.norm(y, axis=1)
    x = y / np.maximum(lengths, TOLERANCE)[:, None]
    gaps: FloatArray = objective(x, words, pushes, attraction) - attraction / 2 + lengths
    return gaps


def _along(pushes: FloatArray, x: FloatArray) -> FloatArray:
    found: FloatArray = np.matmul(pushes, x[:, :, None])[..., 0]
    return found

"""The objective of Poincaré Gender Debias and its minimum, in the plane of each word and h.

Both terms look only at the direction u of the debiased point, and no more than its angles with the
word's own direction a and with h matter, so everything happens in span(a, h):

    F(u) = l1 (1 - u.a) / 2 + l2 |u.h| / 2,    h = g_mf/|g_mf| - g_fm/|g_fm|

l1 holds the word where it is, l2 takes its gyrocosine bias u.h / 2 away. Kumar et al. (2020),
arXiv:2109.13767, section 3.2.
"""

from typing import NamedTuple

import numpy as np

from fairvec.geometry import BoolArray, FloatArray
from fairvec.geometry.sizes import lengths as lengths_of
from fairvec.geometry.sizes import sized, unit, unit_vector

PARALLEL = 1e-12
"""A word whose share beside h is smaller than this (relative to its length) has no way to turn."""


class PgdWeights(NamedTuple):
    """What staying and what being neutral are worth: l1 and l2 of the paper."""

    stay: float
    balance: float


class PairPlane(NamedTuple):
    """Points in coordinates along h and beside it, and the unit vectors beside it, one a row."""

    along: FloatArray
    beside: FloatArray
    axes: FloatArray

    @property
    def points(self) -> FloatArray:
        """The points as rows of two numbers."""
        return np.column_stack([self.along, self.beside])


def plane(points: FloatArray, h: FloatArray) -> PairPlane:
    """Return points in the plane that each spans with h; `axes` is zero where it spans none."""
    axis = unit_vector(h)
    along = points @ axis
    rest = points - along[:, None] * axis
    # Once more: what the first subtraction rounds away would be left as bias.
    rest -= (rest @ axis)[:, None] * axis
    beside = lengths_of(rest)
    usable = beside > PARALLEL * lengths_of(points)
    axes = np.divide(rest, beside[:, None], where=usable[:, None], out=np.zeros_like(rest))
    return PairPlane(along, beside, axes)


def out_of_plane(points: FloatArray, h: FloatArray, axes: FloatArray) -> FloatArray:
    """Return points given along h and along the axes beside it."""
    axis = unit_vector(h)
    whole: FloatArray = points[:, :1] * axis + points[:, 1:] * axes
    return whole


def without_direction(points: FloatArray, h: FloatArray) -> BoolArray:
    """Say which points are the origin or parallel to h: they cannot be turned away from it."""
    return np.asarray(~plane(points, h).axes.any(axis=1))


def minimum(points: FloatArray, h: FloatArray, weights: PgdWeights) -> FloatArray:
    """Return the points of the same lengths that minimise F, in one pass.

    u ~ a - (a.h) h/|h|^2               if l1 |a.h| <= l2 |h|^2   (no bias is left)
    u ~ l1 a - l2 sign(a.h) h           otherwise                 (a soft threshold)

    |h| is close to 2, so at equal weights the first line always holds. A point without a direction
    beside h stays.
    """
    spread = plane(points, h)
    lengths = lengths_of(points)
    size = float(np.linalg.norm(h))
    # In units of the word's length, |a.h| = |along| |h|.
    left = weights.stay * np.abs(spread.along) - weights.balance * size * lengths
    along = np.where(left > 0, np.sign(spread.along) * left, 0.0)
    beside = np.where(left > 0, weights.stay * spread.beside, spread.beside)
    turned = np.column_stack([along, beside])
    turned, now = sized(turned)
    turned *= np.divide(
        lengths,
        now,
        where=spread.axes.any(axis=1),
        out=np.zeros_like(lengths),
    )[:, None]
    answer = out_of_plane(turned, h, spread.axes)
    still = ~spread.axes.any(axis=1)
    answer[still] = points[still]
    return answer


def objective(
    after: FloatArray, before: FloatArray, h: FloatArray, weights: PgdWeights
) -> FloatArray:
    """Return F for each row; between 0 and about 1, and l2 |gamma| where nothing was moved."""
    u, a = (unit(rows) for rows in (after, before))
    # 1 - u.a = |u - a|^2 / 2, which keeps its digits where the two are close.
    turned = ((u - a) ** 2).sum(axis=1) / 4
    value: FloatArray = weights.stay * turned + weights.balance * np.abs(u @ h) / 2
    return value

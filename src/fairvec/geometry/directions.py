"""Directions between lists of words, what passes through a direction, and the axis in the ball.

A direction is a unit vector g; one that is taken from two lists points from b to a. Only the
directions of the words count, not their lengths. In the ball a point counts by the direction in
which it is seen from the origin, which is that of its tangent vector there, so that curvature plays
no part.
"""

import numpy as np

from fairvec.core.errors import UndefinedError
from fairvec.geometry.base import FloatArray, Geometry
from fairvec.geometry.norms import norm, normalize, normalize_rows

SMALLEST = 1e-12
"""A length below this share of the vectors it comes from is rounding, not length."""


def mean_difference(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the difference of the mean unit vectors of a and b, as a unit vector.

    Its scalar product with a unit vector w is proportional to the leaning s(w, A, B) of the
    association test by cosine.
    """
    return between_means(normalize_rows(a), normalize_rows(b))


def between_means(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the unit vector from the mean of b to that of a, lengths counting."""
    towards: FloatArray = a.mean(axis=0) - b.mean(axis=0)
    if norm(towards) <= SMALLEST * np.abs([*a, *b]).max():
        raise _no_difference()
    return normalize(towards)


def pairs_pca(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the first principal component of pairs centred at their means.

    Centred at its mean, a pair of unit vectors is (a - b)/2 and (b - a)/2: the component is the
    first right singular vector of the stacked differences. A large component holds what all the
    pairs differ in, and not what sets one pair apart.

    Bolukbasi et al. (2016), arXiv:1607.06520, section 6, step 1; their text speaks of the principal
    components of the differences, their program centres each pair as here.
    """
    return first_component(normalize_rows(a), normalize_rows(b))


def first_component(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the unit vector g with the largest sum of ((a - b).g)^2, pointing from b to a."""
    differences = a - b
    _, strengths, axes = np.linalg.svd(differences, full_matrices=False)
    if strengths[0] <= SMALLEST * np.abs([a, b]).max():
        raise _no_difference()
    if len(strengths) > 1 and strengths[0] - strengths[1] <= SMALLEST * strengths[0]:
        raise UndefinedError(
            "The pairs differ in several directions equally, so none of them comes first; use "
            "more pairs or the direction mean-difference."
        )
    component: FloatArray = axes[0]
    along = float((differences @ component).sum())
    if abs(along) <= SMALLEST * strengths[0]:
        raise UndefinedError(
            "The pairs point both ways equally, so the direction has no sign; check that every "
            "pair has its words in the same order."
        )
    return component if along > 0 else -component


def leading_components(centred: FloatArray, k: int, *, of: FloatArray) -> FloatArray:
    """Return the first k right singular vectors of rows that were centred, one row each.

    `of` holds the rows before centring: what is left of them may be nothing but rounding.
    """
    _, strengths, axes = np.linalg.svd(centred, full_matrices=False)
    usable = int((strengths > SMALLEST * np.abs(of).max() * len(centred)).sum())
    if usable < k:
        raise UndefinedError(
            f"The words vary in {usable} direction(s) and {k} are needed; use more words, or fewer "
            "directions."
        )
    leading: FloatArray = axes[:k]
    return leading


def explained_variance_ratio(rows: FloatArray) -> FloatArray:
    """Return the share of each principal component in the rows' sum of squares, largest first.

    s_i^2 / sum_j s_j^2, the s_i being the singular values. Near 1 the first holds all that the rows
    have in common; rows that share nothing have 1 / (number of rows) each. Stacks of matrices are
    taken one by one.

    Of differences of pairs at length one: Bolukbasi et al. (2016), arXiv:1607.06520, section 5.1.
    """
    squares = np.asarray(np.linalg.svd(rows, compute_uv=False), np.float64) ** 2
    total = squares.sum(axis=-1, keepdims=True)
    if not total.all():
        raise _no_difference()
    parts: FloatArray = squares / total
    return parts


def residual_direction(direction: FloatArray, others: FloatArray) -> FloatArray:
    """Return what is left of a direction outside the span of the rows of `others`, at length one.

    d - Q Q^T d, the columns of Q being an orthonormal basis of the span.
    """
    _, strengths, axes = np.linalg.svd(others, full_matrices=False)
    basis = axes[strengths > SMALLEST * strengths[0]]
    # Twice is enough: the second pass takes away what rounding left after the first.
    left = direction - (direction @ basis.T) @ basis
    left = left - (left @ basis.T) @ basis
    return normalize_residual(left, compared_with=direction)


def normalize_residual(direction: FloatArray, *, compared_with: FloatArray) -> FloatArray:
    """Return a direction at length one, unless it is rounding beside what it came from."""
    if norm(direction) <= 1e-9 * norm(compared_with):
        raise UndefinedError(
            "Nothing is left of the direction once the others are taken out of it; keep fewer of "
            "them."
        )
    return normalize(direction)


def _no_difference() -> UndefinedError:
    return UndefinedError(
        "The two lists do not differ, so there is no direction from one to the other; use lists "
        "with different words."
    )


NOTHING_LEFT = 1e-9
"""A word of which a smaller share of its squared length is left without g lies on g.

Rounding of the cosines, about 1e-16, is divided by this share: cos(w', v') is right to about 1e-6.
"""


def beta(alike: FloatArray, word: FloatArray, other: FloatArray) -> FloatArray:
    """Return which share of the likeness of two words w and v passes through the direction g.

    beta(w, v) = (w.v - cos(w', v'))/(w.v)

    for unit vectors, where w' is what is left of w without its part along g; `alike` is w.v, `word`
    w.g and `other` v.g. 0: the likeness does not change without g; 1: there is none without g;
    negative: w and v are more alike without it. A word on g (NOTHING_LEFT) owes g all its likeness:
    1. Words at a right angle or more are not alike, and what is not there is not owed to g: 0,
    where the quotient would turn its sign.
    """
    owed = alike - cosine_without_direction(alike, word, other)
    return np.divide(owed, alike, out=np.zeros_like(owed), where=alike > SMALLEST)


def cosine_without_direction(alike: FloatArray, word: FloatArray, other: FloatArray) -> FloatArray:
    """Return cos(w', v') for the same numbers; of a word on g nothing is left to be alike: 0.

    w'.v' = w.v - (w.g)(v.g) and |w'|^2 = 1 - (w.g)^2, so no vector is needed.
    """
    rest = alike - word * other
    left, left_of_other = 1 - word**2, 1 - other**2
    there = np.minimum(left, left_of_other) > NOTHING_LEFT
    lengths = np.sqrt(np.where(there, left * left_of_other, 1))
    return np.divide(rest, lengths, out=np.zeros_like(rest), where=there)


def gyro_axis(a: FloatArray, b: FloatArray, geometry: Geometry) -> FloatArray:
    """Return h, along which points lean from the centre a of one group to the centre b of another.

    h = g_ab/|g_ab| - g_ba/|g_ba|,   g_ab = -a (+) b,   g_ba = -b (+) a

    Möbius addition does not commute, so there are two gyrovectors between the centres and not
    merely one and its opposite; in flat space they are opposite and |h| = 2. All are taken as
    tangent vectors at the origin, whose directions in a ball are those of the points. The
    gyrocosine bias of a point is gamma(w) = w.h / (2 |w|), w its own tangent vector.

    Kumar et al. (2020), arXiv:2109.13767, section 3.1, with a the male and b the female mean.
    """
    there, back = (geometry.log0(geometry.gyrovector(*ends)) for ends in ((a, b), (b, a)))
    if min(norm(there), norm(back)) <= 1e-12 * max(norm(a), norm(b)):
        raise UndefinedError(
            "The centres of the two lists coincide, so nothing leads from one to the other; use "
            "lists with different words."
        )
    axis: FloatArray = normalize(there) - normalize(back)
    return axis

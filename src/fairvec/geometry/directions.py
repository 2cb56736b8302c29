"""Directions and subspaces that words span, as pure functions of vectors.

A direction is a unit vector g; one that is taken from two lists points from b to a. Only the
directions of the words count, not their lengths. In the ball a point is taken by the direction in
which it is seen from the origin, which is where the tangent space at the origin has it too, so
that curvature plays no part.
"""

import numpy as np

from fairvec.geometry.base import FloatArray
from fairvec.geometry.sizes import in_range, length, unit, unit_vector
from fairvec.ground.errors import UndefinedError

SMALLEST = 1e-12
"""A length below this share of the vectors it comes from is rounding, not length."""


def mean_difference(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the difference of the mean unit vectors of a and b, as a unit vector.

    Its scalar product with a unit vector w is proportional to the leaning s(w, A, B) of the
    association test by cosine.
    """
    return between_means(unit(a), unit(b))


def between_means(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the unit vector from the mean of b to that of a, lengths counting."""
    (a, b), _ = in_range(a, b)
    towards: FloatArray = a.mean(axis=0) - b.mean(axis=0)
    if length(towards) <= SMALLEST * np.abs([*a, *b]).max():
        raise _no_difference()
    return unit_vector(towards)


def pairs_pca(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the first principal component of pairs centred at their means.

    Centred at its mean, a pair of unit vectors is (a - b)/2 and (b - a)/2: the component is the
    first right singular vector of the stacked differences. A large component holds what all the
    pairs differ in, and not what sets one pair apart.

    Bolukbasi et al. (2016), arXiv:1607.06520, section 6, step 1; their text speaks of the principal
    components of the differences, their program centres each pair as here.
    """
    return first_component(unit(a), unit(b))


def first_component(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the unit vector g with the largest sum of ((a - b).g)^2, pointing from b to a."""
    (a, b), _ = in_range(a, b)
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


def leading_axes(centred: FloatArray, k: int, *, of: FloatArray) -> FloatArray:
    """Return the first k right singular vectors of rows that were centred, one row each.

    `of` holds the rows before centring: what is left of them may be nothing but rounding.
    """
    (centred, of), _ = in_range(centred, of)
    _, strengths, axes = np.linalg.svd(centred, full_matrices=False)
    usable = int((strengths > SMALLEST * np.abs(of).max() * len(centred)).sum())
    if usable < k:
        raise UndefinedError(
            f"The words vary in {usable} direction(s) and {k} are needed; use more words, or fewer "
            "directions."
        )
    leading: FloatArray = axes[:k]
    return leading


def shares_of_components(rows: FloatArray) -> FloatArray:
    """Return the share of each principal component in the rows' sum of squares, largest first.

    s_i^2 / sum_j s_j^2, the s_i being the singular values. Near 1 the first holds all that the rows
    have in common; rows that share nothing have 1 / (number of rows) each. Stacks of matrices are
    taken one by one.

    Of differences of pairs at length one: Bolukbasi et al. (2016), arXiv:1607.06520, section 5.1.
    """
    (rows,), _ = in_range(rows)
    squares = np.asarray(np.linalg.svd(rows, compute_uv=False), np.float64) ** 2
    total = squares.sum(axis=-1, keepdims=True)
    if not total.all():
        raise _no_difference()
    parts: FloatArray = squares / total
    return parts


def outside_span(direction: FloatArray, others: FloatArray) -> FloatArray:
    """Return what is left of a direction outside the span of the rows of `others`, at length one.

    d - Q Q^T d, the columns of Q being an orthonormal basis of the span.
    """
    _, strengths, axes = np.linalg.svd(others, full_matrices=False)
    basis = axes[strengths > SMALLEST * strengths[0]]
    # Twice is enough: the second pass takes away what rounding left after the first.
    left = direction - (direction @ basis.T) @ basis
    left = left - (left @ basis.T) @ basis
    return at_length_one(left, compared_with=direction)


def at_length_one(direction: FloatArray, *, compared_with: FloatArray) -> FloatArray:
    """Return a direction at length one, unless it is rounding beside what it came from."""
    if length(direction) <= 1e-9 * length(compared_with):
        raise UndefinedError(
            "Nothing is left of the direction once the others are taken out of it; keep fewer of "
            "them."
        )
    return unit_vector(direction)


def _no_difference() -> UndefinedError:
    return UndefinedError(
        "The two lists do not differ, so there is no direction from one to the other; use lists "
        "with different words."
    )


__all__ = [
    "SMALLEST",
    "at_length_one",
    "between_means",
    "first_component",
    "leading_axes",
    "mean_difference",
    "outside_span",
    "pairs_pca",
    "shares_of_components",
    "unit",
]

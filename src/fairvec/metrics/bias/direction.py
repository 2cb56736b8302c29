"""The direction from one attribute list to the other, as pure functions of vectors.

A direction is a unit vector g that points from b to a. Only the directions of the words count,
not their lengths. In the ball a point is taken by the direction in which it is seen from the
origin, which is where the tangent space at the origin has it too, so that curvature plays no part.
"""

from typing import Literal

import numpy as np

from fairvec.errors import UndefinedError, UnknownNameError
from fairvec.geometry import FloatArray
from fairvec.lexicon import Groups

Direction = Literal["auto", "pairs-pca", "mean-difference"]

SMALLEST = 1e-12
"""A length below this share of the vectors it comes from is rounding, not length."""


def bias_direction(groups: Groups, how: Direction = "auto") -> FloatArray:
    """Return the direction g of a test; `auto` is `pairs-pca` if the test is paired.

    Without pairs there is no difference to take word by word: `auto` is then `mean-difference`.
    """
    match how:
        case "auto" if not groups.test.paired:
            return mean_difference(*attributes(groups))
        case "auto" | "pairs-pca":
            return pairs_pca(*paired_attributes(groups, fewest=2))
        case "mean-difference":
            return mean_difference(*attributes(groups))
    raise UnknownNameError("direction", how, ("auto", "pairs-pca", "mean-difference"))


def attributes(groups: Groups) -> tuple[FloatArray, FloatArray]:
    """Return the vectors of a and b."""
    a, b = groups["a"].vectors, groups["b"].vectors
    if not len(a) or not len(b):
        raise UndefinedError(
            f"No attribute word of the test {groups.test.id} was found on one of its two sides; "
            "use a model that knows these words."
        )
    return a, b


def paired_attributes(groups: Groups, *, fewest: int = 1) -> tuple[FloatArray, FloatArray]:
    """Return the vectors of the complete pairs: row i of a belongs to row i of b."""
    a, b = groups.pairs()
    if len(a.found) < fewest:
        missing = [each.word.word for side in (a, b) for each in side.missing]
        remedy = f"a model that knows {', '.join(missing)}" if missing else "a test with more pairs"
        raise UndefinedError(
            f"Of the {len(a.wordset.words)} pairs of the test {groups.test.id} {len(a.found)} can "
            f"be used and {fewest} must be; use {remedy}, or a direction or measure "
            "without pairs."
        )
    return a.vectors, b.vectors


def mean_difference(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the difference of the mean unit vectors of a and b, as a unit vector.

    Its scalar product with a unit vector w is proportional to the leaning s(w, A, B) of the
    association test by cosine.
    """
    towards: FloatArray = unit(a).mean(axis=0) - unit(b).mean(axis=0)
    length = np.linalg.norm(towards)
    if length <= SMALLEST:
        raise _no_difference()
    return towards / length


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


def unit(vectors: FloatArray) -> FloatArray:
    """Return each row at length one."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    if not lengths.all():
        raise UndefinedError("A vector has length zero and so no direction; leave that word out.")
    units: FloatArray = vectors / lengths
    return units


def _no_difference() -> UndefinedError:
    return UndefinedError(
        "The lists a and b do not differ, so there is no direction from one to the other; use "
        "attribute lists with different words."
    )

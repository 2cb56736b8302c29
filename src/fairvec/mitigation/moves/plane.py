"""A plane between two kinds of words, as pure functions: a linear SVM and how well it does."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.sizes import sized
from fairvec.mitigation.moves.tangent import tangent_blocks

Sides = NDArray[np.bool_]
"""One truth a word: is it of the first kind?"""


@dataclass(frozen=True, eq=False)
class SidePlane:
    """The words w with w.normal + offset = 0; those of the first kind lie above."""

    normal: FloatArray
    offset: float


def plane(units: FloatArray, sides: Sides) -> SidePlane:
    """Return the plane of a linear SVM with C = 1 and squared hinge loss between unit vectors."""
    from sklearn.svm import LinearSVC

    # Solved as it stands, not in its dual: words outnumber columns, and nothing is left to chance.
    fitted = LinearSVC(C=1.0, dual=False).fit(units, sides)
    return SidePlane(np.asarray(fitted.coef_[0], np.float64), float(fitted.intercept_[0]))


def marked_unseen(units: FloatArray, sides: Sides, *, folds: int, seed: int) -> Sides:
    """Return which words lie above a plane that was found without them."""
    from sklearn.model_selection import StratifiedKFold

    above = np.zeros(len(units), np.bool_)
    dealt = StratifiedKFold(folds, shuffle=True, random_state=seed)
    for taught, judged in dealt.split(units, sides):
        found = plane(units[taught], sides[taught])
        above[judged] = units[judged] @ found.normal + found.offset > 0
    return above


def marked_by(found: SidePlane, embedding: Embedding) -> Sides:
    """Return which words of an embedding lie above a plane, by their directions alone.

    w/|w|.normal + offset > 0 is asked without dividing, so that a zero vector has an answer: no.
    """
    answers = [
        rows @ found.normal + found.offset * far > 0
        for rows, far in (sized(rows) for _, rows in tangent_blocks(embedding))
    ]
    return np.concatenate(answers)

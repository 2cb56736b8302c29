"""Which share of the likeness of two words passes through a direction, as pure functions.

Bolukbasi et al. (2016), arXiv:1607.06520, section 5.3.
"""

import numpy as np

from fairvec.geometry.base import FloatArray
from fairvec.geometry.directions import SMALLEST

NOTHING_LEFT = 1e-12
"""A word of which a smaller share of its squared length is left without g lies on g."""


def beta(alike: FloatArray, word: FloatArray, other: FloatArray) -> FloatArray:
    """Return which share of the likeness of two words w and v passes through the direction g.

    beta(w, v) = (w.v - cos(w', v'))/(w.v)

    for unit vectors, where w' is what is left of w without its part along g; `alike` is w.v, `word`
    w.g and `other` v.g. 0: the likeness does not change without g; 1: there is none without g;
    negative: w and v are more alike without it. Words at a right angle or more are not alike, and
    what is not there is not owed to g: 0, where the quotient would turn its sign.
    """
    owed = alike - likeness_without(alike, word, other)
    return np.divide(owed, alike, out=np.zeros_like(owed), where=alike > SMALLEST)


def likeness_without(alike: FloatArray, word: FloatArray, other: FloatArray) -> FloatArray:
    """Return cos(w', v') for the same numbers; of a word on g nothing is left to be alike: 0.

    w'.v' = w.v - (w.g)(v.g) and |w'|^2 = 1 - (w.g)^2, so no vector is needed.
    """
    rest = alike - word * other
    left, left_of_other = 1 - word**2, 1 - other**2
    there = np.minimum(left, left_of_other) > NOTHING_LEFT
    lengths = np.sqrt(np.where(there, left * left_of_other, 1))
    return np.divide(rest, lengths, out=np.zeros_like(rest), where=there)

"""The direction from one attribute list of a test to the other, found by a named rule."""

from typing import Literal

from fairvec.geometry import FloatArray
from fairvec.geometry.directions import mean_difference, pairs_pca
from fairvec.ground.errors import UndefinedError, UnknownNameError
from fairvec.lexicon import Groups

Direction = Literal["auto", "pairs-pca", "mean-difference"]


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

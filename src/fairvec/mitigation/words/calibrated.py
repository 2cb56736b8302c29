"""Words like those of a list, by vector and spelling, no more of them than can be vouched for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.geometry import FloatArray
from fairvec.mitigation.moves.plane import Sides

TARGET = 0.9
"""The precision that learnt words must be expected to have."""
UNLISTED = 0.15
"""How many words of the first kind are taken to be unlisted for each one that is listed."""
FOLDS = 5
GRID = ((1.0, "balanced"), (10.0, None))
"""The regularisations and class weights that are tried."""
SPELLING = 2.0
"""What spelling counts beside the vector, whose length is one."""
Z = 1.959964


@dataclass(frozen=True, eq=False)
class LearntWords:
    """Which unlisted words are marked, and what is known about the threshold.

    `found` of the `listed` words lie above the threshold of a classifier that has not seen them,
    and so do the `marked` ones. `precision` is what can be expected of those, or, where none are
    marked, the best that any threshold would give.
    """

    marked: Sides
    found: int
    listed: int
    precision: float
    regularisation: float
    weights: str | None
    target: float
    unlisted: float

    @property
    def said(self) -> str:
        """The outcome in a sentence."""
        by = (
            f"a logistic regression over vectors and spelling (C = {self.regularisation:g}, "
            f"{self.weights or 'no'} class weights, {FOLDS} folds)"
        )
        others = len(self.marked) - self.listed
        if not self.marked.any():
            return (
                f"0 words learnt by {by} from {self.listed} listed and {others} other words: "
                f"at no threshold can a precision of {self.target:g} be expected (at best "
                f"{self.precision:.2f}), so that only listed words stay"
            )
        return (
            f"{self.marked.sum()} words learnt by {by} from {self.listed} listed and {others} "
            f"other words; it recognises {self.found} of the listed ones unseen, and if "
            f"{self.unlisted:g} specific words are unlisted for each listed one, as easy to "
            f"recognise as those, {self.precision:.2f} of the learnt ones are specific: read them"
        )


def calibrated(
    keys: Sequence[str],
    units: FloatArray,
    sides: Sides,
    *,
    target: float = TARGET,
    unlisted: float = UNLISTED,
    seed: int = 0,
) -> LearntWords:
    """Return the words that a classifier marks above the lowest threshold that keeps a precision.

    precision(t) = unlisted * n * r(t) / o(t)

    n words are listed (`sides`), and r(t) of them lie above t for a classifier that has not seen
    them (the lower end of Wilson's 95 % interval); o(t) unlisted words do. Since the others are
    unlabelled, not negative, how many of them are of the first kind has to be assumed:
    `unlisted` * n. A list that tells nothing has r = o / (number of words), so that nothing is
    marked.

    The classifier is a logistic regression over unit vectors and pieces of spelling; each word is
    judged by the one of five that has not seen it, and their regularisation and class weights are
    those with the largest average precision.

    Elkan and Noto (2008), doi:10.1145/1401890.1401920: learning from positive and unlabelled data.
    """
    from sklearn.metrics import average_precision_score

    described = _described(keys, units, sides)
    scores = [
        _unseen(described, sides, regularisation, weights, seed) for regularisation, weights in GRID
    ]
    best = int(np.argmax([average_precision_score(sides, each) for each in scores]))
    marked, found, precision = vouched_for(scores[best], sides, target=target, unlisted=unlisted)
    regularisation, weights = GRID[best]
    return LearntWords(
        marked=marked,
        found=found,
        listed=int(sides.sum()),
        precision=precision,
        regularisation=regularisation,
        weights=weights,
        target=target,
        unlisted=unlisted,
    )


def vouched_for(
    scores: FloatArray, sides: Sides, *, target: float, unlisted: float
) -> tuple[Sides, int, float]:
    """Return the unlisted words above the lowest good threshold, how many listed ones, precision.

    Where no threshold is good: no word, none, and the best precision that there is.
    """
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    found, others = (np.cumsum(each[order], dtype=np.intp) for each in (sides, ~sides))
    expected = unlisted * sides.sum() * wilson_low(found, int(sides.sum()))
    precision = np.divide(expected, others, where=others > 0, out=np.zeros(len(order)))
    # A threshold lies between two scores, never among equal ones.
    precision[:-1][ranked[:-1] == ranked[1:]] = 0
    (good,) = np.nonzero(precision >= target)
    marked = np.zeros(len(sides), np.bool_)
    if not len(good):
        return marked, 0, float(precision.max())
    marked[order[: good[-1] + 1]] = True
    return marked & ~sides, int(found[good[-1]]), float(min(precision[good[-1]], 1))


def wilson_low(found: NDArray[np.intp], of: int) -> FloatArray:
    """Return the lower end of Wilson's 95 % interval for shares of a number of trials."""
    share = found / of
    middle = share + Z**2 / (2 * of)
    spread = Z * np.sqrt(share * (1 - share) / of + Z**2 / (4 * of**2))
    low: FloatArray = np.maximum((middle - spread) / (1 + Z**2 / of), 0)
    return low


def _described(keys: Sequence[str], units: FloatArray, sides: Sides) -> Any:
    """Return vectors and pieces of two to five letters, those that some listed word has."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.feature_extraction.text import TfidfVectorizer

    spelt = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True)
    spelt.fit([key for key, listed in zip(keys, sides, strict=True) if listed])
    return hstack([csr_matrix(units), SPELLING * spelt.transform(keys)]).tocsr()


def _unseen(
    described: Any, sides: Sides, regularisation: float, weights: str | None, seed: int
) -> FloatArray:
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold

    scores = np.zeros(len(sides))
    dealt = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    for taught, judged in dealt.split(sides, sides):
        fitted = LogisticRegression(
            C=regularisation, class_weight=weights, solver="liblinear", random_state=0
        ).fit(described[taught], sides[taught])
        scores[judged] = fitted.decision_function(described[judged])
    return scores

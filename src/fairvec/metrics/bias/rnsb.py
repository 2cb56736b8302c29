"""Relative negative sentiment bias (RNSB): how unevenly a classifier spreads B over words."""

from typing import Annotated

import numpy as np
from pydantic import Field
from scipy.special import xlogy

from fairvec.core.errors import UndefinedError, filter_warnings
from fairvec.core.settings import Positive, settings
from fairvec.geometry import FloatArray, Geometry
from fairvec.lexicon import Groups
from fairvec.metrics.base import Metric, OneSample, Score, Traits, target_words

HUGE, TINY = 1e28, 1e-100
"""liblinear converges on numbers between these sizes; smaller ones count as zero."""


@settings
class Rnsb(Metric):
    """Is B's meaning spread evenly over the words, or do some get more of it than others?

    p(w) = probability of B for the word w, from a logistic regression that tells B from A
    P = p / sum of p;  RNSB = KL(P || uniform) = log n + sum of P log P, n the number of words

    0: all words are equally likely to be taken for B; the larger, the more unevenly it falls;
    log n would be one word taking all. In the paper A is positive, B negative, and the words name
    groups of people. Which word gets more is seen word by word.

    The regression (liblinear, L2 penalty of strength `penalty`, intercept included) sees the
    vectors as they are and learns from all words of A and B, so that the value is the same at
    every run; WEFE by default trains on a random 80 % of them. It has no meaning in the ball.

    Sweeney & Najafian (2019), ACL, 1662-1667.
    """

    name = "rnsb"
    meaning = "0: B fits all words equally well; the larger, the more unevenly it fits them."
    traits = Traits(
        sees="X to A, Y to B",
        shown="above",
        swapped_attributes="changed",
        lengths="count",
        flat_only=True,
    )

    penalty: Annotated[
        Positive,
        Field(
            description="Strength of the penalty of the regression (C): the larger, the closer it "
            "fits."
        ),
    ] = 1.0

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the divergence and each word's probability of B."""
        if geometry.curvature:
            raise UndefinedError(
                "RNSB divides space by a flat plane, and the ball has none; use ect or rnd there."
            )
        words = target_words(groups)
        probabilities = _probabilities_of_b(
            words.vectors, groups["a"].vectors, groups["b"].vectors, penalty=self.penalty
        )
        if not probabilities.any():
            raise UndefinedError(
                "No word has any probability of being taken for B, so there is no distribution to "
                "measure; use shorter vectors or a stronger penalty."
            )
        samples = OneSample(probabilities[:, None], _divergence)
        value = float(_divergence(samples.rows))
        return Score(value, words.shares(probabilities), samples)


def _probabilities_of_b(
    words: FloatArray, a: FloatArray, b: FloatArray, *, penalty: float
) -> FloatArray:
    # scikit-learn takes a second to import and few audits need it.
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    if not (len(words) and len(a) and len(b)):
        raise UndefinedError(
            "Of one of the lists no word has a vector that is not zero, so there is nothing to "
            "learn from or to ask for; use a model that knows its words."
        )
    examples, words = _within_solver_range(np.concatenate([a, b])), _within_solver_range(words)
    is_b = np.repeat([0, 1], [len(a), len(b)])
    model = LogisticRegression(C=1 / penalty, solver="liblinear", tol=1e-10, max_iter=10_000)
    with filter_warnings("error", ConvergenceWarning):
        try:
            model.fit(examples, is_b)
        except ConvergenceWarning:
            raise UndefinedError(
                "The regression that tells B from A does not settle on these words; use shorter "
                "vectors or a stronger penalty."
            ) from None
    probabilities: FloatArray = model.predict_proba(words)[:, 1]
    return probabilities


def _within_solver_range(vectors: FloatArray) -> FloatArray:
    """Set numbers below TINY to zero, and raise UndefinedError for numbers above HUGE."""
    if (largest := float(np.abs(vectors).max(initial=0))) > HUGE:
        raise UndefinedError(
            f"The vectors hold numbers as large as {largest:.1g}, with which a regression cannot "
            "reckon; multiply all vectors of the model by one small number."
        )
    return np.where(np.abs(vectors) < TINY, 0, vectors)


def _divergence(probabilities: FloatArray) -> FloatArray:
    """Return KL(P || uniform) of each batch (..., words, 1); nan where no word has any share."""
    totals = probabilities.sum(axis=-2)
    shares = probabilities[..., 0] / np.where(totals > 0, totals, np.nan)
    # Equal shares leave a rounding error, which may lie below zero.
    return np.asarray(np.maximum(np.log(shares.shape[-1]) + xlogy(shares, shares).sum(-1), 0))

"""Conceptor negation and half-sibling regression: shrink words by ridge regression."""

from typing import Annotated

import numpy as np
from pydantic import Field

from fairvec.core.errors import LexiconError
from fairvec.core.settings import Positive, settings
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.base import Debiaser, Strength, describe_fit
from fairvec.mitigation.concept_direction import tangent_vectors
from fairvec.mitigation.moves import Affine
from fairvec.mitigation.specific_words import Specific, SpecificWords, listed_words, specific_split
from fairvec.mitigation.transform import Transform

RIDGE_LOST = 1e-8
"""A ridge that is a smaller part of the squares loses half of its digits to their rounding."""


@settings
class ConceptorNegation(Debiaser):
    """Shrink words along what the words of a concept have in common.

    w' = w - strength C w,   C = R (R + aperture^-2 I)^-1,   R = X^T X / n,

    the rows of X being the concept's n words (specific, defining and equality words), with their
    lengths and not centred. Along a direction in which their mean square is r a word keeps
    1/(1 + r aperture^2) of its component: a wide aperture takes out all that they span, their
    common topic with it; a narrow one takes little of anything. Words of other lengths need another
    aperture.

    Karve, Ungar & Sedoc (2019), Conceptor Debiasing of Word Representations Evaluated on WEAT,
    Workshop on Gender Bias in NLP, 40-48; arXiv:1906.05993. Their program has aperture 2.
    """

    name = "conceptor"

    aperture: Annotated[
        Positive,
        Field(
            description="How much is taken out along what the words share: a wide aperture takes "
            "all of it."
        ),
    ] = 2.0
    strength: Strength = 1.0

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the map NOT C of the concept's words in this embedding."""
        words = ConceptWords(concept, embedding)
        keys = concept_words(words, listed_words(words))
        rows = tangent_vectors(embedding, keys, raw=True)
        return Transform(
            **describe_fit(self, embedding, concept),
            fitted_on=keys,
            move=ridge_shrinkage(rows, len(rows) / self.aperture**2, self.strength),
        )


@settings
class HalfSibling(Debiaser):
    """Take from neutral words what a ridge regression on specific words predicts of them.

    w' = w - strength G (G^T G + alpha I)^-1 G^T w,

    the columns of G being the specific words (`listed`: with the defining and equality words;
    `learnt`, `svm`: with those learnt, too), which stay where they are. They count with their
    lengths and are not centred, as published, so that alpha is in squared lengths: 60 was chosen
    for GloVe vectors, and shorter ones need a smaller alpha. A small alpha takes out everything
    that the words span; a large one nothing. As a map it is conceptor negation with
    aperture^2 = n / alpha.

    Yang & Feng (2020), A Causal Inference Method for Reducing Gender Bias in Word Embedding
    Relations, AAAI, 9434-9441; arXiv:1911.10787.
    """

    name = "half-sibling"

    alpha: Annotated[
        Positive,
        Field(
            description="Ridge of the regression, in squared lengths: the smaller, the more is "
            "taken out."
        ),
    ] = 60.0
    strength: Strength = 1.0
    specific: Specific = "listed"

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the map that leaves of neutral words what the specific ones do not predict."""
        words = ConceptWords(concept, embedding)
        split = specific_split(words, self.specific)
        keys = concept_words(words, split)
        return Transform(
            **describe_fit(self, embedding, concept),
            fitted_on=split.fitted_on(keys),
            move=ridge_shrinkage(
                tangent_vectors(embedding, keys, raw=True), self.alpha, self.strength
            ),
            unmoved=split.keys,
            remarks=split.remarks,
        )


def ridge_shrinkage(rows: FloatArray, ridge: float, strength: float) -> Affine:
    """Return the move that takes away what ridge regression on the rows of X predicts.

    x - strength X^T (X X^T + ridge I)^-1 X x, which is X^T X (X^T X + ridge I)^-1 as well.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        squares = rows.T @ rows
    size = len(squares)
    # Beside long words the ridge would be lost in rounding, and with it what makes this solvable.
    if np.abs(squares).max(initial=0.0) * RIDGE_LOST <= ridge:
        shrinkage = np.linalg.solve(squares + ridge * np.eye(size), squares)
    else:
        shrinkage = _shrinkage_by_svd(rows, ridge)
    return Affine(-np.asarray(shrinkage, np.float64), np.zeros(size), strength)


def _shrinkage_by_svd(rows: FloatArray, ridge: float) -> FloatArray:
    """Return the same by the axes of X, each with s^2 / (s^2 + ridge), at any size of numbers."""
    longest = np.abs(rows).max()
    _, sizes, axes = np.linalg.svd(rows / longest, full_matrices=False)
    present = sizes > sizes[0] * max(rows.shape) * np.finfo(float).eps
    with np.errstate(under="ignore"):
        shares = 1 / (1 + (np.sqrt(ridge) / longest / sizes[present]) ** 2)
    shrinkage: FloatArray = axes[present].T * shares @ axes[present]
    return shrinkage


def concept_words(words: ConceptWords, split: SpecificWords) -> tuple[str, ...]:
    """Return the keys of the words that mean the concept, in a fixed order; there must be one."""
    keys = tuple(sorted(split.keys - words.held_out))
    if not keys:
        free = " that is not held out" if words.held_out else ""
        raise LexiconError(
            f"{words.embedding.name} knows no word of {words.concept.name}{free}; use a model that "
            "does."
        )
    return keys

"""Correlations of two columns, in batches, for a bootstrap over words."""

import numpy as np

from fairvec.stats.arrays import FloatArray


def pearson(pairs: FloatArray) -> FloatArray:
    """Return the correlation of the two columns of each batch (..., words, 2).

    nan where a column has no spread: the caller must say so in words.
    """
    centred = pairs - pairs.mean(axis=-2, keepdims=True)
    spreads = np.sqrt((centred**2).sum(axis=-2))
    # A spread below the rounding of the values is rounding, not spread.
    rounding = 8 * np.finfo(np.float64).eps * np.sqrt((pairs**2).sum(axis=-2))
    defined = (spreads > rounding).all(axis=-1)
    product = (centred[..., 0] * centred[..., 1]).sum(axis=-1)
    correlations: FloatArray = np.divide(
        product, spreads.prod(axis=-1), out=np.full_like(product, np.nan), where=defined
    )
    return np.clip(correlations, -1, 1)


def spearman(pairs: FloatArray) -> FloatArray:
    """Return the correlation of the ranks, equal values sharing their mean rank."""
    # Here and not above: scipy.stats takes longer to import than all of fairvec.
    from scipy.stats import rankdata

    return pearson(rankdata(pairs, axis=-2))

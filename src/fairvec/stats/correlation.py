"""Correlations of two columns, in batches, for a bootstrap over words."""

import numpy as np

from fairvec.stats.arrays import FloatArray

LARGEST_EXPONENT = 400
"""Numbers between 2 to the power of this and of its negative can be squared and summed."""


def pearson(pairs: FloatArray) -> FloatArray:
    """Return the correlation of the two columns of each batch (..., words, 2).

    nan where a column has no spread: the caller must say so in words.
    """
    # Of each column by a power of two, which is exact and no correlation sees.
    exponents = np.frexp(np.abs(pairs).max(axis=-2, keepdims=True))[1]
    if (np.abs(exponents) > LARGEST_EXPONENT).any():
        pairs = np.ldexp(pairs, -exponents)
    return _correlations(pairs)


def spearman(pairs: FloatArray) -> FloatArray:
    """Return the correlation of the ranks, equal values sharing their mean rank."""
    columns = np.ascontiguousarray(np.swapaxes(pairs, -1, -2))
    return _correlations(np.swapaxes(_ranks(columns), -1, -2))


def _correlations(pairs: FloatArray) -> FloatArray:
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


def _ranks(values: FloatArray) -> FloatArray:
    """Return the rank of each value along the last axis; several times faster than scipy's."""
    order = values.argsort(axis=-1)
    ordered = np.take_along_axis(values, order, axis=-1)
    places = np.arange(values.shape[-1])
    differs = ordered[..., 1:] != ordered[..., :-1]
    edge = np.ones((*differs.shape[:-1], 1), np.bool_)
    begins = np.concatenate([edge, differs], axis=-1)
    ends = np.concatenate([differs, edge], axis=-1)
    first = np.maximum.accumulate(np.where(begins, places, 0), axis=-1)
    last = np.where(ends, places, places.size)[..., ::-1]
    last = np.minimum.accumulate(last, axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return ranks

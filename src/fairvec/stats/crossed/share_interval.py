"""How far the shares of a crossed table may be off, because there are few seeds."""

import numpy as np
from scipy.special import chdtr, chndtrinc, ndtri

from fairvec.ground.settings import Count, Seed
from fairvec.stats.arrays import FloatArray
from fairvec.stats.crossed.decomposition import decomposed

ShareEnds = dict[tuple[int, ...], tuple[float, float]]

LARGE = 1_000.0
"""Above it the root of a noncentral chi-square is normal for all that matters here."""


def share_intervals(
    table: FloatArray, *, level: float = 0.95, draws: Count = 2_000, seed: Seed = 0
) -> ShareEnds:
    """Return for each term the interval of its share of the variance, for these levels.

    The share of a term is s(S) / (sum of all s(T) + var(e)), where s are the true mean squared
    effects. For normal errors SS(S) / var(e) is noncentral chi-square with N s(S) / var(e), and
    SSE / var(e) chi-square: both are solved for what is not known at drawn probabilities, which
    gives a generalised pivotal quantity of the share, and its quantiles are the ends. A narrow
    interval says that more seeds would change little; it says nothing of other levels or words.

    In simulations of 2 x 3 x 2 cells with three replicates it covers 93 % of the true shares or
    more at the level of 95 %, but 84 % where one factor alone explains 99 %, of which it then takes
    off a little too much; a bootstrap of residuals covered as little as 72 %.
    Weerahandi (1993), doi:10.1080/01621459.1993.10476355; Steiger (2004),
    doi:10.1037/1082-989X.9.2.164.
    """
    whole = decomposed(table)
    generator = np.random.default_rng(seed)
    if not whole.residual > 0:
        return {term.axes: (term.eta2, term.eta2) for term in whole.terms}
    noise = whole.residual * whole.residual_df / generator.chisquare(whole.residual_df, draws)
    effects = np.stack(
        [
            _noncentrality(term.sum_of_squares / noise, term.df, generator.random(draws))
            for term in whole.terms
        ]
    )
    shares = effects / (effects.sum(axis=0) + table.size)
    low, high = np.quantile(shares, [(1 - level) / 2, (1 + level) / 2], axis=1)
    return {term.axes: (float(low[row]), float(high[row])) for row, term in enumerate(whole.terms)}


def _noncentrality(x: FloatArray, df: int, p: FloatArray) -> FloatArray:
    """Return the noncentrality with which a chi-square stays below x with the chance p; or 0."""
    some = p < chdtr(df, x)
    large = some & (x > LARGE)
    small = some & ~large
    found = np.zeros(len(x))
    found[large] = (np.sqrt(x[large]) - ndtri(p[large])) ** 2 - (df - 1)
    found[small] = chndtrinc(x[small], df, p[small])
    return np.maximum(found, 0.0)

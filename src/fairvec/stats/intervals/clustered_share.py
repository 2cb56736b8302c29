"""Where a share lies whose items come in clusters."""

import numpy as np
from scipy.special import betaincinv, stdtrit

from fairvec.ground.errors import SettingError
from fairvec.stats.arrays import IntArray

METHOD = "Korn-Graubard (Clopper-Pearson at the effective number of items)"
FEWEST_CLUSTERS = 3


def clustered_share(counts: IntArray, *, level: float = 0.95) -> tuple[float, float] | None:
    """Return the ends of an interval for the share of the second column, clusters as rows.

    Items of one cluster go together (a paragraph about one person repeats her pronoun), so that N
    items say less than N. With m clusters, share p and clusters' totals n_u, the share's variance
    is v = m/(m-1) sum (b_u - p n_u)^2 / N^2 and the effective number p (1 - p) / v, at most N,
    times (t(N-1) / t(m-1))^2 for the few clusters behind v. The interval is that of Clopper and
    Pearson with so many items. Where all items are of one side nothing is known of v, and the
    number is m. With one item a cluster it is nearly theirs. None with fewer than three clusters.

    In 2,000 simulated texts of 6, 12 and 40 paragraphs with 1 to 6 mentions each, which agree (a
    correlation of 0.3 within a paragraph), it covers a share of 0.5 in 98, 96 and 96 %, and one of
    0.15 in 99, 97 and 96 %. Korn and Graubard (1998), Survey Methodology 24, 193-201.
    """
    counts = np.asarray(counts)
    if counts.ndim != 2 or counts.shape[1:] != (2,) or (counts < 0).any():
        raise SettingError("A share needs one row a cluster: two counts that are not negative.")
    totals = counts.sum(axis=1)
    counts, totals = counts[totals > 0], totals[totals > 0]
    clusters, items = len(counts), int(totals.sum())
    if clusters < FEWEST_CLUSTERS:
        return None
    share = float(counts[:, 1].sum() / items)
    apart = float(((counts[:, 1] - share * totals) ** 2).sum())
    variance = clusters / (clusters - 1) * apart / items**2
    return at_effective_number(share, variance, items, clusters - 1, level=level)


def at_effective_number(
    share: float, variance: float, items: int, freedom: float, *, level: float = 0.95
) -> tuple[float, float]:
    """Return Clopper and Pearson's interval for so many items as a share of this variance has.

    `freedom` are the degrees of freedom behind the variance; where all items are of one side
    nothing is known of it, and one more than these is the number.
    """
    effective = freedom + 1
    if 0 < share < 1:
        effective = min(items, share * (1 - share) / variance) if variance > 0 else items
        middle = (1 + level) / 2
        effective *= float(stdtrit(items - 1, middle) / stdtrit(freedom, middle)) ** 2
    found, outside = share * effective, (1 - level) / 2
    low = float(betaincinv(found, effective - found + 1, outside)) if share > 0 else 0.0
    high = float(betaincinv(found + 1, effective - found, 1 - outside)) if share < 1 else 1.0
    return low, high

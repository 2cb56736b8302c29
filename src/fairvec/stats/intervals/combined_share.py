"""Where a share lies whose items combine two things each, and so are no independent witnesses."""

from collections.abc import Sequence

import numpy as np

from fairvec.stats.arrays import FloatArray
from fairvec.stats.intervals.clustered_share import at_effective_number
from fairvec.stats.pairing.crossed import combined_mean

METHOD = "Korn-Graubard over what items combine"
FEWEST_THINGS = 3


def combined_share(
    right: FloatArray, shared: Sequence[tuple[str, str]], *, level: float = 0.95
) -> tuple[float, float] | None:
    """Return the ends of an interval for a share of items, each 1 or 0, that combine two things.

    Items that share a thing go together: a model that knows one country's capital answers every
    question with it. The variance is that of `combined_mean`, over both kinds of things, and the
    interval that of Clopper and Pearson at the number of independent items that would have it
    (Korn & Graubard 1998, Survey Methodology 24, 193-201). Where all items are right, or none is,
    it is the number of things of the scarcer kind. None with fewer than three things of each kind.

    Of 20 pairs combined with 22, or with one another, it holds the true share in 96 to 99.8 % of
    400 simulated models a case, where resampling items alone held it in 35 to 68 %, and in 95 % if
    things do not matter at all (`python -m scripts.combined_coverage`).
    """
    kinds = [len({*names}) for names in zip(*shared, strict=True)]
    if min(kinds, default=0) < FEWEST_THINGS:
        return None
    found = combined_mean(np.asarray(right, np.float64), shared)
    freedom = min(found.freedom, len(right) - 1) if 0 < found.estimate < 1 else min(kinds) - 1
    return at_effective_number(found.estimate, found.variance, len(right), freedom, level=level)

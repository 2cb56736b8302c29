"""An effect to resample: Caliskan's d."""

import numpy as np

from fairvec.core.numeric import FloatArray


def caliskan_d(x: FloatArray, y: FloatArray) -> FloatArray:
    """Difference of means over the standard deviation (ddof 1) of both lists together."""
    spread = np.concatenate([x, y], axis=1).std(axis=(1, 2), ddof=1)
    difference = x.mean(axis=(1, 2)) - y.mean(axis=(1, 2))
    effects = np.full(len(x), np.nan)
    np.divide(difference, spread, out=effects, where=spread > 1e-12)
    return effects

"""Corrections for asking many questions at once."""

import numpy as np

from fairvec.core.errors import SettingError
from fairvec.core.numeric import FloatArray


def holm(p: FloatArray) -> FloatArray:
    """Return p-values below alpha only where, with chance 1 - alpha, none of them errs.

    With m p-values in ascending order, the i-th becomes max over j <= i of (m - j + 1) p_j, at most
    1. Holds under any dependence between the tests. Holm (1979), doi:10.2307/4615733.
    """
    p = _checked(p)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(adjusted, 1.0)


def benjamini_hochberg(p: FloatArray) -> FloatArray:
    """Return p-values below q only where about a share q of them errs.

    With m p-values in ascending order, the i-th becomes min over j >= i of (m / j) p_j, at most 1.
    Holds for independent or positively dependent tests.
    Benjamini and Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x.
    """
    p = _checked(p)
    order = np.argsort(-p, kind="stable")
    adjusted = np.empty_like(p)
    scaled = p[order] * len(p) / np.arange(len(p), 0, -1)
    adjusted[order] = np.minimum.accumulate(scaled)
    return np.minimum(adjusted, 1.0)


def _checked(p: FloatArray) -> FloatArray:
    p = np.asarray(p, np.float64)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise SettingError("Only a plain list of p-values between 0 and 1 can be corrected.")
    return p

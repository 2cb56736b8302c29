"""Effect sizes of the association test, under each convention found in the literature.

All take one row a word with two columns, the mean similarity to A and to B, in batches
(..., words, 2), and divide the difference of the mean leanings of X and Y by a spread:

    caliskan        sample standard deviation (ddof 1) of the leanings over X and Y
    population      population standard deviation (ddof 0) of the same
    raw-similarity  sample standard deviation of the raw mean similarities, both columns pooled

A row that is nan counts for nothing, so that groups of unequal size can fill one batch.
A zero spread has no effect size: the answer is nan here, and the caller must say so in words.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fairvec.geometry import FloatArray
from fairvec.ground.errors import UnknownNameError
from fairvec.results import Convention


def leanings(closeness: FloatArray) -> FloatArray:
    """Return s(w, A, B), the mean similarity to A minus that to B: positive leans to A."""
    lean: FloatArray = closeness[..., 0] - closeness[..., 1]
    return lean


def rounding(closeness: FloatArray) -> FloatArray:
    """Return what the rounding of similarities can feign: a spread below it is none."""
    noise: FloatArray = 16 * np.finfo(np.float64).eps * np.nanmax(np.abs(closeness), axis=(-2, -1))
    return noise


@dataclass(frozen=True)
class EffectSize:
    """One convention: what the difference of means is divided by."""

    convention: Convention
    spread_over: Callable[[FloatArray], FloatArray]

    @property
    def name(self) -> str:
        """The convention's name."""
        return self.convention.name

    def __call__(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return d for each pair of groups in the batch."""
        difference = np.nanmean(leanings(x), axis=-1) - np.nanmean(leanings(y), axis=-1)
        closeness = np.concatenate([x, y], axis=-2)
        spread = np.nanstd(self.spread_over(closeness), axis=-1, ddof=self.convention.ddof)
        defined = spread > rounding(closeness)
        effects: FloatArray = np.divide(
            difference, spread, out=np.full_like(difference, np.nan), where=defined
        )
        return effects


def _raw_similarities(closeness: FloatArray) -> FloatArray:
    return closeness.reshape(*closeness.shape[:-2], -1)


_LEANINGS = "leanings s(w, A, B) of the words of X and Y"

CALISKAN = EffectSize(Convention(name="caliskan", ddof=1, denominator=_LEANINGS), leanings)
POPULATION = EffectSize(Convention(name="population", ddof=0, denominator=_LEANINGS), leanings)
RAW_SIMILARITY = EffectSize(
    Convention(
        name="raw-similarity",
        ddof=1,
        denominator="mean similarities to A and to B of the words of X and Y, pooled",
    ),
    _raw_similarities,
)

EFFECT_SIZES = (CALISKAN, POPULATION, RAW_SIMILARITY)


def effect_size(name: str) -> EffectSize:
    """Return the effect size of the convention `name`."""
    for candidate in EFFECT_SIZES:
        if candidate.name == name:
            return candidate
    raise UnknownNameError("convention", name, (size.name for size in EFFECT_SIZES))

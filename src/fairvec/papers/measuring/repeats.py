"""Lists that repeat a word, measured as Malik et al. (2022) did: every repeat counts."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairvec.geometry import FloatArray, Geometry
from fairvec.ground.errors import UndefinedError
from fairvec.lexicon import Group, Groups
from fairvec.metrics import EffectSize, Score, TwoSamples
from fairvec.metrics.bias.parts.effect_size import leanings, rounding
from fairvec.papers.measuring.wrapped import Wrapped


@dataclass(frozen=True)
class RepeatsKept(Wrapped):
    """WEAT or SEAT with a word as often in every mean, and in every split, as its list has it.

    In WEAT the spread is taken over the set of X and Y, so that a repeated word is in it once; in
    SEAT it is taken over all sentences, those of a repeated word each time:

    d = (mean_x s(x, A, B) - mean_y s(y, A, B)) / spread of s over the distinct words of X and Y
    """

    effect_size: EffectSize

    @property
    def remark(self) -> str:
        """What becomes of repeats."""
        return "repeated words count each time" + (
            "" if self._in_sentences else ", but once in the spread"
        )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the score over the lists with their repeats."""
        full = {role: _with_repeats(group) for role, group in groups.groups.items()}
        score = self.metric.measure(replace(groups, groups=full), geometry)
        if self._in_sentences or not isinstance(score.samples, TwoSamples):
            return score
        samples = score.samples
        numbers = {key: n for n, key in enumerate({*full["x"].keys, *full["y"].keys})}
        x, y = (
            np.column_stack([[numbers[key] for key in full[role].keys], rows])
            for role, rows in (("x", samples.x), ("y", samples.y))
        )
        value = float(self._effect(x, y))
        if np.isnan(value):
            raise UndefinedError("All target words lean exactly alike; use other lists.")
        numbered = TwoSamples(
            x,
            y,
            lambda rows: samples.leanings(rows[..., 1:]),
            self._effect,
            lambda rows, by: np.column_stack([rows[:, 0], samples.more(rows[:, 1:], by)]),
        )
        return replace(score, value=value, samples=numbered)

    @property
    def _in_sentences(self) -> bool:
        return self.name == "seat"

    def _effect(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return d of batches of words: a word's number, then pairs of closeness to A and to B."""
        pooled = np.concatenate([x, y], axis=-2)
        once = np.where(_is_first(pooled[..., 0])[..., None], pooled, np.nan)
        spread = np.nanstd(
            self.effect_size.spread_over(_pairs(once)),
            axis=-1,
            ddof=self.effect_size.convention.ddof,
        )
        difference = _mean_leaning(x) - _mean_leaning(y)
        defined = spread > rounding(_pairs(pooled))
        effects: FloatArray = np.divide(
            difference, spread, out=np.full_like(difference, np.nan), where=defined
        )
        return effects


def _with_repeats(group: Group) -> Group:
    """Return a list with the entries that reached a key again as rows of their own."""
    rows = {key: row for row, key in enumerate(group.keys)}
    again = [rows[found.key] for found in group.merged]
    return replace(
        group,
        found=(*group.found, *group.merged),
        merged=(),
        vectors=np.concatenate([group.vectors, group.vectors[again]]),
    )


def _is_first(numbers: FloatArray) -> NDArray[np.bool_]:
    """Say of each word of a batch whether it has not occurred before."""
    same = numbers[..., :, None] == numbers[..., None, :]
    earlier = np.tril(np.ones(same.shape[-2:], dtype=bool), k=-1)
    first: NDArray[np.bool_] = ~(same & earlier).any(axis=-1)
    return first


def _pairs(rows: FloatArray) -> FloatArray:
    pairs: FloatArray = rows[..., 1:].reshape(*rows.shape[:-2], -1, 2)
    return pairs


def _mean_leaning(rows: FloatArray) -> FloatArray:
    mean: FloatArray = np.nanmean(leanings(_pairs(rows)), axis=-1)
    return mean

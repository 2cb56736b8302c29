"""One context of every word at a time, drawn again and again: CEAT as published."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from fairvec.geometry import FloatArray, Geometry, Similarity
from fairvec.metrics.bias.parts.association import closeness
from fairvec.metrics.bias.parts.effect_size import EffectSize, leanings
from fairvec.stats.random_effects import Combined, random_effects

_KINDS = {"x": 0, "y": 0, "a": 1, "b": 1}
"""Targets and attributes draw apart, so that a word which is both is not compared with itself."""


def drawn_contexts(
    keys: Sequence[str], sizes: Sequence[int], role: str, draws: int, seed: int
) -> npt.NDArray[np.int64]:
    """Return which context each word (rows) has in each draw (columns), with replacement.

    It depends on the word and the seed, neither on the other words nor on their order.
    """
    chosen = []
    for key, size in zip(keys, sizes, strict=True):
        word = int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())
        generator = np.random.default_rng([seed, _KINDS[role], word])
        chosen.append(generator.integers(size, size=draws))
    return np.array(chosen)


def closeness_of_draws(
    contexts: Mapping[str, Sequence[FloatArray]],
    chosen: Mapping[str, npt.NDArray[np.int64]],
    similarity: Similarity,
    geometry: Geometry,
) -> dict[str, FloatArray]:
    """Return for X and Y a row a word: its closeness to A and to B in the first draw, and so on."""
    of_x = len(contexts["x"])
    draws = chosen["x"].shape[1]
    rows = np.empty((of_x + len(contexts["y"]), draws, 2))
    for draw in range(draws):
        x, y, a, b = (
            np.array(
                [own[at] for own, at in zip(contexts[role], chosen[role][:, draw], strict=True)]
            )
            for role in "xyab"
        )
        rows[:, draw] = closeness(np.concatenate([x, y]), a, b, similarity, geometry).means
    flat = rows.reshape(len(rows), -1)
    return {"x": flat[:of_x], "y": flat[of_x:]}


@dataclass(frozen=True)
class CombinedEffect:
    """The effects of all draws, joined as if every draw were a study of its own.

    The variance of a draw is that of s(w, A, B) over X and Y, with ddof 1, as the authors' program
    takes it: not the variance of d.
    """

    effect_size: EffectSize

    def __call__(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the joint effect of each batch (..., words, draws times two)."""
        return self.combined(x, y).effect

    def combined(self, x: FloatArray, y: FloatArray) -> Combined:
        """Return the joint effect with its error."""
        x, y = (np.swapaxes(_pairs(rows), -3, -2) for rows in (x, y))
        lean = leanings(np.concatenate([x, y], axis=-2))
        return random_effects(self.effect_size(x, y), np.nanvar(lean, axis=-1, ddof=1))


def mean_leanings(rows: FloatArray) -> FloatArray:
    """Return each word's leaning, the mean over the draws."""
    means: FloatArray = leanings(_pairs(rows)).mean(axis=-1)
    return means


def _pairs(rows: FloatArray) -> FloatArray:
    return rows.reshape(*rows.shape[:-1], -1, 2)

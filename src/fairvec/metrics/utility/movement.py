"""How far a change moved words (displacement), and which neighbours they lost (churn).

Both compare an embedding with itself before the change, so their neutral value is 0: nothing moved.
"""

from dataclasses import dataclass

import numpy as np

from fairvec.core.errors import UndefinedError
from fairvec.embedding import Embedding
from fairvec.embedding.neighbours import named_rows
from fairvec.geometry import FloatArray, default_similarity
from fairvec.geometry.nearest import IntArray, nearest
from fairvec.geometry.norms import normalize_rows
from fairvec.metrics.base import OneSample, overall_mean
from fairvec.metrics.bias.vocabulary import require_vocabulary
from fairvec.metrics.utility.analogy import frequent_first, most_frequent

BLOCK = 4096
"""Rows moved at a time."""

COMMON = 20_000
"""Words whose neighbours are looked at are drawn from so many of the most frequent ones."""

SAMPLED = 1_000

AMONG = 500_000
"""Neighbours are sought among so many of the most frequent words."""


@dataclass(frozen=True, eq=False)
class PerWord:
    """One number per word of `keys`."""

    keys: tuple[str, ...]
    values: FloatArray

    @property
    def mean(self) -> float:
        """The mean over the words."""
        return float(self.values.mean())

    @property
    def samples(self) -> OneSample:
        """The words as rows, for a bootstrap of the mean."""
        return OneSample(self.values[:, None], overall_mean)

    def largest(self, count: int = 10) -> dict[str, float]:
        """Return the words with the largest numbers, the largest first; those of 0 are left out."""
        order = np.argsort(-self.values, kind="stable")[:count]
        return {self.keys[row]: float(self.values[row]) for row in order if self.values[row] > 0}


def displacement(before: Embedding, after: Embedding) -> PerWord:
    """Return how far each word moved: |w'/|w'| - w/|w|| in flat space, d(w, w') in the ball.

    0: not at all. In flat space directions are what cosines see, so that bringing words to length
    one moves none; 1 is a turn by 60 degrees, 2 to the opposite side. A word of length zero has no
    direction and counts as unmoved.
    """
    _check_same_words(before, after)
    moved = np.empty(len(before))
    for start in range(0, len(before), BLOCK):
        old, new = (embedding.block(start, start + BLOCK) for embedding in (before, after))
        if not before.geometry.curvature:
            usable = old.any(axis=1) & new.any(axis=1)
            old, new = (normalize_rows(rows[usable]) for rows in (old, new))
            moved[start : start + BLOCK][~usable] = 0
        else:
            usable = np.ones(len(old), np.bool_)
        moved[start : start + BLOCK][usable] = before.geometry.distance(old, new)
    return PerWord(tuple(before.keys), moved)


@dataclass(frozen=True, eq=False)
class Neighbourhoods:
    """The nearest words of a sample of words, nearest first, to compare with those after a change.

    `of` is the embedding that was given, and `embedding` its most frequent words.
    """

    of: Embedding
    embedding: Embedding
    rows: IntArray
    near: IntArray

    def churn(self, after: Embedding, *counts: int) -> tuple[PerWord, ...]:
        """Return for each count which share of its nearest words each word has lost.

        churn(w) = 1 - |N(w) & N'(w)| / count, N and N' the nearest words before and after. 0: the
        same neighbours; 1: all of them are others. Words without a direction after the change are
        left out.
        """
        unchanged = after is self.of and max(counts) <= self.near.shape[1]
        after = self.embedding if unchanged else most_frequent(after, AMONG)
        _check_same_words(self.embedding, after)
        nonzero = after.vectors[self.rows].any(axis=1)
        if not nonzero.any():
            raise UndefinedError(
                f"Every common word of {after.name} has length zero; mend the model."
            )
        rows, old = self.rows[nonzero], self.near[nonzero]
        # A frontier begins with the model as it is, and looking again takes as long as a change.
        new = old if unchanged else _nearest_rows(after, rows, max(counts))
        keys = tuple(after.keys[row] for row in rows)
        return tuple(PerWord(keys, _lost_share(old[:, :count], new[:, :count])) for count in counts)


def neighbourhoods(embedding: Embedding, count: int, *, seed: int = 0) -> Neighbourhoods:
    """Return the `count` nearest words, by the geometry's own similarity, of a sample of words.

    The sample is of 1,000 of the 20,000 most frequent words: by counts, or else the first ones of
    the file. Their neighbours are looked for among the 500,000 most frequent words.
    """
    require_vocabulary(embedding)
    frequent = most_frequent(embedding, AMONG)
    rows = _sample(frequent, seed)
    return Neighbourhoods(embedding, frequent, rows, _nearest_rows(frequent, rows, count))


def _lost_share(old: IntArray, new: IntArray) -> FloatArray:
    common = [len(np.intersect1d(*pair)) for pair in zip(old, new, strict=True)]
    lost: FloatArray = 1 - np.array(common) / old.shape[1]
    return lost


def _sample(embedding: Embedding, seed: int) -> IntArray:
    """Draw rows of frequent words that have a direction."""
    common: IntArray = np.arange(min(len(embedding), COMMON))
    if embedding.counts is not None:
        common = frequent_first(embedding.counts)[:COMMON]
    common = common[embedding.vectors[common].any(axis=1)]
    generator = np.random.default_rng(seed)
    return np.sort(generator.choice(common, min(SAMPLED, len(common)), replace=False))


def _nearest_rows(embedding: Embedding, rows: IntArray, count: int) -> IntArray:
    with named_rows(embedding):
        return nearest(
            embedding.rows([embedding.keys[row] for row in rows]),
            embedding.vectors,
            count,
            embedding.geometry,
            default_similarity(embedding.geometry),
            excluded=rows[:, None],
        ).rows


def _check_same_words(before: Embedding, after: Embedding) -> None:
    if list(before.keys) != list(after.keys) or before.geometry != after.geometry:
        raise UndefinedError(
            f"{before.name} and {after.name} do not hold the same words in the same order and "
            "space, so no word of the one has moved in the other; compare a model with itself."
        )

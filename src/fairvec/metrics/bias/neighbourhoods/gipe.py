"""Gender-based illicit proximity estimate."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import COSINE, BoolArray, FloatArray, Geometry, Similarity
from fairvec.geometry.directions import unit
from fairvec.geometry.indirect import beta
from fairvec.ground.settings import Count, check_settings
from fairvec.lexicon import Found, Groups
from fairvec.metrics.bias.parts.along_direction import words_of
from fairvec.metrics.bias.parts.direction import Direction, bias_direction
from fairvec.metrics.bias.parts.neighbourhood import Neighbours, nearest
from fairvec.metrics.bias.parts.vocabulary import as_before, leanings_along
from fairvec.metrics.score import OneSample, Score
from fairvec.metrics.traits import Traits
from fairvec.results import Convention


@dataclass(frozen=True)
class Gipe:
    """How many of the words' neighbours are so near because both lean the same way?

    beta(w, v) = (w.v - cos(w', v')) / w.v, w' what is left of w without the direction g
    eta(w) = share of the n nearest neighbours v of w with beta(w, v) > theta
    GIPE = sum of gamma(w) eta(w) / sum of gamma(w), gamma(w) = 1 + share of such edges among those
    that reach w from other words of the list (none reach it: 1)

    0: no word owes a neighbour to g; 1: each owes all of them to it. n is `neighbours`, theta
    `threshold`; each word's own number is eta. A resample of the words keeps their weights.
    To measure a debiased embedding give the one from before as `original`: neighbours are then
    those of now, and g and beta those of before, as in the paper. In the ball words are seen from
    the origin and the curvature is not noticed.

    Kumar, Bhotia, Kumar & Chakraborty (2020), TACL 8, 486-503, for gender and all words to be
    debiased. Their program gives a word that no edge reaches the weight 0, their text 1, as here.
    """

    name: ClassVar[str] = "gipe"
    needs: ClassVar[tuple[str, ...]] = ("words", "a", "b")
    neutral: ClassVar[float | None] = 0.0
    meaning: ClassVar[str] = (
        "The share of the words' neighbours that the direction from B to A brings near: "
        "0: none; 1: all."
    )
    similarity: ClassVar[Similarity | None] = COSINE
    convention: ClassVar[Convention | None] = None
    traits: ClassVar[Traits] = Traits(
        sees="X to A, Y to B",
        shown="above",
    )

    neighbours: Count = 100
    threshold: float = 0.05
    direction: Direction = "auto"
    original: Embedding | None = None

    def __post_init__(self) -> None:
        check_settings(self)

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the weighted mean and each word's share of illicit neighbours."""
        before = as_before(groups, self.original)
        words, found = words_of(before), words_of(groups).found
        direction = bias_direction(before, self.direction)
        near = nearest(
            words_of(groups).vectors, [f.key for f in found], groups.vocabulary, self.neighbours
        )
        leanings = leanings_along(direction, before.vocabulary)
        owed = beta(
            near.cosines if before is groups else _cosines(words.vectors, near, before.vocabulary),
            (unit(words.vectors) @ direction)[:, None],
            leanings[near.rows],
        )
        illicit = owed > self.threshold
        rows = np.column_stack([illicit.mean(axis=1), _weights(near, illicit, found, groups)])
        return Score(float(_weighted(rows)), words.shares(rows[:, 0]), OneSample(rows, _weighted))


def _cosines(points: FloatArray, near: Neighbours, embedding: Embedding) -> FloatArray:
    """Return the cosine of each point with its neighbours in another embedding."""
    keys = embedding.keys
    return np.stack(
        [
            unit(embedding.rows([keys[row] for row in rows])) @ point
            for point, rows in zip(unit(points), near.rows, strict=True)
        ]
    )


def _weights(
    near: Neighbours, illicit: BoolArray, found: tuple[Found, ...], groups: Groups
) -> FloatArray:
    """Return gamma of each word."""
    words = len(groups.vocabulary)
    reached = np.bincount(near.rows.ravel(), minlength=words)
    illicitly = np.bincount(near.rows.ravel(), weights=illicit.ravel(), minlength=words)
    own = [groups.vocabulary.positions.get(f.key) for f in found]
    return np.array(
        [1 + illicitly[row] / max(reached[row], 1) if row is not None else 1.0 for row in own]
    )


def _weighted(rows: FloatArray) -> FloatArray:
    """Return the mean of the first column weighted by the second, of each batch."""
    mean: FloatArray = rows.prod(axis=-1).sum(axis=-1) / rows[..., 1].sum(axis=-1)
    return mean

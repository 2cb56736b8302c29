"""Similarity between words that passes through a direction: indirect bias and GIPE.

beta(w, v) = (w.v - cos(w', v')) / w.v is the share of the similarity of w and v that the direction
g accounts for; w' is w without its component along g.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from fairvec.core.errors import UndefinedError
from fairvec.core.settings import settings
from fairvec.embedding import Embedding
from fairvec.geometry import COSINE, BoolArray, FloatArray, Geometry
from fairvec.geometry.directions import SMALLEST, beta, cosine_without_direction
from fairvec.geometry.norms import normalize_rows
from fairvec.lexicon import Found, Groups
from fairvec.metrics.base import Metric, OneSample, Score, Traits
from fairvec.metrics.bias.direction import Direction, bias_direction, require_target_words
from fairvec.metrics.bias.vocabulary import (
    NeighbourCount,
    Neighbours,
    Original,
    cosines_with,
    groups_in_original,
    nearest_words,
)


@settings
class IndirectBias(Metric):
    """How much of the likeness between neutral words passes through the direction g?

    sum (w.v - cos(w', v')) / sum w.v

    over the pairs (w, v): each word of x with each of y or, in a test with one list of words, each
    word with each other one. This is the mean of beta(w, v) weighted by the likeness w.v, which
    Bolukbasi et al. define for one pair only: the plain mean would be ruled by the pairs that are
    hardly alike, where beta divides by almost nothing. Positive: g brings the words together;
    negative: it keeps them apart, as it does where x leans to a and y to b; 0: it plays no part.
    Words that lean at random give a little less than 0, about minus the mean of cos(w, g)^2,
    since what is left of a word is brought back to length one. Each word's own number is the
    likeness it owes to g, on average over its partners.
    In the ball words are seen from the origin and the curvature is not noticed.

    Bolukbasi et al. (2016), NeurIPS 29, 4349-4357; arXiv:1607.06520, section 5.3.
    """

    name = "indirect-bias"
    meaning = (
        "The share of the likeness of the words that passes through the direction from B to A: "
        "positive: it brings them together; negative: it keeps them apart; 0: it plays no part."
    )
    similarity = COSINE
    traits = Traits(
        sees="words to A",
        shown="above",
        positive="the direction from B to A brings the words together",
    )

    direction: Direction = "auto"

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the share, and the likeness that each word owes to the direction."""
        words = require_target_words(groups)
        direction = bias_direction(groups, self.direction)
        units = normalize_rows(words.vectors)
        similarities, leanings = units @ units.T, units @ direction
        without_g = cosine_without_direction(similarities, leanings[:, None], leanings[None])
        through_g = similarities - without_g
        roles = np.array(words.roles)
        across = "x" in words.roles
        partners = roles[:, None] != roles if across else ~np.eye(len(roles), dtype=bool)
        share = _Share(similarities * partners, through_g * partners)
        rows = np.arange(len(roles), dtype=np.float64)[:, None]
        value = float(share(rows))
        if not partners.any() or np.isnan(value):
            raise UndefinedError(
                "The words are not alike on the whole, so there is no likeness of which a share "
                "could pass through the direction; use words of one kind."
            )
        per_word = share.through_g.sum(axis=1) / partners.sum(axis=1)
        return Score(value, words.shares(per_word), OneSample(rows, share))


@dataclass(frozen=True, eq=False)
class _Share:
    """The share of the similarity that passes through g, for batches of words given by row numbers.

    A word drawn twice counts twice with others, and is no pair with itself. Where the similarities
    add up to nothing the share is nan.
    """

    similarities: FloatArray
    through_g: FloatArray

    def __call__(self, rows: FloatArray) -> FloatArray:
        drawn = rows[..., 0].astype(np.intp)
        cases, words = drawn.reshape(-1, drawn.shape[-1]), len(self.similarities)
        # Sums over pairs need only how often each word was drawn, not the pairs themselves.
        starts = words * np.arange(len(cases))[:, None]
        uses = np.bincount((cases + starts).ravel(), minlength=words * len(cases))
        uses = uses.reshape(len(cases), words).astype(np.float64)
        through_g, similarities, size = (
            ((uses @ pairs) * uses).sum(axis=1)
            for pairs in (self.through_g, self.similarities, np.abs(self.similarities))
        )
        defined = similarities > SMALLEST * size
        shares: FloatArray = np.divide(
            through_g, similarities, out=np.full_like(through_g, np.nan), where=defined
        )
        return np.asarray(shares.reshape(drawn.shape[:-1]))


@settings
class Gipe(Metric):
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

    name = "gipe"
    meaning = (
        "The share of the words' neighbours that the direction from B to A brings near: "
        "0: none; 1: all."
    )
    similarity = COSINE
    traits = Traits(sees="X to A, Y to B", shown="above", whole_vocabulary=True)

    neighbours: NeighbourCount = 100
    threshold: Annotated[
        float,
        Field(
            description="From which indirect bias on a neighbour owes its place to the direction."
        ),
    ] = 0.05
    direction: Direction = "auto"
    original: Original = None

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the weighted mean and each word's share of illicit neighbours."""
        before = groups_in_original(groups, self.original)
        words, found = require_target_words(before), require_target_words(groups).found
        direction = bias_direction(before, self.direction)
        near = nearest_words(
            require_target_words(groups).vectors,
            [word.key for word in found],
            groups.vocabulary,
            self.neighbours,
        )
        leanings = cosines_with(direction, before.vocabulary)
        betas = beta(
            near.cosines
            if before is groups
            else _cosines_of_words(words.vectors, near, before.vocabulary),
            (normalize_rows(words.vectors) @ direction)[:, None],
            leanings[near.rows],
        )
        illicit = betas > self.threshold
        rows = np.column_stack([illicit.mean(axis=1), _weights(near, illicit, found, groups)])
        return Score(
            float(_weighted_mean(rows)), words.shares(rows[:, 0]), OneSample(rows, _weighted_mean)
        )


def _cosines_of_words(points: FloatArray, near: Neighbours, embedding: Embedding) -> FloatArray:
    """Return the cosine of each point with its neighbours in another embedding."""
    keys = embedding.keys
    return np.stack(
        [
            normalize_rows(embedding.rows([keys[row] for row in rows])) @ point
            for point, rows in zip(normalize_rows(points), near.rows, strict=True)
        ]
    )


def _weights(
    near: Neighbours, illicit: BoolArray, found: tuple[Found, ...], groups: Groups
) -> FloatArray:
    """Return gamma of each word."""
    words = len(groups.vocabulary)
    reached = np.bincount(near.rows.ravel(), minlength=words)
    illicitly = np.bincount(near.rows.ravel(), weights=illicit.ravel(), minlength=words)
    rows = [groups.vocabulary.positions.get(word.key) for word in found]
    return np.array(
        [1 + illicitly[row] / max(reached[row], 1) if row is not None else 1.0 for row in rows]
    )


def _weighted_mean(rows: FloatArray) -> FloatArray:
    """Return the mean of the first column weighted by the second, of each batch."""
    mean: FloatArray = rows.prod(axis=-1).sum(axis=-1) / rows[..., 1].sum(axis=-1)
    return mean

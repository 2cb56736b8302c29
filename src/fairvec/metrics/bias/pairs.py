"""Metrics over the pairs of a paired test, he-she and the like: RIPA and pair bias."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from fairvec.core.errors import UndefinedError
from fairvec.core.settings import settings
from fairvec.geometry import COSINE, FloatArray, Geometry, Similarity
from fairvec.geometry.directions import first_component
from fairvec.geometry.norms import check_spread, normalize_rows
from fairvec.lexicon import Groups
from fairvec.metrics.base import Metric, OneSample, Score, Traits, column_mean
from fairvec.metrics.bias.direction import paired_attributes, require_target_words

Relation = Literal["first-component", "per-pair"]


@settings
class Ripa(Metric):
    """How far does the relation between the words of a pair reach into other words?

    beta(w) = <w, r>; the value is mean_w beta(w)

    with the relation vector r of the pairs (a, b) of a paired test, and vectors at their full
    length: `first-component` (the paper's) is the unit first principal component of the
    differences a - b, pointing to a; `per-pair` the mean over pairs of (a - b)/|a - b|, so that
    beta is the mean over pairs, which is what WEFE computes. With one pair they agree.
    Positive: the words lean to a; negative: to b; 0: to neither. It has no bounds, since it grows
    with the lengths of the words; the paper reads it as a difference of log co-occurrences, which
    only a flat space has.

    Ethayarajh, Duvenaud & Hirst (2019), ACL, 1696-1705, doi:10.18653/v1/P19-1166.
    """

    name = "ripa"
    meaning = "Positive: the words lean to A; negative: to B; 0: to neither on the whole."
    traits = Traits(
        sees="words to A",
        shown="above",
        positive="the words lean to A",
        positive_words="a",
        swapped_attributes="turned",
        lengths="count",
        flat_only=True,
    )

    relation: Annotated[
        Relation,
        Field(
            description="How the relation of the pairs is found: as one component of all, or pair "
            "by pair."
        ),
    ] = "first-component"

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean inner product with the relation vector, and each word's own."""
        if geometry.curvature:
            raise UndefinedError(
                "RIPA reads inner products of vectors at full length, and the length of a point "
                "of the ball is not its distance; use signed-direct-bias there."
            )
        words = require_target_words(groups)
        vectors = check_spread(words.vectors, "numbers of the words' vectors")
        products = vectors @ self._relation(*paired_attributes(groups))
        sample = OneSample(products[:, None], column_mean)
        return Score(float(products.mean()), words.shares(products), sample)

    def _relation(self, a: FloatArray, b: FloatArray) -> FloatArray:
        if self.relation == "first-component":
            return first_component(a, b)
        if not np.any(a != b, axis=1).all():
            raise UndefinedError(
                "The two words of a pair have the same vector and so no relation; leave that "
                "pair out."
            )
        relation: FloatArray = normalize_rows(a - b).mean(axis=0)
        return relation


@settings
class PairBias(Metric):
    """Are words that should be neutral as near to one word of each pair as to the other?

    PairBias = mean_w mean_(a,b) |sim(w, a) - sim(w, b)|

    over neutral words w and the pairs (a, b) of a paired test. 0: every word is equally near to
    both words of every pair, as it is once the words are neutralised and the pairs equalised.
    Each word's own number is the signed mean: positive is nearer to a.

    Bolukbasi et al. (2016), arXiv:1607.06520, section 6, name PairBias and state this law
    (w.a = w.b and |w - a| = |w - b| after the two steps, "then PairBias = 0"); no formula of theirs
    is known to us, and this one is the mean deviation from that law.
    """

    name = "pair-bias"
    meaning = "0: every word is equally near to both words of each pair; larger: it is not."

    similarity: Annotated[Similarity, Field(description="How two points are compared.")] = COSINE

    @property
    def traits(self) -> Traits:
        """What holds of it; what lengths do depends on the settings."""
        return Traits(
            sees="X to A, Y to B",
            shown="above",
            positive_words="a",
            lengths="ignored" if self.similarity is COSINE else "count",
        )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean deviation, and each word's signed one."""
        words = require_target_words(groups)
        a, b = paired_attributes(groups)
        differences = self.similarity.measured(words.vectors, a, geometry)
        differences = differences - self.similarity.measured(words.vectors, b, geometry)
        rows = np.abs(differences).mean(axis=1, keepdims=True)
        shares = words.shares(differences.mean(axis=1))
        return Score(float(column_mean(rows)), shares, OneSample(rows, column_mean))

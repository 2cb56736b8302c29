"""The Word Embedding Association Test (WEAT), and the parts that SEAT and CEAT share with it.

Similarities of targets to attributes (`AttributeSimilarities`), the effect size under each
convention of the literature (`EffectSize`), and the score of two samples (`association_score`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Annotated

import numpy as np
from pydantic import Field

from fairvec.core.errors import NoSpreadError, UndefinedError, UnknownNameError
from fairvec.core.settings import settings
from fairvec.encoders import Representation
from fairvec.geometry import COSINE, FloatArray, Geometry, Similarity
from fairvec.lexicon import Group, Groups
from fairvec.metrics.base import Metric, Score, Traits, TwoSamples, WordShare
from fairvec.results.identities import Convention


def leanings(closeness: FloatArray) -> FloatArray:
    """Return s(w, A, B), the mean similarity to A minus that to B: positive leans to A."""
    lean: FloatArray = closeness[..., 0] - closeness[..., 1]
    return lean


def rounding(closeness: FloatArray) -> FloatArray:
    """Return the spread that rounding of similarities alone can produce."""
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


MOST_PAIRS = 3_600
"""Of 60 words and 60 attributes: nobody reads a larger table, and every result would store it."""


@dataclass(frozen=True, eq=False)
class AttributeSimilarities:
    """The similarity of every target (rows) to every point of A and of B (columns)."""

    to_a: FloatArray
    to_b: FloatArray

    @property
    def means(self) -> FloatArray:
        """One row a target, two columns: its mean similarity to A and to B."""
        return np.column_stack([self.to_a.mean(axis=1), self.to_b.mean(axis=1)])

    def mean_by_target(self, sizes: Sequence[int]) -> "AttributeSimilarities":
        """Average consecutive rows: `sizes` counts the rows (sentences) of each target word."""
        starts = np.cumsum([0, *sizes[:-1]])
        counts = np.array(sizes)[:, None]
        return AttributeSimilarities(
            np.add.reduceat(self.to_a, starts) / counts, np.add.reduceat(self.to_b, starts) / counts
        )

    def mean_by_attribute(self, sizes: Mapping[str, Sequence[int]]) -> "AttributeSimilarities":
        """Average consecutive columns: `sizes` counts those of each word of "a" and of "b"."""
        means = (
            AttributeSimilarities(points.T, points.T).mean_by_target(sizes[role]).to_a.T
            for role, points in (("a", self.to_a), ("b", self.to_b))
        )
        return AttributeSimilarities(*means)

    def shares(self, group: Group, *, ddof: int) -> list[WordShare]:
        """Return each word of a group with its leaning and its own effect size (WEFAT)."""
        similarities = np.concatenate([self.to_a, self.to_b], axis=1)
        spreads = similarities.std(axis=1, ddof=ddof)
        defined = spreads > rounding(similarities[..., None])
        means = self.means
        leans = leanings(means)
        rows = zip(group.found, leans, spreads, defined, means.tolist(), strict=True)
        return [
            WordShare(
                found, group.role, float(lean), float(lean / spread) if is_defined else None, (a, b)
            )
            for found, lean, spread, is_defined, (a, b) in rows
        ]


def attribute_similarities(
    targets: FloatArray, a: FloatArray, b: FloatArray, similarity: Similarity, geometry: Geometry
) -> AttributeSimilarities:
    """Compare every target with every point of A and of B."""
    if not (len(targets) and len(a) and len(b)):
        raise UndefinedError(
            "Of one of the lists no word has a vector that is not zero, so there is nothing to "
            "compare; use a model that knows its words."
        )
    to_a, to_b = (similarity.measured(targets, points, geometry) for points in (a, b))
    return AttributeSimilarities(to_a, to_b)


def similarity_table(x: AttributeSimilarities, y: AttributeSimilarities) -> FloatArray | None:
    """Return the similarity of every target to every word of A and B, or None above MOST_PAIRS."""
    table = np.block([[x.to_a, x.to_b], [y.to_a, y.to_b]])
    return table if table.size <= MOST_PAIRS else None


def association_score(
    samples: TwoSamples, words: Sequence[WordShare], similarity: Similarity, source: Representation
) -> Score:
    """Return the score of two samples; raise NoSpreadError if their leanings do not differ.

    Leanings that differ by no more than the rounding of the stored numbers are alike: after
    equalising the attributes, d would otherwise divide noise by noise.
    """
    value = float(samples.effect(samples.x, samples.y))
    leans = np.concatenate([samples.leanings(samples.x), samples.leanings(samples.y)])
    if np.isnan(value) or leans.std() <= _stored_rounding(samples, similarity, source):
        raise NoSpreadError(
            "All target words lean alike, up to the rounding of their vectors, so there is no "
            "spread to measure against; use lists with different words."
        )
    return Score(value, tuple(words), samples)


def _stored_rounding(samples: TwoSamples, similarity: Similarity, source: Representation) -> float:
    """Return how far rounding each of d stored numbers moves a similarity: about eps / sqrt(d).

    That is for cosines, which are at most 1; distances are as uncertain in proportion to their
    own size.
    """
    largest = max(float(np.nanmax(np.abs(rows))) for rows in (samples.x, samples.y))
    scale = 1.0 if similarity is COSINE else largest
    return source.precision / sqrt(source.dimensions) * scale


ASSOCIATION = Traits(
    sees="X to A, Y to B",
    shown="above",
    positive="X leans to A and Y to B",
    positive_words="a",
    swapped_attributes="turned",
    swapped_targets="turned",
    lengths="common",
)
"""What holds of every effect size of the leanings of X and Y."""


@settings
class AssociationTest(Metric):
    """What WEAT, SEAT and CEAT have in common: four lists, and an effect size by a convention."""

    needs = ("x", "y", "a", "b")
    meaning = "Positive: X leans to A and Y to B; negative: the other way round; 0: no difference."

    similarity: Annotated[Similarity, Field(description="How two points are compared.")] = COSINE
    effect_size: Annotated[
        EffectSize, Field(description="What the difference of means is divided by.")
    ] = CALISKAN

    @property
    def traits(self) -> Traits:
        """What its sign says, and that a common unit of length does not matter."""
        return ASSOCIATION

    @property
    def convention(self) -> Convention:
        """The convention of the effect size."""
        return self.effect_size.convention


@settings
class Weat(AssociationTest):
    """Are the words of X closer to A, and those of Y closer to B, than chance allows?

    s(w, A, B) = mean_a sim(w, a) - mean_b sim(w, b)
    d = (mean_x s(x, A, B) - mean_y s(y, A, B)) / spread of s over X and Y

    Positive: X leans to A and Y to B; zero: no difference; with equal list sizes |d| < 2.
    Each word also gets its own effect size (WEFAT): s(w, A, B) over the standard deviation of
    its similarities to all words of A and B.

    Caliskan, Bryson & Narayanan (2017), Science 356, 183-186.
    """

    name = "weat"

    @property
    def traits(self) -> Traits:
        """What holds of it; cosines do not see lengths."""
        return replace(ASSOCIATION, lengths="ignored") if self.similarity is COSINE else ASSOCIATION

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return d, each word's leaning, and the closeness of each word to A and B to regroup."""
        similarities = {
            role: attribute_similarities(
                groups[role].vectors,
                groups["a"].vectors,
                groups["b"].vectors,
                self.similarity,
                geometry,
            )
            for role in ("x", "y")
        }
        words = [
            share
            for role, own in similarities.items()
            for share in own.shares(groups[role], ddof=self.convention.ddof)
        ]
        samples = TwoSamples(
            similarities["x"].means, similarities["y"].means, leanings, self.effect_size
        )
        score = association_score(samples, words, self.similarity, groups.source)
        table = similarity_table(similarities["x"], similarities["y"])
        return replace(score, near=table)

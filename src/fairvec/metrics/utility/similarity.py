"""Word similarity: whether a model ranks pairs of words as people do."""

from collections.abc import Sequence
from math import inf
from typing import Annotated

import numpy as np
from pydantic import Field

from fairvec.benchmarks import SimilaritySet, text_vectors
from fairvec.core.errors import UndefinedError
from fairvec.core.settings import settings
from fairvec.encoders import Representation
from fairvec.geometry import (
    NEGATIVE_DISTANCE,
    NEGATIVE_SQUARED_DISTANCE,
    Similarity,
    default_similarity,
)
from fairvec.metrics.base import OneSample
from fairvec.metrics.utility.base import UtilityScore
from fairvec.stats import spearman

SMALLEST_SQUARE = 1e-280
"""A smaller square of a distance has lost digits, or is zero."""

FEWEST = 3
"""Two pairs always agree or disagree completely."""


@settings
class WordSimilarity:
    """Spearman's rank correlation of people's scores and the model's similarities.

    rho = corr(rank(human score), rank(sim(one, other))) over the pairs of which both words have a
    vector, equal values sharing their mean rank; the similarity is the geometry's own (cosine in
    flat space, -distance in the ball) unless one is named. 1: the same order; 0: no relation.

    Spearman (1904); used so by Finkelstein et al. (2002) and since.
    """

    name = "word-similarity"
    meaning = (
        "1: the model ranks pairs of words by likeness as people do; 0: its ranking has nothing to "
        "do with theirs; -1: it is the reverse."
    )

    similarity: Annotated[
        Similarity | None,
        Field(description="How two points are compared; by default the geometry's own way."),
    ] = None

    def measure(self, benchmark: SimilaritySet, model: Representation) -> tuple[UtilityScore, ...]:
        """Return the correlation as one figure; raise UndefinedError if there is none."""
        vectors = text_vectors(benchmark.texts, model, benchmark.language)
        items = tuple(
            item
            for item, (one, other, _) in enumerate(benchmark.pairs)
            if one in vectors and other in vectors
        )
        if len(items) < FEWEST:
            raise UndefinedError(
                f"{model.name} knows both words of {len(items)} of the {len(benchmark.pairs)} "
                f"pairs of {benchmark.title} and {FEWEST} are needed; use a model that knows more."
            )
        similarity = self.similarity or default_similarity(model.geometry)
        pairs = [benchmark.pairs[item] for item in items]
        points = [(vectors[one][None], vectors[other][None]) for one, other, _ in pairs]
        similarities = [similarity.between(*pair, model.geometry).item() for pair in points]
        if similarity == NEGATIVE_SQUARED_DISTANCE and not _squares_keep_order(similarities):
            # The order is the same, and the order is all that counts.
            distance_of = NEGATIVE_DISTANCE.between
            similarities = [distance_of(*pair, model.geometry).item() for pair in points]
        rows = np.array(
            [(score, each) for (*_, score), each in zip(pairs, similarities, strict=True)]
        )
        rho = float(spearman(rows))
        if not np.isfinite(rho):
            raise UndefinedError(
                f"{benchmark.title}: the scores or the similarities of its {len(items)} pairs in "
                f"{model.name} are all the same, so that they have no order; use another set."
            )
        missing = tuple(word for word in benchmark.texts if word not in vectors)
        samples = OneSample(rows, spearman)
        return (UtilityScore("", rho, samples, items, len(benchmark.pairs), missing),)


def _squares_keep_order(squares: Sequence[float]) -> bool:
    """Whether negative squared distances neither underflow nor overflow, and so keep the order."""
    return all(SMALLEST_SQUARE <= -square < inf for square in squares)

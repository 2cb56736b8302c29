"""Word similarity: whether an embedding ranks pairs of words as people do."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairvec.benchmarks import SimilaritySet, vectors_of
from fairvec.embedding import Embedding
from fairvec.geometry import Similarity, natural_similarity
from fairvec.ground.errors import UndefinedError
from fairvec.metrics.score import OneSample
from fairvec.metrics.utility.score import Usefulness
from fairvec.stats import spearman

FEWEST = 3
"""Two pairs always agree or disagree completely."""


@dataclass(frozen=True)
class WordSimilarity:
    """Spearman's rank correlation of people's scores and the model's similarities.

    rho = corr(rank(human score), rank(sim(one, other))) over the pairs of which both words have a
    vector, equal values sharing their mean rank; the similarity is the geometry's own (cosine in
    flat space, -distance in the ball) unless one is named. 1: the same order; 0: no relation.

    Spearman (1904); used so by Finkelstein et al. (2002) and since.
    """

    name: ClassVar[str] = "word-similarity"
    meaning: ClassVar[str] = (
        "1: the model ranks pairs of words by likeness as people do; 0: its ranking has nothing to "
        "do with theirs; -1: it is the reverse."
    )

    similarity: Similarity | None = None

    def measure(self, benchmark: SimilaritySet, embedding: Embedding) -> tuple[Usefulness, ...]:
        """Return the correlation as one figure; raise UndefinedError if there is none."""
        vectors = vectors_of(benchmark.words, embedding, benchmark.language)
        items = tuple(
            place
            for place, (one, other, _) in enumerate(benchmark.pairs)
            if one in vectors and other in vectors
        )
        if len(items) < FEWEST:
            raise UndefinedError(
                f"{embedding.name} knows both words of {len(items)} of the {len(benchmark.pairs)} "
                f"pairs of {benchmark.title} and {FEWEST} are needed; use a model that knows more."
            )
        alike = (self.similarity or natural_similarity(embedding.geometry)).between
        rows = np.empty((len(items), 2))
        for row, place in zip(rows, items, strict=True):
            one, other, score = benchmark.pairs[place]
            pair = vectors[one][None], vectors[other][None]
            row[:] = score, alike(*pair, embedding.geometry).item()
        rho = float(spearman(rows))
        if not np.isfinite(rho):
            raise UndefinedError(
                f"{benchmark.title}: the scores or the similarities of its {len(items)} pairs in "
                f"{embedding.name} are all the same, so that they have no order; use another set."
            )
        missing = tuple(word for word in benchmark.words if word not in vectors)
        samples = OneSample(rows, spearman)
        return (Usefulness("", rho, samples, items, len(benchmark.pairs), missing),)

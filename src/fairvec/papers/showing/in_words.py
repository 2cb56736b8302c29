"""Answers that are words: which word completes an analogy."""

from collections.abc import Sequence

import numpy as np

from fairvec.benchmarks import matches_of
from fairvec.embedding import Embedding
from fairvec.ground.errors import UndefinedError
from fairvec.metrics.bias.parts.vocabulary import check_whole
from fairvec.metrics.utility import Analogies

LISTED = 5


def completed(
    question: Sequence[str], embedding: Embedding, metric: Analogies, language: str = "en"
) -> tuple[str, ...]:
    """Return the words that best complete a : b :: c : ?, the best first."""
    check_whole(embedding)
    found = matches_of(question, embedding, language)
    if absent := [word for word in question if word not in found or found[word].parts]:
        raise UndefinedError(
            f"{embedding.name} lacks {' and '.join(absent)}; use a model that knows the question."
        )
    rows = np.array([[embedding.positions[found[word].key] for word in question]])
    count = min(LISTED, len(embedding) - len(question))
    best = metric.most_alike(rows, embedding, count).rows[0]
    return tuple(embedding.keys[row] for row in best)

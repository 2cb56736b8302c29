"""From one vector a token to one vector a sentence.

Each takes the tokens' vectors (sentences, tokens, width) and 1 for each token that counts, 0 for
the others (sentences, tokens). Special tokens count, as in sentence-transformers.
"""

from collections.abc import Callable
from typing import Any


def _first(vectors: Any, counted: Any) -> Any:
    return vectors[:, 0]


def _last(vectors: Any, counted: Any) -> Any:
    rows = range(len(vectors))
    return vectors[list(rows), counted.sum(dim=1) - 1]


def _mean(vectors: Any, counted: Any) -> Any:
    shares = counted.to(vectors.dtype)
    return (vectors * shares[:, :, None]).sum(dim=1) / shares.sum(dim=1, keepdim=True)


def _mean_by_root(vectors: Any, counted: Any) -> Any:
    number = counted.sum(dim=1, keepdim=True).to(vectors.dtype)
    return _mean(vectors, counted) * number.sqrt()


def _weighted_mean(vectors: Any, counted: Any) -> Any:
    return _mean(vectors, counted * counted.cumsum(dim=1))


def _greatest(vectors: Any, counted: Any) -> Any:
    return vectors.masked_fill(counted[:, :, None] == 0, float("-inf")).amax(dim=1)


POOLINGS: dict[str, Callable[[Any, Any], Any]] = {
    "cls": _first,
    "max": _greatest,
    "mean": _mean,
    "mean_sqrt_len_tokens": _mean_by_root,
    "weightedmean": _weighted_mean,
    "lasttoken": _last,
    "last": _last,
    "word": _mean,
}
"""By name; `word` is the mean where only the tokens of the word count."""

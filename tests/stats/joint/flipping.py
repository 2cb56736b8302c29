"""Joint regroupings the slow way: every word changes side or does not."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from fairvec.core.numeric import FloatArray
from fairvec.stats import ScoredLists


def lists(
    x: Sequence[str], y: Sequence[str], x_scores: ArrayLike, y_scores: ArrayLike
) -> ScoredLists:
    return ScoredLists(tuple(x), tuple(y), np.array(x_scores, float), np.array(y_scores, float))


def drawn_lists(
    words: Sequence[tuple[str, str]], seed: int, *, leaning: float = 0.0
) -> list[ScoredLists]:
    """Tests of the letters in each pair of strings, with normal scores."""
    generator = np.random.default_rng(seed)
    return [
        lists(x, y, generator.normal(leaning, 1, len(x)), generator.normal(0, 1, len(y)))
        for x, y in words
    ]


def d_of(x: FloatArray, y: FloatArray) -> float:
    return float((x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=1))


def flipped(tests: Sequence[ScoredLists]) -> Iterator[tuple[frozenset[str], list[float]]]:
    """Yield the words that change side, wherever all lists keep their sizes, and each test's d."""
    words = sorted({word for test in tests for word in (*test.x, *test.y)})
    for signs in product((False, True), repeat=len(words)):
        away = {word for word, gone in zip(words, signs, strict=True) if gone}
        if any(len(away.intersection(test.x)) != len(away.intersection(test.y)) for test in tests):
            continue
        effects = []
        for test in tests:
            scores = np.concatenate([test.x_scores, test.y_scores])
            is_x = np.array(
                [word not in away for word in test.x] + [word in away for word in test.y]
            )
            effects.append(d_of(scores[is_x], scores[~is_x]))
        yield frozenset(away), effects


def pooled(every: FloatArray, own: FloatArray, sigma: FloatArray | None = None) -> FloatArray:
    """The pooled effect of every regrouping (a row), by the formulas and with loops."""
    if sigma is None:
        sigma = np.atleast_2d(np.cov(every.T, ddof=0))
    correlations = sigma / np.sqrt(np.outer(np.diag(sigma), np.diag(sigma)))
    repeats = (correlations**2).sum(axis=1)
    weights = 1 / (own * repeats)
    moments = np.diag(weights) - np.outer(weights, weights) / weights.sum()
    found = []
    for effects in every:
        q = effects @ moments @ effects
        trace = np.trace(moments)
        between = max(0.0, (q - np.trace(moments @ sigma)) / trace) if len(own) > 1 else 0.0
        shares = 1 / ((own + between) * repeats)
        found.append(shares @ effects / shares.sum())
    return np.array(found)

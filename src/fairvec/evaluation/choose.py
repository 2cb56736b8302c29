"""Which of the shipped suites speak a model's language."""

from dataclasses import dataclass

from fairvec.embedding import Embedding
from fairvec.errors import LexiconError
from fairvec.lexicon import Suite, coverage, shipped_suites

FITTING_COVERAGE = 0.5
"""A suite fits a model that knows at least this share of its words."""


@dataclass(frozen=True)
class Fit:
    """A suite and the share of its words that a model knows."""

    suite: Suite
    coverage: float


def fitting_suites(embedding: Embedding) -> list[Fit]:
    """Return the shipped suites of whose words the embedding knows at least half."""
    fits = [Fit(suite, coverage(suite, embedding)) for suite in shipped_suites()]
    fitting = [fit for fit in fits if fit.coverage >= FITTING_COVERAGE]
    if not fitting:
        best = max(fits, key=lambda fit: fit.coverage)
        raise LexiconError(
            f"{embedding.name}: no shipped suite fits; the nearest, {best.suite.id}, has "
            f"{best.coverage:.0%} of its words in the model. Name a suite or write one with "
            "'fairvec suites new'."
        )
    return fitting

"""Which shipped suites speak a model's language, and which of their tests a metric can run."""

from collections.abc import Sequence
from dataclasses import dataclass

from fairvec.embedding import Embedding
from fairvec.errors import FairvecError, LexiconError
from fairvec.lexicon import (
    Concept,
    ConceptWords,
    Selected,
    Suite,
    Test,
    Word,
    coverage,
    shipped_suites,
)
from fairvec.metrics import Metric

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


def tests_for(metric: Metric, fits: Sequence[Fit]) -> tuple[Selected, ...]:
    """Return the tests of the suites that the metric can run, each set of lists once.

    Papers borrow lists from one another; the same lists twice would only weaken every correction.
    """
    chosen: dict[frozenset[tuple[str, frozenset[str]]], Selected] = {}
    for fit in fits:
        for test in fit.suite.tests:
            if all(test.filling(role) for role in metric.needs):
                chosen.setdefault(_lists(test), Selected(fit.suite, test))
    return tuple(chosen.values())


def words_of_tests(tests: Sequence[Selected]) -> list[Word]:
    """Return every word of the tests."""
    lists = (wordset for each in tests for wordset in each.test.sets.values())
    return [word for wordset in lists for word in wordset.words]


def what_is_left(concept: Concept, held_out: Concept, embedding: Embedding) -> str:
    """Say how much of a concept holding words out has left; nothing if that is all of it.

    Counted are the words that an embedding has, because that decides which of them are tested.
    """
    left, known = (ConceptWords(one, embedding).defining for one in (held_out, concept))
    if left == known:
        return ""
    apart = concept.variant != "apart" and _keeps(concept, held_out, "apart", embedding)
    remedy = f"; {concept.id}:apart has no tested word and keeps them all" if apart else ""
    return (
        f"Fitted without any tested word: of the {len(known)} words that define {concept.name} in "
        f"{embedding.name} {len(left)} are left, and few words make a poor direction{remedy}."
    )


def _keeps(concept: Concept, held_out: Concept, variant: str, embedding: Embedding) -> bool:
    """Return whether a variant of a concept has all its words left."""
    try:
        left, known = (
            ConceptWords(one.choosing(variant), embedding).defining for one in (held_out, concept)
        )
    except FairvecError:  # no such variant, or the embedding knows too little of it
        return False
    return left == known


def _lists(test: Test) -> frozenset[tuple[str, frozenset[str]]]:
    return frozenset(
        (role, frozenset(word.word for word in wordset.words))
        for role, wordset in test.sets.items()
    )

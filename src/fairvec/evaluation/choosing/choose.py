"""Which shipped suites speak a model's language, and which of their tests a metric can run."""

from collections.abc import Sequence
from dataclasses import replace

from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.evaluation.choosing.languages import (
    FITTING_COVERAGE,
    Fit,
    fits_of,
    languages_of,
)
from fairvec.evaluation.choosing.unfitting import why_none
from fairvec.ground.errors import FairvecError, LexiconError
from fairvec.ground.numbers import counted
from fairvec.lexicon import Concept, ConceptWords, Selected, Test, Word
from fairvec.metrics import Metric


def fitting_suites(model: Representation) -> list[Fit]:
    """Return the shipped suites of the model's languages of whose words it knows half."""
    languages = languages_of(model)
    fits = fits_of(model, languages)
    fitting = [fit for fit in fits if fit.coverage >= FITTING_COVERAGE]
    if not fitting:
        raise LexiconError(f"{model.name}: {why_none(model, fits)}")
    return fitting


def tests_for(metric: Metric, fits: Sequence[Fit]) -> tuple[Selected, ...]:
    """Return the tests of the suites that the metric can run, each set of lists once.

    Papers borrow lists from one another: the first test of a kind with some lists stands for the
    later ones of other suites, and says so.
    """
    chosen: dict[tuple[str, frozenset[tuple[str, frozenset[str]]]], Selected] = {}
    for fit in fits:
        for test in fit.suite.tests:
            if not all(test.filling(role) for role in metric.needs):
                continue
            lists = (test.kind, _lists(test))
            first = chosen.setdefault(lists, Selected(fit.suite, test))
            if first.test is not test:
                chosen[lists] = replace(first, also=(*first.also, test.id))
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
    remedy = "; its variant apart has no tested word and keeps them all" if apart else ""
    defining = counted(len(known), "word that defines", "words that define")
    return (
        f"Fitted without any tested word: of the {defining} {concept.name} in {embedding.name} "
        f"{counted(len(left), 'is', 'are')} left, and few words make a poor direction{remedy}."
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

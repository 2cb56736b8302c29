"""Which suites fit a model and a metric, and why none does."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from fairvec.core.errors import FairvecError, LexiconError
from fairvec.core.format import format_percent_floor, pluralize
from fairvec.core.text import short_repr
from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.experiments.audit.languages import (
    FITTING_COVERAGE,
    SuiteCoverage,
    keys_by_script,
    languages_of,
    suite_coverages,
)
from fairvec.languages.language import script_of_language
from fairvec.languages.words import Word
from fairvec.lexicon import (
    Concept,
    ConceptWords,
    SelectedTest,
    Selector,
    Suite,
    Test,
    shipped_suites,
)
from fairvec.lexicon.python_lists import UNSAID
from fairvec.metrics import Metric

# Why no shipped suite fits a model, and what helps.


STRANGE = 0.1
"""Of whose words less is known has keys of another kind, rather than too few words."""
SAMPLE = 200
TAGGED = re.compile(r".+[_|/#.][A-Z][A-Z0-9$]*")
"""A key with a part of speech, universal (woman_NOUN) or not (woman_NN, woman|NOUN)."""


def no_suite_note(model: Representation, fits: Sequence[SuiteCoverage]) -> str:
    """Say why no suite is chosen for a model, and what helps."""
    remedy = "Name a suite or write one with 'fairvec suites new'."
    said = ", ".join(model.languages)
    if said and not fits:
        return f"no shipped suite is in {said}. {remedy}"
    every = {suite.language: None for suite in shipped_suites()}
    best = max(fits or suite_coverages(model, list(every)), key=lambda fit: fit.coverage)
    if best.coverage >= FITTING_COVERAGE and not isinstance(model, Embedding):
        return (
            "what it is made of does not tell its language; say --language en (language='en'), or "
            "whichever it is."
        )
    if best.coverage >= FITTING_COVERAGE and isinstance(model, Embedding):
        ((written, _),) = keys_by_script(model).most_common(1)
        language = best.suite.language
        return (
            f"no shipped suite is in a language of its keys, which are {written} for the most "
            f"part; if it is to be measured in {language}, say --language {language} "
            f"(language={language!r})."
        )
    of_language = f" in {said}" if said else ""
    share = f"none{of_language} has a word"
    if best.coverage:
        many = format_percent_floor(best.coverage)
        share = f"the nearest{of_language}, {best.suite.id}, has {many} of its words"
    keys = _keys_in_words(model) if best.coverage < STRANGE else ""
    return f"no shipped suite fits; {share} in the model{keys}. {remedy}"


def _keys_in_words(model: Representation) -> str:
    """Say how the keys begin, which tells numbers, odd letters and tags from words."""
    if not isinstance(model, Embedding):
        return ""
    first = [*islice(model.keys, SAMPLE)]
    tagged = 2 * sum(TAGGED.fullmatch(key) is not None for key in first) > len(first)
    advice = "; of tags the universal ones are understood, as in woman_NOUN" if tagged else ""
    return f", whose keys begin with {', '.join(short_repr(key, 20) for key in first[:3])}{advice}"


def fitting_suites(model: Representation) -> list[SuiteCoverage]:
    """Return the shipped suites of the model's languages of whose words it knows half."""
    languages = languages_of(model)
    fits = suite_coverages(model, languages)
    fitting = [fit for fit in fits if fit.coverage >= FITTING_COVERAGE]
    if not fitting:
        raise LexiconError(f"{model.name}: {no_suite_note(model, fits)}")
    return fitting


def tests_for(metric: Metric, fits: Sequence[SuiteCoverage]) -> tuple[SelectedTest, ...]:
    """Return the tests of the suites that the metric can run, each set of lists once.

    Papers borrow lists from one another: the first test of a kind with some lists stands for the
    later ones of other suites, and says so.
    """
    chosen: dict[tuple[str, frozenset[tuple[str, frozenset[str]]]], SelectedTest] = {}
    for fit in fits:
        for test in fit.suite.tests:
            if not all(test.filling(role) for role in metric.needs):
                continue
            lists = (test.kind, _lists(test))
            first = chosen.setdefault(lists, SelectedTest(fit.suite, test))
            if first.test is not test:
                chosen[lists] = replace(first, also=(*first.also, test.id))
    return tuple(chosen.values())


def words_of_tests(tests: Sequence[SelectedTest]) -> list[Word]:
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
    defining = pluralize(len(known), "word that defines", "words that define")
    return (
        f"Fitted without any tested word: of the {defining} {concept.name} in {embedding.name} "
        f"{pluralize(len(left), 'is', 'are')} left, and few words make a poor direction{remedy}."
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


# In which language lists are read of which nobody said one: that of the models they are put to.


def tests_in_language(
    asked: Sequence[Selector], models: Sequence[Representation]
) -> list[Selector]:
    """Return tests and suites with the language of the models where they have none."""
    return [_in_language(one, models) for one in asked]


def concept_in_language(concept: Concept, model: Representation) -> Concept:
    """Return a concept with the language of the model where it has none."""
    if concept.language != UNSAID:
        return concept
    language = _language(concept.definition.entries, [model])
    return concept.model_copy(update={"language": language})


def language_of_words(words: Iterable[Word], spoken: Iterable[str]) -> str:
    """Return the one language of those spoken that is written as the words are; else unsaid."""
    texts = [word.word for word in words]
    written = script_of_language("", texts)
    fitting = [each for each in spoken if script_of_language(each, texts) == written]
    return fitting[0] if len(fitting) == 1 else UNSAID


def _in_language(one: Selector, models: Sequence[Representation]) -> Selector:
    if not isinstance(one, Suite | Test) or one.language != UNSAID:
        return one
    lists = (wordset for wordset in one.sets.values())
    language = _language((word for wordset in lists for word in wordset.words), models)
    if isinstance(one, Test):
        return one.model_copy(update={"language": language})
    tests = tuple(test.model_copy(update={"language": language}) for test in one.tests)
    return one.model_copy(update={"language": language, "tests": tests})


def _language(words: Iterable[Word], models: Sequence[Representation]) -> str:
    spoken = dict.fromkeys(language for model in models for language in languages_of(model))
    return language_of_words(words, spoken)

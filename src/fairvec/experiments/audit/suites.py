"""The suites and tests that fit a model and a metric, and the language of lists without one."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Annotated

from pydantic import Field

from fairvec.core.errors import FairvecError, LexiconError
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
from fairvec.messages.remarks import (
    UNTOLD_LANGUAGE,
    holdout_note,
    key_examples,
    no_suite_fits,
    no_suite_in,
    no_suite_of_script,
)
from fairvec.metrics import Metric

FOREIGN_COVERAGE = 0.1
"""A model that knows a smaller share of every suite has keys of another kind, not too few words."""
SAMPLED_KEYS = 200
TAGGED_KEY = re.compile(r".+[_|/#.][A-Z][A-Z0-9$]*")
"""A key with a part of speech, universal (woman_NOUN) or not (woman_NN, woman|NOUN)."""


def no_suite_note(model: Representation, fits: Sequence[SuiteCoverage]) -> str:
    """Say why no suite is chosen for a model, and what helps."""
    languages = ", ".join(model.languages)
    if languages and not fits:
        return no_suite_in(languages)
    all_languages = {suite.language: None for suite in shipped_suites()}
    nearest = max(fits or suite_coverages(model, list(all_languages)), key=lambda fit: fit.coverage)
    if nearest.coverage >= FITTING_COVERAGE and not isinstance(model, Embedding):
        return UNTOLD_LANGUAGE
    if nearest.coverage >= FITTING_COVERAGE and isinstance(model, Embedding):
        ((script, _),) = keys_by_script(model).most_common(1)
        return no_suite_of_script(script, nearest.suite.language)
    keys = _key_examples(model) if nearest.coverage < FOREIGN_COVERAGE else ""
    return no_suite_fits(languages, nearest.suite.id, nearest.coverage, keys)


def _key_examples(model: Representation) -> str:
    """Quote the first keys, so that a reader sees numbers, foreign letters or tags."""
    if not isinstance(model, Embedding):
        return ""
    sample = [*islice(model.keys, SAMPLED_KEYS)]
    tagged = 2 * sum(TAGGED_KEY.fullmatch(key) is not None for key in sample) > len(sample)
    return key_examples(sample[:3], tagged=tagged)


def fitting_suites(model: Representation) -> list[SuiteCoverage]:
    """Return the shipped suites of the model's languages that it knows half of the words of."""
    languages = languages_of(model)
    fits = suite_coverages(model, languages)
    fitting = [fit for fit in fits if fit.coverage >= FITTING_COVERAGE]
    if not fitting:
        raise LexiconError(f"{model.name}: {no_suite_note(model, fits)}")
    return fitting


def tests_for(metric: Metric, fits: Sequence[SuiteCoverage]) -> tuple[SelectedTest, ...]:
    """Return the tests of the suites that the metric can run, each set of lists once.

    Papers borrow lists from one another: the first test with the same lists and kind stands for the
    later ones of other suites, which its `also` names.
    """
    chosen: dict[tuple[str, frozenset[tuple[str, frozenset[str]]]], SelectedTest] = {}
    for fit in fits:
        for test in fit.suite.tests:
            if not all(test.filling(role) for role in metric.needs):
                continue
            lists = (test.kind, _word_lists(test))
            first = chosen.setdefault(lists, SelectedTest(fit.suite, test))
            if first.test is not test:
                chosen[lists] = replace(first, also=(*first.also, test.id))
    return tuple(chosen.values())


def words_of_tests(tests: Sequence[SelectedTest]) -> list[Word]:
    """Return every word of the tests."""
    lists = (wordset for each in tests for wordset in each.test.sets.values())
    return [word for wordset in lists for word in wordset.words]


Holdout = Annotated[
    bool,
    Field(
        description="Fit without any word of the tests that judge the change; those of benchmarks "
        "may be used."
    ),
]


def hold_out(concept: Concept, tests: Sequence[SelectedTest]) -> Concept:
    """Return the concept without the words of the tests."""
    languages = dict.fromkeys(each.test.language for each in tests)
    return concept.without(words_of_tests(tests), languages)


def describe_holdout(concept: Concept, held_out: Concept, embedding: Embedding) -> str:
    """Say how many words of a concept are left after holding out the tested ones; "" if all are.

    Only the words that the embedding has are counted.
    """
    words_left, words_known = (
        ConceptWords(concept_version, embedding).defining for concept_version in (held_out, concept)
    )
    if words_left == words_known:
        return ""
    apart = concept.variant != "apart" and _keeps(concept, held_out, "apart", embedding)
    return holdout_note(
        concept.name, len(words_known), len(words_left), embedding.name, apart=apart
    )


def _keeps(concept: Concept, held_out: Concept, variant: str, embedding: Embedding) -> bool:
    """Return whether holding words out leaves a variant of a concept all its words."""
    try:
        words_left, words_known = (
            ConceptWords(concept_version.choosing(variant), embedding).defining
            for concept_version in (held_out, concept)
        )
    except FairvecError:  # no such variant, or the embedding knows too little of it
        return False
    return words_left == words_known


def _word_lists(test: Test) -> frozenset[tuple[str, frozenset[str]]]:
    return frozenset(
        (role, frozenset(word.word for word in wordset.words))
        for role, wordset in test.sets.items()
    )


def tests_in_language(
    selectors: Sequence[Selector], models: Sequence[Representation]
) -> list[Selector]:
    """Return tests and suites with the language of the models where they have none."""
    return [_with_language(selector, models) for selector in selectors]


def concept_in_language(concept: Concept, model: Representation) -> Concept:
    """Return a concept with the language of the model where it has none."""
    if concept.language != UNSAID:
        return concept
    language = _language_of(concept.definition.entries, [model])
    return concept.model_copy(update={"language": language})


def language_of_words(words: Iterable[Word], languages: Iterable[str]) -> str:
    """Return the one language that is written in the script of the words; UNSAID if not one."""
    texts = [word.word for word in words]
    script = script_of_language("", texts)
    fitting = [language for language in languages if script_of_language(language, texts) == script]
    return fitting[0] if len(fitting) == 1 else UNSAID


def _with_language(selector: Selector, models: Sequence[Representation]) -> Selector:
    if not isinstance(selector, Suite | Test) or selector.language != UNSAID:
        return selector
    lists = (wordset for wordset in selector.sets.values())
    language = _language_of((word for wordset in lists for word in wordset.words), models)
    if isinstance(selector, Test):
        return selector.model_copy(update={"language": language})
    tests = tuple(test.model_copy(update={"language": language}) for test in selector.tests)
    return selector.model_copy(update={"language": language, "tests": tests})


def _language_of(words: Iterable[Word], models: Sequence[Representation]) -> str:
    languages = dict.fromkeys(language for model in models for language in languages_of(model))
    return language_of_words(words, languages)

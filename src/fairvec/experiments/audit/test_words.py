"""The words of a model that tests look up, those out of vocabulary, and whether they are enough."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, product
from typing import get_args

from fairvec.core.errors import LexiconError, UnanswerableError, UnknownNameError
from fairvec.core.validation import as_list
from fairvec.embedding import Embedding, Lookup, Step
from fairvec.embedding.formats.base import FileContent, Unseen
from fairvec.experiments.audit.suites import fitting_suites, tests_in_language
from fairvec.experiments.provenance import composed_words
from fairvec.languages.sentences import templates
from fairvec.lexicon import Groups, SelectedTest, Selectors, resolve, select_tests
from fairvec.messages.remarks import composed_words_note, coverage_remedy
from fairvec.metrics import CorpusMetric, Metric
from fairvec.metrics.bias.seat import (
    AttributeTemplates,
    TargetTemplates,
    choose_templates,
    fill_templates,
)


def restrict_to_tests(embedding: Embedding, chosen: Sequence[SelectedTest]) -> Embedding:
    """Return the part of an embedding that the tests, and their sentences, look up."""
    keys = {
        key
        for test in (selected_test.test for selected_test in chosen)
        for key in _keys(resolve(test, embedding), embedding.lookup(test.language))
    }
    rows = sorted(embedding.positions[key] for key in keys)
    counts = embedding.counts
    return replace(
        embedding,
        keys=[embedding.keys[row] for row in rows],
        vectors=embedding.vectors[rows],
        counts=counts if counts is None else counts[rows],
        history=(
            *embedding.history,
            Step("subset", {"of": embedding.name, "words": "those of tests"}),
        ),
    )


def _keys(groups: Groups, lookup: Lookup) -> Iterator[str]:
    for group in groups.groups.values():
        for found in (*group.found, *group.merged):
            yield from found.keys
    for words in _surroundings(groups):
        for match in filter(None, (lookup.find([word]) for word in words)):
            yield from match.keys


def _surroundings(groups: Groups) -> set[tuple[str, ...]]:
    """Return the words around those of a test in the sentences of templates, each once."""
    if not {"x", "y", "a", "b"} <= groups.groups.keys():
        return set()
    try:
        available = templates(groups.test.language)
    except UnknownNameError:  # no metric makes sentences in a language without templates
        return set()
    settings = product(get_args(TargetTemplates), get_args(AttributeTemplates))
    filled = (
        fill_templates(groups, choose_templates(groups, available, *chosen)) for chosen in settings
    )
    sentences = chain.from_iterable(chain.from_iterable(chosen.values()) for chosen in filled)
    return {sentence.surroundings for sentence in chain.from_iterable(sentences)}


def oov_test_words(suites: Selectors | None, language: str | Sequence[str] | None = None) -> Unseen:
    """Return a function that names the words of the tests that are out of vocabulary.

    Models that compose words from pieces call it with the content of their file. Without `suites`
    the tests are those of the shipped suites that fit the vocabulary. A word that is found in
    another spelling keeps the vector of that spelling, which was learnt; entries of several words
    are not composed.
    """

    def missing(content: FileContent) -> list[str]:
        model = Embedding(content.keys, content.vectors, name="vocabulary")
        if language is not None or content.languages:
            model = model.with_languages(content.languages if language is None else language)
        words = [
            missing_word.word.word
            for selected in _tests(suites, model)
            for group in resolve(selected.test, model).groups.values()
            for missing_word in group.missing
        ]
        return [word for word in dict.fromkeys(words) if len(word.split()) == 1]

    return missing


def composed_note(model: Embedding) -> str:
    """Say how many words were composed while a model was read; "" if none was."""
    words = composed_words(model)
    if not words:
        return ""
    return composed_words_note(model.name, len(words))


def _tests(suites: Selectors | None, model: Embedding) -> list[SelectedTest]:
    if suites is not None:
        return select_tests(tests_in_language(as_list(suites), [model]))
    try:
        return select_tests([suite_fit.suite.id for suite_fit in fitting_suites(model)])
    except LexiconError:  # no suite fits, which the audit says itself
        return []


COVERAGE_OPTION = "lower the smallest coverage (--min-coverage)"
"""The remedy at the command line; the explorer, which has no such option, replaces it."""
FEWEST_WORDS = {"x": 2, "y": 2, "words": 2, "a": 1, "b": 1}
"""With fewer words a list of targets has no spread, and a list of attributes no mean."""


def require_coverage(groups: Groups, metric: Metric, min_coverage: float) -> None:
    """Raise UnanswerableError, of the kind coverage or missing, if the metric lacks words."""
    for role in metric.needs:
        if not groups.filling(role):
            raise UnanswerableError(
                "missing", f"The test has no list {role!r}, which the metric {metric.name} needs"
            )
    # A fraction, because 0.9 as a float is not exactly nine words of ten.
    most_missing = 1 - Fraction(str(min_coverage))
    for group in (group for role in metric.needs for group in groups.filling(role)):
        found, listed = len(group.found), len(group.wordset.words)
        if len(group.missing) > most_missing * listed:
            verb = "was" if found == 1 else "were"
            raise UnanswerableError(
                "coverage",
                f"Only {found} of {listed} {group.wordset.title} {verb} found, less than "
                f"{min_coverage:.0%}",
                coverage_remedy(COVERAGE_OPTION),
            )
        if found < FEWEST_WORDS[group.role]:
            raise UnanswerableError(
                "missing",
                f"Only {found} of {listed} {group.wordset.title} could be used and "
                f"{FEWEST_WORDS[group.role]} are needed",
                "use a model that knows more of them",
            )


def usable_groups(metric: Metric, groups: Groups) -> Groups:
    """Return the lists as a metric can use them: without words that its corpus does not have."""
    if isinstance(metric, CorpusMetric) and all(groups.filling(role) for role in metric.needs):
        return metric.usable(groups)
    return groups

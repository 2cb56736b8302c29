"""The words of a model that tests look at, and whether they are enough."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, product
from typing import get_args

from fairvec.core.errors import LexiconError
from fairvec.embedding import Embedding, Lookup, Step, lookup_of
from fairvec.embedding.formats.base import FileContent, Unseen
from fairvec.experiments.audit.suites import fitting_suites, tests_in_language
from fairvec.experiments.provenance import composed_words
from fairvec.languages.sentences import templates
from fairvec.lexicon import Groups, SelectedTest, Selectors, as_list, resolve, select_tests
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
        for test in (each.test for each in chosen)
        for key in _keys(resolve(test, embedding), lookup_of(embedding, test.language))
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
    for words in _around(groups):
        for match in filter(None, (lookup.find([word]) for word in words)):
            yield from match.keys


def _around(groups: Groups) -> set[tuple[str, ...]]:
    """Return what stands around the words of a test in their sentences, each once."""
    if not {"x", "y", "a", "b"} <= groups.groups.keys():
        return set()
    known = templates(groups.test.language)
    settings = product(get_args(TargetTemplates), get_args(AttributeTemplates))
    filled = (fill_templates(groups, choose_templates(groups, known, *each)) for each in settings)
    every = chain.from_iterable(chain.from_iterable(each.values()) for each in filled)
    return {sentence.surroundings for sentence in chain.from_iterable(every)}


# Words of tests that a vocabulary lacks, for models that compose words from pieces.


def oov_test_words(suites: Selectors | None, language: str | Sequence[str] | None = None) -> Unseen:
    """Return what names the words of the tests that no rule of look-up finds in a vocabulary.

    Without `suites` the tests are those of the shipped ones that fit the vocabulary as it is. A
    word of which another spelling is there keeps that one's vector, which was learnt; and of
    entries of several words nothing is composed.
    """

    def missing(known: FileContent) -> list[str]:
        model = Embedding(known.keys, known.vectors, name="vocabulary")
        if language is not None or known.languages:
            model = model.speaking(known.languages if language is None else language)
        found = [
            absent.word.word
            for each in _tests(suites, model)
            for group in resolve(each.test, model).groups.values()
            for absent in group.missing
        ]
        return [word for word in dict.fromkeys(found) if len(word.split()) == 1]

    return missing


def composed_note(model: Embedding) -> str:
    """Say how many words were composed while a model was read; empty if none was."""
    words = composed_words(model)
    if not words:
        return ""
    return (
        f"{model.name}: {len(words)} of the words asked for are not in its vocabulary and were "
        "composed from their pieces; the history in each record names them."
    )


def _tests(suites: Selectors | None, model: Embedding) -> list[SelectedTest]:
    if suites is not None:
        return select_tests(tests_in_language(as_list(suites), [model]))
    try:
        return select_tests([fit.suite.id for fit in fitting_suites(model)])
    except LexiconError:  # no suite fits, which the audit says itself
        return []


# Whether enough of a test's words were found to measure it.


LOWER_IT = "lower the smallest coverage (--min-coverage)"
"""What helps whoever runs a command; a page that has no such option says something else."""
FEWEST = {"x": 2, "y": 2, "words": 2, "a": 1, "b": 1}
"""Below this a list of targets has no spread, and one of attributes no mean."""


def coverage_shortfall(groups: Groups, metric: Metric, smallest_coverage: float) -> str:
    """Return what is missing for the metric, in one sentence; nothing if all is there."""
    for role in metric.needs:
        if not groups.filling(role):
            return f"The test has no list {role!r}, which the metric {metric.name} needs."
    # In whole numbers: of ten words nine are 90 %, and no float says so.
    most_missing = 1 - Fraction(str(smallest_coverage))
    for group in (group for role in metric.needs for group in groups.filling(role)):
        found, wanted = len(group.found), len(group.wordset.words)
        if len(group.missing) > most_missing * wanted:
            verb = "was" if found == 1 else "were"
            return (
                f"Only {found} of {wanted} {group.wordset.title} {verb} found, less than "
                f"{smallest_coverage:.0%}; use a model that knows these words or {LOWER_IT}."
            )
        if found < FEWEST[group.role]:
            return (
                f"Only {found} of {wanted} {group.wordset.title} could be used and "
                f"{FEWEST[group.role]} are needed; use a model that knows more of them."
            )
    return ""


def usable_groups(metric: Metric, groups: Groups) -> Groups:
    """Return the lists as a metric can use them: a word that it finds in no context is missing."""
    if isinstance(metric, CorpusMetric) and all(groups.filling(role) for role in metric.needs):
        return metric.usable(groups)
    return groups

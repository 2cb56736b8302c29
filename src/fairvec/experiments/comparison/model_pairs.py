"""Two models by the same test, or by its counterpart in the other language."""

from dataclasses import dataclass
from typing import Protocol

from fairvec.core.errors import LexiconError, SettingError
from fairvec.embedding import Embedding
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.comparison.compare import change_of, compare
from fairvec.languages.words import Word
from fairvec.lexicon import Test, coverage, select_tests, shipped_suites
from fairvec.messages.changes import (
    DIFFERENT_WORDS,
    NOT_THE_SAME_WORDS,
    SAME_LISTS,
    own_language_note,
    shared_words_note,
    spaces_differ_note,
)
from fairvec.results import Outcome
from fairvec.results.records import Change

ENOUGH = 0.5
"""Smallest coverage of a published list by which a model is judged."""


class ComparedModel(Protocol):
    """A model under the name that its records shall have."""

    @property
    def name(self) -> str:
        """The name."""
        ...

    @property
    def embedding(self) -> Embedding:
        """The words and vectors."""
        ...


@dataclass(frozen=True)
class ModelPair:
    """A test of two models: both outcomes, what each was asked, and a change if there is one."""

    outcomes: tuple[Outcome, ...]
    how: str
    change: Change | None = None
    why_not: str = ""


def tests_of_both(first: ComparedModel, second: ComparedModel) -> list[Test]:
    """Return the shipped tests for both models, those of the first's language first.

    Both models know the words, or lists of the same concepts are published in both languages.
    """
    languages = languages_of(first.embedding)
    every = [test for suite in shipped_suites() for test in suite.tests if "x" in test.sets]
    return [
        test
        for test in sorted(every, key=lambda test: test.language not in languages)
        if all(
            _covers(one.embedding, test) or counterpart(test, one.embedding)
            for one in (first, second)
        )
    ]


def compare_by_test(test: Test, first: ComparedModel, second: ComparedModel) -> ModelPair:
    """Measure both by the same lists, by those of each one's language, or by words that both know.

    Only the same lists give a paired change, and only where both spaces have one similarity.
    """
    covered = [_covers(opened.embedding, test) for opened in (first, second)]
    if all(covered):
        return _same_lists(test, first, second, SAME_LISTS)
    others = [
        test if covers else counterpart(test, opened.embedding)
        for covers, opened in zip(covered, (first, second), strict=True)
    ]
    if not all(others):
        return _shared_words(test, first, second)
    pairs = [(one, other) for one, other in zip((first, second), others, strict=True) if other]
    return ModelPair(
        tuple(_measure(opened, other) for opened, other in pairs),
        own_language_note([(one.name, other.id, other.language) for one, other in pairs]),
        why_not=NOT_THE_SAME_WORDS,
    )


def counterpart(test: Test, model: Embedding) -> Test | None:
    """Return the shipped test of the same concepts in the model's languages with most coverage."""
    concepts = {role: wordset.concept for role, wordset in test.sets.items()}
    languages = languages_of(model)
    candidates = [
        (coverage([other], model), other)
        for suite in shipped_suites()
        for other in suite.tests
        if other.language in languages
        and all(concepts.values())
        and {role: wordset.concept for role, wordset in other.sets.items()} == concepts
    ]
    share, best = max(candidates, key=lambda pair: pair[0], default=(0.0, None))
    return best if share >= ENOUGH else None


def _covers(model: Embedding, test: Test) -> bool:
    return coverage([test], model) >= ENOUGH


def _measure(opened: ComparedModel, test: Test) -> Outcome:
    (outcome,) = audit(opened.embedding.with_name(opened.name), suites=[test], categories=False)
    return outcome


def _same_lists(test: Test, first: ComparedModel, second: ComparedModel, how: str) -> ModelPair:
    was, other = (_measure(opened, test) for opened in (first, second))
    try:
        (pair,) = compare([was], [other]).pairs
    except SettingError:
        ways = [(outcome.model.name, outcome.similarity) for outcome in (was, other)]
        missing = [[group.missing for group in outcome.coverage] for outcome in (was, other)]
        how = how if missing[0] == missing[1] else f"{how} {DIFFERENT_WORDS}"
        return ModelPair((was, other), how, why_not=spaces_differ_note(ways))
    how = how if pair.same_words else f"{how} {DIFFERENT_WORDS}"
    return ModelPair((was, other), how, change_of(pair))


def _shared_words(test: Test, first: ComparedModel, second: ComparedModel) -> ModelPair:
    """Measure both models on the words they share: no published list is in both languages."""
    lookups = [one.embedding.lookup(test.language) for one in (first, second)]

    def both_know(word: Word) -> bool:
        return all(each.find(word.spellings, word.pos) for each in lookups)

    lists = {role: [*filter(both_know, wordset.words)] for role, wordset in test.sets.items()}
    if empty := [role for role, words in lists.items() if not words]:
        raise LexiconError(
            f"{test.title}: {first.name} and {second.name} know no word of the list "
            f"{empty[0]} both, and no list of the same concepts is published in their languages; "
            "choose another test."
        )
    titles = {role: wordset.title for role, wordset in test.sets.items()}
    shared = Test(**lists, titles=titles, title=test.title, category=test.category, kind=test.kind)  # type: ignore[arg-type]
    (each,) = select_tests([shared.model_copy(update={"language": test.language})])
    count = sum(map(len, lists.values()))
    return _same_lists(each.test, first, second, shared_words_note(count))

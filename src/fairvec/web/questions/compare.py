"""Two models compared by the same test, or by its counterpart in the other's language."""

from dataclasses import dataclass
from typing import Any

from fairvec.core.errors import LexiconError, SettingError
from fairvec.embedding import Embedding, lookup_of
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.comparison.before_after import change_of
from fairvec.experiments.comparison.compare import Comparison, compare
from fairvec.languages.words import Word
from fairvec.lexicon import SelectedTest, Test, coverage, select_tests, shipped_suites
from fairvec.messages.figures import keep_together
from fairvec.results import Outcome, Result, Skipped
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.questions.change import effect_row, row_of
from fairvec.web.questions.live_change import requested_tests
from fairvec.web.schemas import AskedForPair, AskedPair

ENOUGH = 0.5
"""A published list of which a model knows less says little about it."""
DIFFERENT_WORDS = "The two models know different words of these lists, which may be what differs."


@dataclass(frozen=True, eq=False)
class ModelPair:
    """What two models say to a test, how they came to be asked it, and what differs."""

    __test__ = False  # pytest: this is not a test class

    outcomes: tuple[Outcome, Outcome]
    how: str
    comparison: Comparison | None = None
    why_not: str = ""


def compare_models(models: OpenModels, question: AskedPair) -> list[ModelPair]:
    """Put every test to both models."""
    if len(set(question.models)) < 2:
        raise SettingError("Name two different models to compare.")
    first, second = (models[name] for name in question.models)
    both = [first.embedding, second.embedding]
    return [_compare_by_test(each, first, second) for each in requested_tests(question, both)]


def tests_of_both(first: OpenModel, second: OpenModel) -> list[Test]:
    """Return the shipped tests that both models can be asked, those of the first's language first.

    Either both know the words, or the lists of the same concepts are published in both languages.
    """
    spoken = languages_of(first.embedding)
    every = [test for suite in shipped_suites() for test in suite.tests if "x" in test.sets]
    return [
        test
        for test in sorted(every, key=lambda test: test.language not in spoken)
        if all(
            _covers(one.embedding, test) or counterpart(test, one.embedding)
            for one in (first, second)
        )
    ]


def _compare_by_test(selected: SelectedTest, first: OpenModel, second: OpenModel) -> ModelPair:
    known = [_covers(opened.embedding, selected.test) for opened in (first, second)]
    if all(known):
        return _same_lists(selected.test, first, second, "Both models are asked the same lists.")
    others = [
        selected.test if knows else counterpart(selected.test, opened.embedding)
        for knows, opened in zip(known, (first, second), strict=True)
    ]
    if not all(others):
        return _shared_words(selected.test, first, second)
    pair = [
        _measure(opened, test) for opened, test in zip((first, second), others, strict=True) if test
    ]
    named = " and ".join(
        f"{opened.name} {test.id} ({test.language})"
        for opened, test in zip((first, second), others, strict=True)
        if test
    )
    return ModelPair(
        (pair[0], pair[1]),
        f"Each model is asked the published lists of these concepts in its language: {named}.",
        why_not="The words are not the same, so that no paired test is made.",
    )


def counterpart(test: Test, model: Embedding) -> Test | None:
    """Return the shipped test of the same concepts, in a language of the model, known best."""
    wanted = {role: wordset.concept for role, wordset in test.sets.items()}
    spoken = languages_of(model)
    found = [
        (coverage([other], model), other)
        for suite in shipped_suites()
        for other in suite.tests
        if other.language in spoken
        and all(wanted.values())
        and {role: wordset.concept for role, wordset in other.sets.items()} == wanted
    ]
    share, best = max(found, key=lambda pair: pair[0], default=(0.0, None))
    return best if share >= ENOUGH else None


def _covers(model: Embedding, test: Test) -> bool:
    return coverage([test], model) >= ENOUGH


def _measure(opened: OpenModel, test: Test) -> Outcome:
    (outcome,) = audit(opened.embedding.named(opened.name), suites=[test], categories=False)
    return outcome


def _same_lists(test: Test, first: OpenModel, second: OpenModel, how: str) -> ModelPair:
    was, other = (_measure(opened, test) for opened in (first, second))
    try:
        (pair,) = compare([was], [other]).pairs
    except SettingError:
        by = " and ".join(
            f"{outcome.model.name} by {outcome.similarity}" for outcome in (was, other)
        )
        why_not = f"The spaces differ, and each has its own similarity ({by}): no paired test."
        missing = [[group.missing for group in outcome.coverage] for outcome in (was, other)]
        how = how if missing[0] == missing[1] else f"{how} {DIFFERENT_WORDS}"
        return ModelPair((was, other), how, why_not=why_not)
    return ModelPair((was, other), how if pair.same_words else f"{how} {DIFFERENT_WORDS}", pair)


def _shared_words(test: Test, first: OpenModel, second: OpenModel) -> ModelPair:
    """Ask both models the words that both know: no published list is in both languages."""
    lookups = [lookup_of(one.embedding, test.language) for one in (first, second)]

    def known(word: Word) -> bool:
        return all(each.find(word.spellings, word.pos) for each in lookups)

    lists = {role: [*filter(known, wordset.words)] for role, wordset in test.sets.items()}
    if empty := [role for role, words in lists.items() if not words]:
        raise LexiconError(
            f"{test.title}: {first.name} and {second.name} know no word of the list "
            f"{empty[0]} both, and no list of the same concepts is published in their languages; "
            "choose another test."
        )
    titles = {role: wordset.title for role, wordset in test.sets.items()}
    only = Test(**lists, titles=titles, title=test.title, category=test.category, kind=test.kind)  # type: ignore[arg-type]
    (each,) = select_tests([only.model_copy(update={"language": test.language})])
    count = sum(map(len, lists.values()))
    how = f"Both models are asked the {count} words of these lists that both know."
    return _same_lists(each.test, first, second, how)


def answer_to_comparison(models: OpenModels, question: AskedPair) -> dict[str, Any]:
    """Return the records of both models and, of the same lists, the paired change."""
    return {"tests": [_pair_entry(one) for one in compare_models(models, question)]}


def tests_for_pair(models: OpenModels, question: AskedForPair) -> dict[str, Any]:
    """Return the shipped tests that both models can be asked."""
    found = tests_of_both(models[question.model], models[question.other])
    return {
        "tests": [
            {"id": one.id, "title": one.title, "language": one.language, "category": one.category}
            for one in found
        ]
    }


def _pair_entry(pair: ModelPair) -> dict[str, Any]:
    change = change_of(pair.comparison) if pair.comparison else None
    return {
        "records": [outcome.model_dump(mode="json") for outcome in pair.outcomes],
        "told": [
            {**effect_row(outcome), "sentence": _sentence(outcome)} for outcome in pair.outcomes
        ],
        "how": pair.how,
        "change": change.model_dump(mode="json") if change else None,
        "row": row_of(change) if change else None,
        "why_not": pair.why_not,
    }


def _sentence(outcome: Outcome) -> str:
    if isinstance(outcome, Result):
        return keep_together(outcome.verdict.sentence)
    return outcome.reason if isinstance(outcome, Skipped) else ""

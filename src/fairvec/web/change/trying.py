"""A method tried at a strength: what it does to the tests, from a fit that is made once."""

from dataclasses import dataclass
from json import dumps
from time import perf_counter

from fairvec.embedding import Embedding
from fairvec.evaluation.changes.compare import compare
from fairvec.evaluation.changes.judge import change_of
from fairvec.evaluation.choosing.choose import what_is_left, words_of_tests
from fairvec.lexicon import Concept
from fairvec.mitigation import Transform, fitted_by
from fairvec.mitigation.transform.strengths import at_strength
from fairvec.results import Change, Outcome
from fairvec.web.change.asked_method import asked_method, shipped_concept
from fairvec.web.change.asked_tests import JudgedWords, judged_words, measured, tests_asked
from fairvec.web.change.change_questions import AskedChange
from fairvec.web.change.kept import KeptWork, size_of_transform, size_of_words
from fairvec.web.opened import OpenModels


@dataclass(frozen=True, eq=False)
class FittedAt:
    """A method at a strength, the seconds that its fit took now, and whether each needs one."""

    transform: Transform
    seconds: float
    again: bool
    remark: str = ""


@dataclass(frozen=True, eq=False)
class TriedChange:
    """What was measured before and after, and what became of each test; nothing yet if quick."""

    fit: FittedAt
    judged: JudgedWords
    after: tuple[Outcome, ...]
    changes: tuple[Change, ...]


def tried(models: OpenModels, question: AskedChange) -> TriedChange:
    """Judge a change by its tests: only their words are moved, so that a step takes no time."""
    judged = judged_of(models, question)
    fit = fitted(models, question, judged)
    model = models[question.model].embedding
    moved = fit.transform.transform(judged.words).named(f"{model.name}, {fit.transform.name}")
    if question.stage == "quick":
        return TriedChange(fit, judged, measured(moved, judged.tests, interval="none"), ())
    after = measured(moved, judged.tests)
    changes = tuple(change_of(pair) for pair in compare(judged.before, after).pairs)
    return TriedChange(fit, judged, after, changes)


def judged_of(models: OpenModels, question: AskedChange) -> JudgedWords:
    """Return the words of the tests and what the model says to them, looked up once."""
    model = models[question.model].embedding
    tests = tests_asked(question, [model])
    # The whole test: the same words may be looked up otherwise, or be of another kind.
    asked = tuple(each.test.model_dump_json() for each in tests)
    return models.kept.get(
        ("words", question.model, asked),
        lambda: judged_words(model, tests),
        lambda found: size_of_words(found.words),
    )


def fitted(models: OpenModels, question: AskedChange, judged: JudgedWords) -> FittedAt:
    """Return the method at the strength; fitted again only where strength decides the fit."""
    concept = shipped_concept(question.concept)
    asked_method(question, question.strength)  # what cannot be made is refused before any work
    model = models[question.model].embedding
    remark = ""
    if question.holdout:
        whole, concept = concept, concept.without(words_of_tests(judged.tests))
        remark = what_is_left(whole, concept, model)
    began = perf_counter()
    # Any fit will do to begin with: most methods find the same whatever their strength.
    first = _fit(models.kept, question, model, concept)
    found = at_strength(first, question.strength)
    if found is None:
        found = _fit(models.kept, question, model, concept, question.strength)
    another = 0.25 if first.settings.get("strength") == 0.5 else 0.5
    again = at_strength(first, another) is None
    return FittedAt(found, perf_counter() - began, again, remark)


def _fit(
    kept: KeptWork,
    question: AskedChange,
    model: Embedding,
    concept: Concept,
    strength: float | None = None,
) -> Transform:
    """Return a kept fit of this strength, or, without one, of whichever was asked for first."""
    held_out = tuple(word.word for word in concept.held_out)
    settings = dumps(question.settings, sort_keys=True)
    key = (question.model, concept.name, held_out, question.method, settings, strength)
    method = asked_method(question, question.strength)
    return kept.get(("fit", *key), lambda: fitted_by(method, model, concept), size_of_transform)

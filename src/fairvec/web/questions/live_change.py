"""A method tried at a strength, from one fit: tests, maps, neighbours, similarity."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from json import dumps
from time import perf_counter
from typing import Any

from fairvec.benchmarks import SimilaritySet, find_words
from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.settings import LARGEST_SEED
from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.suites import what_is_left, words_of_tests
from fairvec.experiments.audit.test_words import restrict_to_tests
from fairvec.experiments.comparison.before_after import change_of, changes_of_use
from fairvec.experiments.comparison.compare import compare
from fairvec.experiments.neighbours import NearWords, keys_of_words, near_words
from fairvec.experiments.projections.axes import MapAxis, axis_of_concept, axis_of_lists
from fairvec.experiments.projections.layouts import ShownWords, plotted_words
from fairvec.experiments.remarks import missing_benchmarks_note
from fairvec.experiments.utility import USUAL, UtilityAnswer, answers, select_benchmarks
from fairvec.geometry import FloatArray
from fairvec.lexicon import (
    Concept,
    SelectedTest,
    Test,
    select_tests,
    shipped_concepts,
    shipped_suites,
)
from fairvec.mitigation import Debiaser, Transform, debiaser, fit_checked, method_class
from fairvec.mitigation.out_of_core import lazy_transform
from fairvec.mitigation.strength import at_strength
from fairvec.results import Change, Outcome
from fairvec.web.open_models import FitCache, OpenModels, size_of_transform, size_of_words
from fairvec.web.questions.ask import ROLES, as_test
from fairvec.web.schemas import AskedChange, AskedLists, AskedMovedMap, AskedTests

FEW = 100
FACTOR = 3
"""A count may be three times the usual one, or a hundred: the page cannot stop what it began."""


def shipped_concept(name: str) -> Concept:
    """Return a concept that comes with fairvec, or a variant of it; never one of a file."""
    id, _, variant = name.partition(":")
    found = {each.id: each for each in shipped_concepts()}
    if id not in found:
        raise UnknownNameError("concept", id, found)
    return found[id].choosing(variant) if variant else found[id]


def requested_method(question: AskedChange, strength: float) -> Debiaser:
    """Return the method with its settings at a strength, or say what it does not take."""
    if "strength" in question.settings:
        raise SettingError("The strength is asked for beside the settings; leave it out of them.")
    usual = method_class(question.method)()
    for name, value in question.settings.items():
        _refuse_endless(question.method, name, value, getattr(usual, name, None))
    return debiaser(question.method, strength=strength, **question.settings)


def _refuse_endless(method: str, name: str, value: Any, usual: Any) -> None:
    numbers = [one for one in (value if isinstance(value, list) else [value]) if not _plain(one)]
    usually = usual if isinstance(usual, int) and not isinstance(usual, bool) else 0
    most = LARGEST_SEED if name == "seed" else max(FEW, FACTOR * usually)
    if any(abs(number) > most for number in numbers):
        raise SettingError(
            f"{method}: {name} is larger than the page takes ({most:,} at the most); use 'fairvec "
            "debias' for more."
        )


def _plain(value: Any) -> bool:
    return isinstance(value, str | bool)


@dataclass(frozen=True, eq=False)
class TestBaseline:
    """Tests, the few words of a model that they look at, and what the model says to them."""

    tests: tuple[SelectedTest, ...]
    words: Embedding
    before: tuple[Outcome, ...]


def requested_tests(
    question: AskedTests, models: Sequence[Representation]
) -> tuple[SelectedTest, ...]:
    """Return shipped tests by their ids, or the lists as a test in the language of the models."""
    if bool(question.tests) == bool(question.lists):
        raise SettingError("Choose tests or give four lists of words: one of the two.")
    if question.lists:
        return tuple(select_tests([_own_test(question, models)]))
    known = {test.id: test for suite in shipped_suites() for test in suite.tests}
    for id in question.tests:
        if id not in known:
            raise UnknownNameError("test", id, known)
    return tuple(select_tests([known[id] for id in question.tests]))


def _own_test(question: AskedTests, models: Sequence[Representation]) -> Test:
    """Return the test that Ask makes of these lists: its words are found as they are there."""
    lists: dict[str, Any] = {role: question.lists.get(role, []) for role in ROLES}
    said: dict[str, Any] = {"sources": question.sources, "kind": question.kind}
    spoken = dict.fromkeys(language for model in models for language in languages_of(model))
    return as_test(AskedLists(model="any", **lists, **said), tuple(spoken))


def measure_baseline(model: Embedding, tests: tuple[SelectedTest, ...]) -> TestBaseline:
    """Take the words of the tests out of a model, and measure them as they are."""
    words = restrict_to_tests(model, tests)
    return TestBaseline(tests, words, measure_tests(words, tests))


def measure_tests(
    words: Embedding, tests: Sequence[SelectedTest], **how: Any
) -> tuple[Outcome, ...]:
    """Return the records of the tests: what `fairvec.audit` of these words gives."""
    return tuple(audit(words, suites=[each.test for each in tests], categories=False, **how))


@dataclass(frozen=True, eq=False)
class FittedMethod:
    """A method at a strength, the seconds that its fit took now, and whether each needs one."""

    transform: Transform
    seconds: float
    again: bool
    remark: str = ""


@dataclass(frozen=True, eq=False)
class TriedChange:
    """What was measured before and after, and what became of each test; nothing yet if quick."""

    fit: FittedMethod
    judged: TestBaseline
    after: tuple[Outcome, ...]
    changes: tuple[Change, ...]


def try_change(models: OpenModels, question: AskedChange) -> TriedChange:
    """Judge a change by its tests: only their words are moved, so that a step takes no time."""
    judged = test_baseline(models, question)
    fit = fit_method(models, question, judged)
    model = models[question.model].embedding
    moved = fit.transform.transform(judged.words).named(f"{model.name}, {fit.transform.name}")
    if question.stage == "quick":
        return TriedChange(fit, judged, measure_tests(moved, judged.tests, interval="none"), ())
    after = measure_tests(moved, judged.tests)
    changes = tuple(change_of(pair) for pair in compare(judged.before, after).pairs)
    return TriedChange(fit, judged, after, changes)


def test_baseline(models: OpenModels, question: AskedChange) -> TestBaseline:
    """Return the words of the tests and what the model says to them, looked up once."""
    model = models[question.model].embedding
    tests = requested_tests(question, [model])
    # The whole test: the same words may be looked up otherwise, or be of another kind.
    asked = tuple(each.test.model_dump_json() for each in tests)
    return models.kept.get(
        ("words", question.model, asked),
        lambda: measure_baseline(model, tests),
        lambda found: size_of_words(found.words),
    )


def fit_method(models: OpenModels, question: AskedChange, judged: TestBaseline) -> FittedMethod:
    """Return the method at the strength; fitted again only where strength decides the fit."""
    concept = shipped_concept(question.concept)
    requested_method(question, question.strength)  # what cannot be made is refused before any work
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
    return FittedMethod(found, perf_counter() - began, again, remark)


def _fit(
    kept: FitCache,
    question: AskedChange,
    model: Embedding,
    concept: Concept,
    strength: float | None = None,
) -> Transform:
    """Return a kept fit of this strength, or, without one, of whichever was asked for first."""
    held_out = tuple(word.word for word in concept.held_out)
    settings = dumps(question.settings, sort_keys=True)
    key = (question.model, concept.name, held_out, question.method, settings, strength)
    method = requested_method(question, question.strength)
    return kept.get(("fit", *key), lambda: fit_checked(method, model, concept), size_of_transform)


FIRST = 1_000
"""So many of the commonest words are drawn beside those of the test."""


@dataclass(frozen=True, eq=False)
class MapFrame:
    """The words of a map, its axes in the model as it is, and where the words lie there."""

    shown: ShownWords
    across: MapAxis
    up: MapAxis
    before: tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class MovedMap:
    """Where words lie before and after, as two columns each."""

    ground: MapFrame
    after: tuple[FloatArray, FloatArray]


def moved_map(models: OpenModels, question: AskedMovedMap) -> MovedMap:
    """Place words by the concept's direction and between the targets of a test.

    Both axes are those of the model before the change, so that a word which loses the concept is
    seen to go to its middle.
    """
    judged = test_baseline(models, question)
    fit = fit_method(models, question, judged)
    model = models[question.model].embedding
    known = {each.test.id: each for each in judged.tests if {"x", "y"} <= each.test.sets.keys()}
    if not known:
        raise SettingError("No test that was asked has two lists of targets; ask one that has.")
    wanted = question.about or next(iter(known))
    if wanted not in known:
        raise UnknownNameError("test of two lists that was asked", wanted, known)
    test = known[wanted].test

    def prepared() -> MapFrame:
        words = [word.word for wordset in test.sets.values() for word in wordset.words]
        shown = plotted_words(model, FIRST, words)
        across = axis_of_concept(shipped_concept(question.concept), model)
        targets = {"a": test.sets["x"], "b": test.sets["y"]}
        up = axis_of_lists(Test(sets=targets, language=test.language), model, title=test.title)
        places = across.leaning(shown.points), up.leaning(shown.points)
        return MapFrame(shown, across, up, places)

    # The whole test: the same words may be looked up otherwise.
    key = ("map", question.model, question.concept, test.model_dump_json())
    ground = models.kept.get(key, prepared, lambda one: one.shown.points.nbytes)
    points = fit.transform.apply(ground.shown.points, ground.shown.keys)
    return MovedMap(ground, (ground.across.leaning(points), ground.up.leaning(points)))


@dataclass(frozen=True)
class NeighboursAround:
    """The key of a word, its nearest before and after, and among how many words."""

    before: NearWords
    after: NearWords
    among: int
    remarks: tuple[str, ...]


def neighbours_around(
    model: Embedding, transform: Transform, word: str, count: int, among: int
) -> NeighboursAround:
    """Look among the first words of a model, which are moved block by block and never held."""
    remarks: list[str] = []
    (key,) = keys_of_words([word], model, remarks.append)
    first = _first(model, among, key)
    moved = lazy_transform(transform, first)
    (was,), (is_now,) = (near_words(one, [key], count) for one in (first, moved))
    return NeighboursAround(was, is_now, len(first), tuple(remarks))


def _first(model: Embedding, among: int, key: str) -> Embedding:
    """Return the first words, and the one that is asked about wherever it stands."""
    if len(model) <= among:
        return model
    own = model.positions[key]
    if own < among:
        keys, vectors = model.keys[:among], model.vectors[:among]
        return replace(model, keys=keys, vectors=vectors, counts=None)
    # The look-up takes few rows, so that the rest of the model stays where it is.
    rows = [*range(among), own]
    keys = [*model.keys[:among], key]
    return replace(model, keys=keys, vectors=model.vectors[rows], counts=None)


LONGEST = 3500
"""Pairs of a benchmark: longer ones are for the command line."""
QUICK = 400
"""Pairs that are asked again within a step of the slider."""
WITHOUT_INTERVALS = replace(USUAL, interval="none")
NOT_ASKED = (
    "Analogies, SemBias and reviews look at every word of a model; 'fairvec debias' asks them."
)

Pairs = list[tuple[UtilityAnswer, UtilityAnswer]]


@dataclass(frozen=True, eq=False)
class SimilarityBaseline:
    """The benchmarks of similarity at hand, the few words that they hold, and what is known."""

    sets: tuple[SimilaritySet, ...]
    words: Embedding
    before: tuple[UtilityAnswer, ...]
    remark: str


def similarity_baseline(model: Embedding) -> SimilarityBaseline:
    """Take the words of the benchmarks out of a model, and ask about them as they are."""
    found = select_benchmarks(model, None)
    sets = tuple(one for one in found if isinstance(one, SimilaritySet) and len(one) <= LONGEST)
    keys = {
        key
        for one in sets
        for match in find_words(one.words, model, one.language).values()
        for key in match.keys
    }
    rows = sorted(model.positions[key] for key in keys)
    words = replace(
        model, keys=[model.keys[row] for row in rows], vectors=model.vectors[rows], counts=None
    )
    remark = NOT_ASKED if sets else missing_benchmarks_note(model) or NOT_ASKED
    return SimilarityBaseline(sets, words, tuple(answers(words, sets, WITHOUT_INTERVALS)), remark)


def measure_again(rated: SimilarityBaseline, transform: Transform, *, most: int) -> Pairs:
    """Return the figures before and after of the benchmarks of at most so many pairs."""
    sets = [one for one in rated.sets if len(one) <= most]
    moved = transform.transform(rated.words).named(f"{rated.words.name}, {transform.name}")
    after = answers(moved, sets, WITHOUT_INTERVALS, original=rated.words)
    known = {answer.what: answer for answer in rated.before}
    return [(known[one.what], one) for one in after if one.what in known]


def similarity_changes(pairs: Pairs) -> list[Change]:
    """Say of each benchmark what became of its figure, by the paired test over its pairs."""
    return changes_of_use(pairs, USUAL.alpha)

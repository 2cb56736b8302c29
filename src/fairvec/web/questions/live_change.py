"""A method tried at any strength from one cached fit: its tests, map, neighbours, similarity."""

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
from fairvec.experiments.audit.plan import DEFAULT_STATISTICS, Statistics
from fairvec.experiments.audit.suites import hold_out, what_is_left
from fairvec.experiments.audit.test_words import restrict_to_tests
from fairvec.experiments.comparison.before_after import (
    ChangeReport,
    ModelMeasurements,
    changes_of_use,
)
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
)
from fairvec.mitigation import Debiaser, Transform, debiaser, fit_checked, method_class
from fairvec.mitigation.out_of_core import lazy_transform
from fairvec.mitigation.strength import at_strength
from fairvec.results.records import Change
from fairvec.web.open_models import FitCache, OpenModels, size_of_transform, size_of_words
from fairvec.web.questions.ask import ROLES, as_test, shipped_test
from fairvec.web.schemas import ChangeMapRequest, ChangeRequest, ListsRequest, TestsRequest

FEW = 100
FACTOR = 3
"""A count may be three times its default, or a hundred: the page cannot stop a running fit."""


def shipped_concept(name: str) -> Concept:
    """Return a shipped concept, or a variant of it; never one of a file."""
    id, _, variant = name.partition(":")
    concepts = {each.id: each for each in shipped_concepts()}
    if id not in concepts:
        raise UnknownNameError("concept", id, concepts)
    return concepts[id].choosing(variant) if variant else concepts[id]


def requested_method(request: ChangeRequest, strength: float) -> Debiaser:
    """Return the method with its settings at a strength; refuse settings it does not take."""
    if "strength" in request.settings:
        raise SettingError("The strength is asked for beside the settings; leave it out of them.")
    usual = method_class(request.method)()
    for name, value in request.settings.items():
        _refuse_large(request.method, name, value, getattr(usual, name, None))
    return debiaser(request.method, strength=strength, **request.settings)


def _refuse_large(method: str, name: str, value: Any, usual: Any) -> None:
    numbers = [
        one for one in (value if isinstance(value, list) else [value]) if not _is_no_number(one)
    ]
    usual_count = usual if isinstance(usual, int) and not isinstance(usual, bool) else 0
    most = LARGEST_SEED if name == "seed" else max(FEW, FACTOR * usual_count)
    if any(abs(number) > most for number in numbers):
        raise SettingError(
            f"{method}: {name} is larger than the page takes ({most:,} at the most); use 'fairvec "
            "debias' for more."
        )


def _is_no_number(value: Any) -> bool:
    return isinstance(value, str | bool)


def requested_tests(
    request: TestsRequest, models: Sequence[Representation]
) -> tuple[SelectedTest, ...]:
    """Return shipped tests by their ids, or the lists as a test in the language of the models."""
    if bool(request.tests) == bool(request.lists):
        raise SettingError("Choose tests or give four lists of words: one of the two.")
    if request.lists:
        return tuple(select_tests([_own_test(request, models)]))
    return tuple(select_tests([shipped_test(id) for id in request.tests]))


def _own_test(request: TestsRequest, models: Sequence[Representation]) -> Test:
    """Return the test that the view Ask makes of these lists."""
    lists: dict[str, Any] = {role: request.lists.get(role, []) for role in ROLES}
    settings: dict[str, Any] = {"sources": request.sources, "kind": request.kind}
    languages = dict.fromkeys(language for model in models for language in languages_of(model))
    return as_test(ListsRequest(model="any", **lists, **settings), tuple(languages))


WITHOUT_INTERVAL = Statistics(interval="none")


def measure_tests(
    words: Embedding, tests: Sequence[SelectedTest], statistics: Statistics = DEFAULT_STATISTICS
) -> ModelMeasurements:
    """Return the records of the tests, as `fairvec.audit` of these words gives them."""
    found = audit(
        words, suites=[each.test for each in tests], statistics=statistics, categories=False
    )
    return ModelMeasurements(words, tuple(found), (), statistics)


@dataclass(frozen=True, eq=False)
class FittedMethod:
    """A method at a strength, the seconds of its fit, and whether each strength needs its own."""

    transform: Transform
    seconds: float
    needs_refit: bool
    remark: str = ""


def try_change(
    models: OpenModels, request: ChangeRequest
) -> tuple[FittedMethod, Sequence[SelectedTest], ChangeReport]:
    """Judge a change by its tests; only their words are moved, so that a step is fast.

    The quick stage has no intervals, and asks no changes.
    """
    tests, before = tests_before(models, request)
    fit = fit_method(models, request, tests)
    model = models[request.model].embedding
    moved = fit.transform.transform(before.embedding)
    moved = moved.with_name(f"{model.name}, {fit.transform.name}")
    quick = request.stage == "quick"
    after = measure_tests(moved, tests, WITHOUT_INTERVAL if quick else DEFAULT_STATISTICS)
    return fit, tests, ChangeReport(before, after, pooled=False)


def tests_before(
    models: OpenModels, request: ChangeRequest
) -> tuple[Sequence[SelectedTest], ModelMeasurements]:
    """Return the tests, and from the cache their words and outcomes before the change."""
    model = models[request.model].embedding
    tests = requested_tests(request, [model])
    # All of the test: the same words may be looked up otherwise, or be of another kind.
    key = tuple(each.test.model_dump_json() for each in tests)
    before = models.cache.get(
        ("words", request.model, key),
        lambda: measure_tests(restrict_to_tests(model, tests), tests),
        lambda measured: size_of_words(measured.embedding),
    )
    return tests, before


def fit_method(
    models: OpenModels, request: ChangeRequest, tests: Sequence[SelectedTest]
) -> FittedMethod:
    """Return the method at the strength; fitted again only where strength decides the fit."""
    concept = shipped_concept(request.concept)
    requested_method(request, request.strength)  # refused before any work
    model = models[request.model].embedding
    remark = ""
    if request.holdout:
        full_concept, concept = concept, hold_out(concept, tests)
        remark = what_is_left(full_concept, concept, model)
    began = perf_counter()
    # Any fit will do first: most methods fit the same at every strength.
    first = _fit(models.cache, request, model, concept)
    transform = at_strength(first, request.strength)
    if transform is None:
        transform = _fit(models.cache, request, model, concept, request.strength)
    another = 0.25 if first.settings.get("strength") == 0.5 else 0.5
    needs_refit = at_strength(first, another) is None
    return FittedMethod(transform, perf_counter() - began, needs_refit, remark)


def _fit(
    cache: FitCache,
    request: ChangeRequest,
    model: Embedding,
    concept: Concept,
    strength: float | None = None,
) -> Transform:
    """Return the cached fit of this strength; without one, of the strength that came first."""
    left_out = tuple(word.word for word in concept.held_out)
    settings = dumps(request.settings, sort_keys=True)
    key = (request.model, concept.name, left_out, request.method, settings, strength)
    method = requested_method(request, request.strength)
    return cache.get(("fit", *key), lambda: fit_checked(method, model, concept), size_of_transform)


Axes = tuple[MapAxis, MapAxis]
Places = tuple[FloatArray, FloatArray]

FIRST = 1_000
"""Most frequent words that are drawn beside those of the test."""


def moved_map(
    models: OpenModels, request: ChangeMapRequest
) -> tuple[ShownWords, Axes, Places, Places]:
    """Place words along the concept's direction and between the targets of a test.

    The words, both axes, and the places before and after. The axes are of the model before the
    change, so that a word that loses the concept moves to the middle.
    """
    tests, _ = tests_before(models, request)
    fit = fit_method(models, request, tests)
    model = models[request.model].embedding
    two_lists = {each.test.id: each.test for each in tests if {"x", "y"} <= each.test.sets.keys()}
    if not two_lists:
        raise SettingError("No test that was asked has two lists of targets; ask one that has.")
    test_id = request.about or next(iter(two_lists))
    if test_id not in two_lists:
        raise UnknownNameError("test of two lists that was asked", test_id, two_lists)
    test = two_lists[test_id]

    def frame_of_map() -> tuple[ShownWords, Axes, Places]:
        test_words = [word.word for wordset in test.sets.values() for word in wordset.words]
        plotted = plotted_words(model, FIRST, test_words)
        across = axis_of_concept(shipped_concept(request.concept), model)
        targets = {"a": test.sets["x"], "b": test.sets["y"]}
        up = axis_of_lists(Test(sets=targets, language=test.language), model, title=test.title)
        return plotted, (across, up), _places((across, up), plotted.points)

    # All of the test: the same words may be looked up otherwise.
    key = ("map", request.model, request.concept, test.model_dump_json())
    words, axes, before = models.cache.get(key, frame_of_map, lambda one: one[0].points.nbytes)
    points = fit.transform.apply(words.points, words.keys)
    return words, axes, before, _places(axes, points)


def _places(axes: Axes, points: FloatArray) -> Places:
    across, up = axes
    return across.leaning(points), up.leaning(points)


AMONG = 50_000
"""Neighbours after a change are sought among so many first words: each has to be moved."""


def neighbours_around(
    model: Embedding, transform: Transform, word: str, count: int
) -> tuple[NearWords, NearWords, int, list[str]]:
    """Return the near words of a word before and after, among how many, and remarks.

    They are sought among the first words of a model, which are moved block by block, never all in
    memory.
    """
    remarks: list[str] = []
    (key,) = keys_of_words([word], model, remarks.append)
    first = _first(model, AMONG, key)
    moved = lazy_transform(transform, first)
    (was,), (now,) = (near_words(one, [key], count) for one in (first, moved))
    return was, now, len(first), remarks


def _first(model: Embedding, among: int, key: str) -> Embedding:
    """Return the first words of a model, and the one named, wherever it stands."""
    if len(model) <= among:
        return model
    own = model.positions[key]
    if own < among:
        keys, vectors = model.keys[:among], model.vectors[:among]
        return replace(model, keys=keys, vectors=vectors, counts=None)
    # Few rows are read, so that the rest of the model stays on disk.
    rows = [*range(among), own]
    keys = [*model.keys[:among], key]
    return replace(model, keys=keys, vectors=model.vectors[rows], counts=None)


LONGEST = 3500
"""Most pairs of a benchmark: longer ones are for the command line."""
QUICK = 400
"""Most pairs of a benchmark that is measured at every step of the slider."""
WITHOUT_INTERVALS = replace(USUAL, interval="none")
NOT_ASKED = (
    "Analogies, SemBias and reviews look at every word of a model; 'fairvec debias' asks them."
)

Sets = tuple[SimilaritySet, ...]
Pairs = list[tuple[UtilityAnswer, UtilityAnswer]]


def similarity_before(model: Embedding) -> tuple[Sets, Embedding, list[UtilityAnswer]]:
    """Return the benchmarks of similarity, their words in a model, and its figures."""
    benchmarks = select_benchmarks(model, None)
    sets = tuple(
        one for one in benchmarks if isinstance(one, SimilaritySet) and len(one) <= LONGEST
    )
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
    return sets, words, list(answers(words, sets, WITHOUT_INTERVALS))


def similarity_figures(
    models: OpenModels, request: ChangeRequest, *, most: int
) -> tuple[Pairs, str]:
    """Return figures before and after of benchmarks of at most so many pairs, and a remark."""
    model = models[request.model].embedding
    transform = fit_method(models, request, tests_before(models, request)[0]).transform
    sets, words, figures = models.cache.get(
        ("rated", request.model),
        lambda: similarity_before(model),
        lambda one: size_of_words(one[1]),
    )
    moved = transform.transform(words).with_name(f"{words.name}, {transform.name}")
    short = [one for one in sets if len(one) <= most]
    after = answers(moved, short, WITHOUT_INTERVALS, original=words)
    before = {answer.what: answer for answer in figures}
    pairs = [(before[one.what], one) for one in after if one.what in before]
    return pairs, NOT_ASKED if sets else missing_benchmarks_note(model) or NOT_ASKED


def similarity_changes(pairs: Pairs) -> list[Change]:
    """Return the change of each benchmark, by the paired test over its pairs."""
    return changes_of_use(pairs, USUAL.alpha)

"""The view Change: methods, concepts, a change with its tests, maps and figures, and its file."""

from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps
from shlex import join
from threading import Lock
from time import perf_counter
from typing import Any

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.format import join_first
from fairvec.core.settings import LARGEST_SEED
from fairvec.embedding import Embedding
from fairvec.embedding.saving import format_to_write
from fairvec.encoders import Representation
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.plan import DEFAULT_STATISTICS, Statistics
from fairvec.experiments.audit.suites import describe_holdout, hold_out
from fairvec.experiments.audit.test_words import restrict_to_tests
from fairvec.experiments.comparison.before_after import ChangeReport, ModelMeasurements
from fairvec.experiments.debiasing.debias import debias_model
from fairvec.experiments.debiasing.files import DebiasedFiles, write_debiased
from fairvec.experiments.live_change import (
    LONGEST,
    QUICK,
    MapFrame,
    Pairs,
    change_report,
    map_frame,
    measure_tests,
    neighbours_around,
    similarity_before,
    similarity_changes,
    similarity_pairs,
)
from fairvec.experiments.remarks import missing_benchmarks_note
from fairvec.experiments.utility import UtilityAnswer
from fairvec.geometry import default_similarity
from fairvec.lexicon import Concept, SelectedTest, Test, select_tests, shipped_concepts
from fairvec.lexicon.python_lists import OWN
from fairvec.messages.changes import (
    METHOD_GUARANTEES,
    before_and_after,
    change_details,
    change_figures,
    change_label,
    change_line,
    format_value,
    is_harmful,
)
from fairvec.messages.figures import format_effect, format_similarity
from fairvec.mitigation import (
    Debiaser,
    Transform,
    debiaser,
    fit_checked,
    method_class,
)
from fairvec.mitigation.strength import at_strength
from fairvec.report import render
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import Change
from fairvec.web.open_models import (
    FitCache,
    OpenModel,
    OpenModels,
    size_of_transform,
    size_of_words,
)
from fairvec.web.questions.ask import (
    ROLES,
    arguments_of,
    as_test,
    model_in_python,
    options_of_reading,
    shipped_test,
    skip_reason,
)
from fairvec.web.schemas import (
    ChangeMapRequest,
    ChangeNeighboursRequest,
    ChangeRequest,
    ListsRequest,
    TestsRequest,
    WriteRequest,
)

MOST_FITTED = 60
"""Most words of a fit that are listed, as the command line does."""
MOST_REMARKED = 12
FILE = "debiased.fairvec"
SUITE_FILE = "own.toml"


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


@dataclass(frozen=True, eq=False)
class FittedMethod:
    """A method at a strength, the seconds of its fit, and whether each strength needs its own."""

    transform: Transform
    seconds: float
    needs_refit: bool
    remark: str = ""


WITHOUT_INTERVAL = Statistics(interval="none")


def try_change(
    models: OpenModels, request: ChangeRequest
) -> tuple[FittedMethod, Sequence[SelectedTest], ChangeReport]:
    """Judge a change by its tests; the quick stage has no intervals, and asks no changes."""
    tests, before = tests_before(models, request)
    fit = fit_method(models, request, tests)
    statistics = WITHOUT_INTERVAL if request.stage == "quick" else DEFAULT_STATISTICS
    return fit, tests, change_report(before, fit.transform, tests, statistics)


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
        remark = describe_holdout(full_concept, concept, model)
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


def requested_map(models: OpenModels, request: ChangeMapRequest) -> tuple[MapFrame, FittedMethod]:
    """Return the frame of the map, from the cache, and the method that moves its words."""
    tests, _ = tests_before(models, request)
    fit = fit_method(models, request, tests)
    two_lists = {each.test.id: each.test for each in tests if {"x", "y"} <= each.test.sets.keys()}
    if not two_lists:
        raise SettingError("No test that was asked has two lists of targets; ask one that has.")
    test_id = request.about or next(iter(two_lists))
    if test_id not in two_lists:
        raise UnknownNameError("test of two lists that was asked", test_id, two_lists)
    test = two_lists[test_id]
    # All of the test: the same words may be looked up otherwise.
    key = ("map", request.model, request.concept, test.model_dump_json())
    model = models[request.model].embedding
    frame = models.cache.get(
        key,
        lambda: map_frame(model, shipped_concept(request.concept), test),
        lambda made: made.words.points.nbytes,
    )
    return frame, fit


NOT_ASKED = (
    "Analogies, SemBias and reviews look at every word of a model; 'fairvec debias' asks them."
)


def similarity_figures(
    models: OpenModels, request: ChangeRequest, *, most: int
) -> tuple[Pairs, str]:
    """Return figures before and after of benchmarks of at most so many pairs, and a remark."""
    model = models[request.model].embedding
    transform = fit_method(models, request, tests_before(models, request)[0]).transform
    baseline = models.cache.get(
        ("rated", request.model),
        lambda: similarity_before(model),
        lambda one: size_of_words(one.words),
    )
    remark = NOT_ASKED if baseline.sets else missing_benchmarks_note(model) or NOT_ASKED
    return similarity_pairs(baseline, transform, most=most), remark


def row_of(change: Change) -> dict[str, Any]:
    """Return the row of one test before and after."""
    return {
        "test": change.test.id,
        "title": change.test.title,
        "kind": change.test.kind,
        "figures": change_figures(change),
        "details": change_details(change),
        "was": format_value(change, change.value_before),
        "is": format_value(change, change.value_after),
        "became": change_label(change),
        "alarming": is_harmful(change),
        "evident_before": change.evident_before,
        "evident_after": change.evident_after,
        "fitted_words": list(change.fitted_words),
        "sentence": change_line(change),
    }


def effect_row(outcome: Outcome) -> dict[str, Any]:
    """Return the effect of a test as a row; without spread between its words it has none."""
    if isinstance(outcome, Result):
        text = format_effect(outcome, outcome.effect)
    else:
        no_spread = isinstance(outcome, Skipped) and outcome.cause == "no-spread"
        text = "alike" if no_spread else "none"
    return {"test": outcome.test.id, "is": text}


def summary_of(report: ChangeReport) -> str:
    """Return the summary of all changes in one sentence."""
    outcomes = [*report.before.audited, *report.after.audited, *report.changes]
    tables = before_and_after(outcomes)
    return tables[0].summary if tables else ""


def fit_summary(fit: FittedMethod) -> dict[str, Any]:
    """Return the words of a fit, its guarantees and its remarks."""
    transform = fit.transform
    return {
        "name": transform.name,
        "words": len(transform.fitted_on),
        "fitted_on": list(transform.fitted_on[:MOST_FITTED]),
        "promises": [
            sentence for name, sentence in METHOD_GUARANTEES.items() if name in transform.guarantees
        ],
        "remarks": [
            f"{name.replace('_', ' ').capitalize()}: {join_first(words, MOST_REMARKED)}"
            for name, words in transform.remarks.items()
        ],
        "held_out": fit.remark,
        "milliseconds": round(1000 * fit.seconds, 1),
        "again": fit.needs_refit,
    }


def as_command(
    request: ChangeRequest, opened: OpenModel, tests: list[Test], file: str = FILE
) -> str:
    """Return the command that writes the model; own lists are in a suite's file beside it."""
    arguments = ["fairvec", "debias", opened.source, *options_of_reading(opened.reading)]
    arguments += ["--concept", request.concept]
    arguments += ["--method", request.method, "--strength", repr(request.strength)]
    for name, value in request.settings.items():
        arguments += ["--set", f"{name}={value if isinstance(value, str) else dumps(value)}"]
    for test in tests:
        arguments += ["--suite", SUITE_FILE if test.suite == OWN else test.id]
    arguments += ["--holdout"] if request.holdout else []
    return join([*arguments, "-o", file])


def as_python(request: ChangeRequest, opened: OpenModel, tests: list[Test]) -> str:
    """Return the Python program that does the same."""
    own = [test for test in tests if test.suite == OWN]
    lists = "".join(map(arguments_of, own))
    tests_argument = "tests=test" if own else f"suites={[test.id for test in tests]!r}"
    settings = f"    settings={request.settings!r},\n" if request.settings else ""
    return (
        "import fairvec\n\n"
        + (f"test = fairvec.Test(\n{lists})\n" if own else "")
        + "done = fairvec.debias(\n"
        f"    {model_in_python(opened)}, {request.concept!r}, {request.method!r},\n"
        f"    strength={request.strength!r}, {tests_argument}, holdout={request.holdout!r},\n"
        f"{settings}"
        f')\ndone.save("{FILE}")\n'
    )


def answer_to_change(models: OpenModels, request: ChangeRequest) -> dict[str, Any]:
    """Return the records before and after, the change of each test, and how to rerun it."""
    fit, selected_tests, report = try_change(models, request)
    after = [outcome.model_dump(mode="json") for outcome in report.after.audited]
    if request.stage == "quick":
        return {
            "after": after,
            "rows": [effect_row(outcome) for outcome in report.after.audited],
            "fit": fit_summary(fit),
        }
    opened, tests = models[request.model], [selected.test for selected in selected_tests]
    return {
        "before": [outcome.model_dump(mode="json") for outcome in report.before.audited],
        "after": after,
        "changes": [outcome.model_dump(mode="json") for outcome in report.changes],
        "rows": [row_of(outcome) for outcome in report.changes],
        "summary": summary_of(report),
        "fit": fit_summary(fit),
        "command": as_command(request, opened, tests),
        "python": as_python(request, opened, tests),
        "own_file": SUITE_FILE if request.lists else "",
        "reasons": {
            outcome.test.id: skip_reason(outcome)
            for outcome in report.before.audited
            if isinstance(outcome, Skipped)
        },
        "may_write": models.write_to is not None,
    }


def neighbours_before_and_after(
    models: OpenModels, request: ChangeNeighboursRequest
) -> dict[str, Any]:
    """Return the nearest words of a word, before and after."""
    model = models[request.model].embedding
    fit = fit_method(models, request, tests_before(models, request)[0])
    before, after, among, remarks = neighbours_around(
        model, fit.transform, request.word, request.count
    )
    both = {"before": before, "after": after}
    measure = default_similarity(model.geometry).name
    return {
        "word": before.key,
        "among": among,
        "of": len(model),
        "remarks": remarks,
        **{
            side: [
                {
                    "word": word,
                    "similarity": float(similarity),
                    "figure": format_similarity(similarity, measure),
                }
                for word, similarity in zip(near.near, near.similarities, strict=True)
            ]
            for side, near in both.items()
        },
    }


def usefulness_before_and_after(models: OpenModels, request: ChangeRequest) -> dict[str, Any]:
    """Return the change of each benchmark of similarity that is on this machine."""
    is_quick = request.stage == "quick"
    pairs, remark = similarity_figures(models, request, most=QUICK if is_quick else LONGEST)
    if is_quick:
        return {"rows": [_usefulness_row(*pair) for pair in pairs], "remark": remark}
    changes = similarity_changes(pairs)
    return {
        "changes": [one.model_dump(mode="json") for one in changes],
        "rows": [
            {
                "test": one.test.id,
                "title": one.test.title,
                "was": one.value_before,
                "is": one.value_after,
                "became": change_label(one),
                "sentence": change_line(one),
            }
            for one in changes
        ],
        "remark": remark,
    }


def _usefulness_row(before: UtilityAnswer, after: UtilityAnswer) -> dict[str, Any]:
    """Return one figure before and after, without the kind of change."""
    test = after.outcome.test
    values = [one.figure.value if one.figure else None for one in (before, after)]
    return {"test": test.id, "title": test.title, "was": values[0], "is": values[1]}


def map_before_and_after(models: OpenModels, request: ChangeMapRequest) -> dict[str, Any]:
    """Return words and their places before and after, on axes of the model before."""
    frame, fit = requested_map(models, request)
    return {
        "words": list(frame.words.keys),
        "before": [column.tolist() for column in frame.before],
        "after": [column.tolist() for column in frame.after(fit.transform)],
        "axes": [axis.description for axis in frame.axes],
        "reached": dict(frame.words.reached),
    }


_ONE_AT_A_TIME = Lock()
"""One model is written at a time, so that two never share a name."""


def write_change(models: OpenModels, request: WriteRequest) -> DebiasedFiles:
    """Write what `fairvec debias` writes, under a new name; nothing is ever overwritten."""
    if models.write_to is None:
        raise SettingError(
            "This server was started without a folder to write into; run the command that is "
            "shown, or start it with --write-to FOLDER."
        )
    target = models.write_to / request.file
    if target.parent.resolve() != models.write_to.resolve():
        raise SettingError(f"{request.file} is no plain name of a file; use letters and digits.")
    model = models[request.model].embedding
    tests = requested_tests(request, [model])
    method = requested_method(request, request.strength)
    format_to_write(target)
    with _ONE_AT_A_TIME:
        DebiasedFiles(target).require_new_path()
        done = debias_model(
            model,
            shipped_concept(request.concept),
            method,
            suites=[each.test for each in tests],
            holdout=request.holdout,
        )
        return write_debiased(done, target, page=render(done.outcomes, title=done.title))


def answer_to_writing(models: OpenModels, request: WriteRequest) -> dict[str, Any]:
    """Write the model, and return the names of its files."""
    files = write_change(models, request)
    opened = models[request.model]
    tests = [each.test for each in requested_tests(request, [opened.embedding])]
    return {
        "model": files.model.name,
        "run": files.folder.name,
        "folder": str(files.model.parent),
        "command": as_command(request, opened, tests, str(files.model)),
    }

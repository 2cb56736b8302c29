"""The view Change: methods, concepts, a change with its tests, maps and figures, and its file."""

from inspect import getdoc
from json import dumps
from shlex import join
from threading import Lock
from typing import Any

from fairvec.core.errors import LexiconError, SettingError
from fairvec.core.format import join_first
from fairvec.core.settings import SettingField, SettingLimits, setting_fields
from fairvec.embedding import Embedding
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.suites import fitting_suites, tests_for
from fairvec.experiments.comparison.before_after import ChangeReport
from fairvec.experiments.debiasing.debias import debias_model
from fairvec.experiments.debiasing.files import DebiasedFiles, write_debiased
from fairvec.experiments.utility import UtilityAnswer
from fairvec.geometry import default_similarity
from fairvec.lexicon import Concept, SelectedTest, Test, shipped_concepts
from fairvec.lexicon.python_lists import OWN
from fairvec.messages.changes import (
    before_and_after,
    change_details,
    change_figures,
    change_label,
    change_line,
    format_value,
    is_harmful,
)
from fairvec.messages.figures import format_effect
from fairvec.metrics.bias.weat import Weat
from fairvec.mitigation import DEBIASERS, default_method, method_class, method_names
from fairvec.mitigation.base import (
    DIRECTION_REMOVED,
    IDEMPOTENT,
    KEPT_UNTOUCHED,
    NORM_KEPT,
    NOT_READABLE,
    PAIRS_EQUIDISTANT,
)
from fairvec.report import render
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import Change
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.questions.ask import (
    arguments_of,
    model_in_python,
    options_of_reading,
    skip_reason,
)
from fairvec.web.questions.live_change import (
    LONGEST,
    QUICK,
    FittedMethod,
    fit_method,
    moved_map,
    neighbours_around,
    requested_method,
    requested_tests,
    shipped_concept,
    similarity_changes,
    similarity_figures,
    tests_before,
    try_change,
)
from fairvec.web.questions.maps import format_similarity
from fairvec.web.schemas import (
    ChangeMapRequest,
    ChangeNeighboursRequest,
    ChangeRequest,
    ModelRequest,
    WriteRequest,
)

PROMISES = {
    DIRECTION_REMOVED: "No moved word has anything left in the direction that is taken out.",
    PAIRS_EQUIDISTANT: "A moved word is as far from one word of each pair as from the other.",
    KEPT_UNTOUCHED: "What lies along the directions to keep stays as it was.",
    IDEMPOTENT: "Doing it twice is doing it once.",
    NORM_KEPT: "Every word keeps its length.",
    NOT_READABLE: "No linear classifier tells the sides apart on the words of the fit.",
}
MOST_FITTED = 60
"""Most words of a fit that are listed, as the command line does."""
MOST_REMARKED = 12
FILE = "debiased.fairvec"
SUITE_FILE = "own.toml"


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
        "promises": [PROMISES[name] for name in PROMISES if name in transform.guarantees],
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
    settings = "".join(f"    {name}={value!r},\n" for name, value in request.settings.items())
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
    words, axes, before, after = moved_map(models, request)
    return {
        "words": list(words.keys),
        "before": [column.tolist() for column in before],
        "after": [column.tolist() for column in after],
        "axes": [axis.description for axis in axes],
        "reached": dict(words.reached),
    }


def list_methods(_: OpenModels) -> dict[str, Any]:
    """Return each method with the first sentence of its docstring, and its settings."""
    return {"methods": [_method_entry(method_class(name)) for name in method_names()]}


def _method_entry(method: type) -> dict[str, Any]:
    docstring = (getdoc(method) or "").strip()
    sentence, _, rest = docstring.partition("\n\n")
    method_type: Any = method
    return {
        "name": method_type.name,
        "meaning": " ".join(sentence.split()),
        "about": rest,
        "own": method in DEBIASERS,
        "settings": [
            _form_field(setting) for setting in setting_fields(method) if setting.name != "strength"
        ],
    }


def _form_field(setting: SettingField) -> dict[str, Any]:
    """Return the form field of a setting: a choice, a whole number, a number or a text."""
    kinds = {bool: "truth", int: "whole", float: "number", str: "text"}
    field: dict[str, Any] = {"name": setting.name, "usual": setting.default}
    if setting.help:
        field["help"] = setting.help
    if setting.choices:
        field |= {"kind": "choice", "choices": list(setting.choices)}
    else:
        field["kind"] = kinds.get(setting.type, "list")
    if setting.limits != SettingLimits():
        field |= {"least": setting.limits.least, "most": setting.limits.most}
    if setting.is_optional:
        field["optional"] = True
    return field


QUICK_LENGTH = 16
"""The exact p of target lists up to this length takes a few milliseconds."""


def concepts_of_model(models: OpenModels, request: ModelRequest) -> dict[str, Any]:
    """Return the concepts of the model's languages, each with the tests of its category."""
    model = models[request.model].embedding
    tests, remark = _tests(model)
    languages = languages_of(model)
    entries = [
        _concept_entry(concept, tests)
        for concept in shipped_concepts()
        if concept.language in languages
    ]
    return {
        # Concepts with many tests first, those with a warning last.
        "concepts": sorted(
            entries, key=lambda entry: (bool(entry["sensitive"]), -len(entry["tests"]))
        ),
        "remark": remark,
    }


def _tests(model: Embedding) -> tuple[tuple[SelectedTest, ...], str]:
    try:
        return tests_for(Weat(), fitting_suites(model)), ""
    except LexiconError as error:
        return (), str(error)


def _concept_entry(concept: Concept, tests: tuple[SelectedTest, ...]) -> dict[str, Any]:
    matching = [
        selected
        for selected in tests
        if selected.test.category == concept.about and selected.test.language == concept.language
    ]
    return {
        "id": concept.id,
        "title": concept.title,
        "language": concept.language,
        "variants": sorted(concept.variants, key=lambda name: name != concept.default),
        "method": default_method(concept),
        "keep": list(concept.keep),
        "sensitive": concept.sensitive_reason,
        "source": concept.source,
        "tests": [_test_entry(selected) for selected in matching],
    }


def _test_entry(selected: SelectedTest) -> dict[str, Any]:
    sizes = [len(selected.test.sets[role].words) for role in ("x", "y")]
    return {
        "id": selected.test.id,
        "title": selected.test.title,
        "kind": selected.test.kind,
        "words": sizes,
        "quick": max(sizes) <= QUICK_LENGTH,
        "also": list(selected.also),
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
    with _ONE_AT_A_TIME:
        DebiasedFiles(target).require_new_path()
        done = debias_model(
            model,
            shipped_concept(request.concept),
            method,
            suites=[each.test for each in tests],
            holdout=request.holdout,
            output=target,
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

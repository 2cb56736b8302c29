"""The questions about a change: methods, concepts, what it does, and the file of it."""

from dataclasses import fields
from inspect import getdoc
from json import dumps
from shlex import join
from threading import Lock
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from fairvec.core.errors import LexiconError, SettingError
from fairvec.core.format import join_first
from fairvec.core.settings import Range, setting_types
from fairvec.embedding import Embedding
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.suites import fitting_suites, tests_for
from fairvec.experiments.debiasing.debias import debias_model
from fairvec.experiments.debiasing.files import DebiasedFiles, write_debiased
from fairvec.experiments.utility import UtilityAnswer
from fairvec.lexicon import Concept, SelectedTest, Test, shipped_concepts
from fairvec.lexicon.python_lists import OWN
from fairvec.messages.changes import (
    before_and_after,
    change_label,
    change_line,
    format_value,
    is_harmful,
)
from fairvec.messages.figures import format_effect
from fairvec.metrics import Weat
from fairvec.mitigation import DEBIASERS, method_class, method_names
from fairvec.mitigation.base import (
    DIRECTION_REMOVED,
    IDEMPOTENT,
    KEPT_UNTOUCHED,
    NORM_KEPT,
    NOT_READABLE,
    PAIRS_EQUIDISTANT,
)
from fairvec.report import render
from fairvec.results import Change, Outcome, Result, Skipped
from fairvec.web.open_models import OpenModel, OpenModels, size_of_words
from fairvec.web.questions.ask import arguments_of, model_in_python, options_of_reading
from fairvec.web.questions.live_change import (
    LONGEST,
    QUICK,
    FittedMethod,
    TriedChange,
    fit_method,
    measure_again,
    moved_map,
    neighbours_around,
    requested_method,
    requested_tests,
    shipped_concept,
    similarity_baseline,
    similarity_changes,
    test_baseline,
    try_change,
)
from fairvec.web.schemas import (
    AMONG,
    AskedChange,
    AskedConcepts,
    AskedMovedMap,
    AskedMovedNeighbours,
    AskedWriting,
)

PROMISES = {
    DIRECTION_REMOVED: "No moved word has anything left in the direction that is taken out.",
    PAIRS_EQUIDISTANT: "A moved word is as far from one word of each pair as from the other.",
    KEPT_UNTOUCHED: "What lies along the directions to keep stays as it was.",
    IDEMPOTENT: "Doing it twice is doing it once.",
    NORM_KEPT: "Every word keeps its length.",
    NOT_READABLE: "No linear classifier tells the sides apart on the words of the fit.",
}
SHOWN = 60
"""Of the words of a fit so many are named, as the shell does."""
MANY = 12
FILE = "debiased.fairvec"
SUITE_FILE = "own.toml"


def row_of(change: Change) -> dict[str, Any]:
    """Return what a row of before and after says of one test."""
    return {
        "test": change.test.id,
        "title": change.test.title,
        "kind": change.test.kind,
        "was": format_value(change, change.value_before),
        "is": format_value(change, change.value_after),
        "became": change_label(change),
        "alarming": is_harmful(change),
        "evident_before": change.evident_before,
        "evident_after": change.evident_after,
        "fitted_words": list(change.fitted_words),
        "sentence": change_line(change),
    }


def effect_row(outcome: Outcome) -> dict[str, str]:
    """Return the effect of a test as a row has it; words that all lean alike have none."""
    if isinstance(outcome, Result):
        text = format_effect(outcome, outcome.effect)
    else:
        alike = isinstance(outcome, Skipped) and outcome.cause == "no-spread"
        text = "alike" if alike else "none"
    return {"test": outcome.test.id, "is": text}


def summary_of(found: TriedChange) -> str:
    """Return the whole in one sentence."""
    tables = before_and_after([*found.judged.before, *found.after, *found.changes])
    return tables[0].summary if tables else ""


def fit_summary(fit: FittedMethod) -> dict[str, Any]:
    """Return what is known of the fit: its words, what it promises and what it remarks."""
    transform = fit.transform
    return {
        "name": transform.name,
        "words": len(transform.fitted_on),
        "fitted_on": list(transform.fitted_on[:SHOWN]),
        "promises": [PROMISES[name] for name in PROMISES if name in transform.guarantees],
        "remarks": [
            f"{name.replace('_', ' ').capitalize()}: {join_first(words, MANY)}"
            for name, words in transform.remarks.items()
        ],
        "held_out": fit.remark,
        "milliseconds": round(1000 * fit.seconds, 1),
        "again": fit.again,
    }


def as_command(
    question: AskedChange, opened: OpenModel, tests: list[Test], file: str = FILE
) -> str:
    """Return the command that writes the model, in whose shell one's own lists lie as a file."""
    arguments = ["fairvec", "debias", opened.asked, *options_of_reading(opened.reading)]
    arguments += ["--concept", question.concept]
    arguments += ["--method", question.method, "--strength", f"{question.strength:g}"]
    for name, value in question.settings.items():
        arguments += ["--set", f"{name}={value if isinstance(value, str) else dumps(value)}"]
    for test in tests:
        arguments += ["--suite", SUITE_FILE if test.suite == OWN else test.id]
    arguments += ["--holdout"] if question.holdout else []
    return join([*arguments, "-o", file])


def as_python(question: AskedChange, opened: OpenModel, tests: list[Test]) -> str:
    """Return the few lines of Python that do the same."""
    own = [test for test in tests if test.suite == OWN]
    lists = "".join(map(arguments_of, own))
    tests_argument = "tests=test" if own else f"suites={[test.id for test in tests]!r}"
    settings = "".join(f"    {name}={value!r},\n" for name, value in question.settings.items())
    return (
        "import fairvec\n\n"
        + (f"test = fairvec.Test(\n{lists})\n" if own else "")
        + "done = fairvec.debias(\n"
        f"    {model_in_python(opened)}, {question.concept!r}, {question.method!r},\n"
        f"    strength={question.strength!r}, {tests_argument}, holdout={question.holdout!r},\n"
        f"{settings}"
        f')\ndone.save("{FILE}")\n'
    )


def answer_to_change(models: OpenModels, question: AskedChange) -> dict[str, Any]:
    """Return the records before and after, what became of each test, and how to have the same."""
    found = try_change(models, question)
    if question.stage == "quick":
        return {
            "after": [outcome.model_dump(mode="json") for outcome in found.after],
            "rows": [effect_row(outcome) for outcome in found.after],
            "fit": fit_summary(found.fit),
        }
    opened, tests = models[question.model], [selected.test for selected in found.judged.tests]
    return {
        "before": [outcome.model_dump(mode="json") for outcome in found.judged.before],
        "after": [outcome.model_dump(mode="json") for outcome in found.after],
        "changes": [outcome.model_dump(mode="json") for outcome in found.changes],
        "rows": [row_of(outcome) for outcome in found.changes],
        "summary": summary_of(found),
        "fit": fit_summary(found.fit),
        "command": as_command(question, opened, tests),
        "python": as_python(question, opened, tests),
        "may_write": models.write_to is not None,
    }


def neighbours_before_and_after(
    models: OpenModels, question: AskedMovedNeighbours
) -> dict[str, Any]:
    """Return the nearest words of one, before and after."""
    model = models[question.model].embedding
    fit = fit_method(models, question, test_baseline(models, question))
    found = neighbours_around(model, fit.transform, question.word, question.count, AMONG)
    both = {"before": found.before, "after": found.after}
    return {
        "word": found.before.key,
        "among": found.among,
        "of": len(model),
        "remarks": list(found.remarks),
        **{
            side: [
                {"word": word, "similarity": float(alike)}
                for word, alike in zip(near.near, near.similarities, strict=True)
            ]
            for side, near in both.items()
        },
    }


def usefulness_before_and_after(models: OpenModels, question: AskedChange) -> dict[str, Any]:
    """Return what became of each benchmark of similarity that is at hand."""
    model = models[question.model].embedding
    fit = fit_method(models, question, test_baseline(models, question))
    rated = models.kept.get(
        ("rated", question.model),
        lambda: similarity_baseline(model),
        lambda one: size_of_words(one.words),
    )
    if question.stage == "quick":
        pairs = measure_again(rated, fit.transform, most=QUICK)
        return {"rows": [_row(*pair) for pair in pairs], "remark": rated.remark}
    changes = similarity_changes(measure_again(rated, fit.transform, most=LONGEST))
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
        "remark": rated.remark,
    }


def _row(before: UtilityAnswer, after: UtilityAnswer) -> dict[str, Any]:
    """Return one figure before and after, of which nothing is said yet."""
    test = after.outcome.test
    values = [one.figure.value if one.figure else None for one in (before, after)]
    return {"test": test.id, "title": test.title, "was": values[0], "is": values[1]}


def map_before_and_after(models: OpenModels, question: AskedMovedMap) -> dict[str, Any]:
    """Return words and where they lie before and after, on axes of the model as it is."""
    found = moved_map(models, question)
    ground = found.ground
    return {
        "words": list(ground.shown.keys),
        "before": [column.tolist() for column in ground.before],
        "after": [column.tolist() for column in found.after],
        "axes": [ground.across.description, ground.up.description],
        "reached": dict(ground.shown.reached),
    }


def list_methods(_: OpenModels) -> dict[str, Any]:
    """Return each method with the sentence that says what it does, and its settings."""
    return {"methods": [_method_entry(method_class(name)) for name in method_names()]}


def _method_entry(method: type) -> dict[str, Any]:
    usual = method()
    docstring = (getdoc(method) or "").strip()
    sentence, _, rest = docstring.partition("\n\n")
    method_type: Any = method
    return {
        "name": method_type.name,
        "meaning": " ".join(sentence.split()),
        "about": rest,
        "own": method in DEBIASERS,
        "settings": [
            {"name": field.name, "usual": getattr(usual, field.name), **_form_field(kind)}
            for field in fields(method_type)
            if (kind := setting_types(method).get(field.name)) and field.name != "strength"
        ],
    }


def _form_field(kind: Any) -> dict[str, Any]:
    """Return by what a page asks for a setting: a choice, a whole number, a number, a text."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"kind": "choice", "choices": list(parts)}
    if origin is Annotated:
        (bounds,) = (one for one in parts[1:] if isinstance(one, Range))
        most = bounds.most if bounds.most < float("inf") else None
        return {**_form_field(parts[0]), "least": bounds.least, "most": most}
    if NoneType in parts:
        (inner,) = (one for one in parts if one is not NoneType)
        return {**_form_field(inner), "optional": True}
    names = {bool: "truth", int: "whole", float: "number", str: "text"}
    return {"kind": names.get(kind, "list")}


QUICK_CONCEPTS = 16
"""The exact p of target lists up to this length takes a few milliseconds."""


def concepts_of_model(models: OpenModels, question: AskedConcepts) -> dict[str, Any]:
    """Return the concepts of the model's languages, each with the tests of its category."""
    model = models[question.model].embedding
    tests, remark = _tests(model)
    spoken = languages_of(model)
    entries = [
        _concept_entry(concept, tests)
        for concept in shipped_concepts()
        if concept.language in spoken
    ]
    return {
        # First what can be judged by many tests; lists with a warning are for those who seek them.
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
        "quick": max(sizes) <= QUICK_CONCEPTS,
        "also": list(selected.also),
    }


_ONE_AT_A_TIME = Lock()
"""A model is written whole, and two of one name shall not be."""


def write_change(models: OpenModels, question: AskedWriting) -> DebiasedFiles:
    """Write what `fairvec debias` writes, under a new name; nothing is ever written over."""
    if models.write_to is None:
        raise SettingError(
            "This server was started without a folder to write into; run the command that is "
            "shown, or start it with --write-to FOLDER."
        )
    target = models.write_to / question.file
    if target.parent.resolve() != models.write_to.resolve():
        raise SettingError(f"{question.file} is no plain name of a file; use letters and digits.")
    model = models[question.model].embedding
    tests = requested_tests(question, [model])
    method = requested_method(question, question.strength)
    with _ONE_AT_A_TIME:
        DebiasedFiles(target).refuse_taken()
        done = debias_model(
            model,
            shipped_concept(question.concept),
            method,
            suites=[each.test for each in tests],
            holdout=question.holdout,
            output=target,
        )
        return write_debiased(done, target, page=render(done.outcomes, title=done.title))


def answer_to_writing(models: OpenModels, question: AskedWriting) -> dict[str, Any]:
    """Write the model, and return the names of what was written."""
    files = write_change(models, question)
    opened = models[question.model]
    tests = [each.test for each in requested_tests(question, [opened.embedding])]
    return {
        "model": files.model.name,
        "run": files.folder.name,
        "folder": str(files.model.parent),
        "command": as_command(question, opened, tests, str(files.model)),
    }

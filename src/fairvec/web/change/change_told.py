"""A tried change in words: as the shell and the report say it, and how to have the same there."""

from json import dumps
from shlex import join
from typing import Any

from fairvec.ground.text.enumerations import first_of
from fairvec.lexicon import Test
from fairvec.lexicon.in_python import OWN
from fairvec.mitigation.base import (
    DIRECTION_REMOVED,
    IDEMPOTENT,
    KEPT_UNTOUCHED,
    NORM_KEPT,
    NOT_READABLE,
    PAIRS_EQUIDISTANT,
)
from fairvec.report.sections.before_after import about, alarming, before_and_after, in_words, shown
from fairvec.report.words.effects import effect_of
from fairvec.results import Change, Outcome, Result, Skipped
from fairvec.web.change.change_questions import AskedChange
from fairvec.web.change.trying import FittedAt, TriedChange
from fairvec.web.opened import OpenModel
from fairvec.web.same_figures import arguments_of, model_in_python, options_of_reading

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
        "was": shown(change, change.value_before),
        "is": shown(change, change.value_after),
        "became": in_words(change),
        "alarming": alarming(change),
        "evident_before": change.evident_before,
        "evident_after": change.evident_after,
        "fitted_words": list(change.fitted_words),
        "sentence": about(change),
    }


def effect_told(outcome: Outcome) -> dict[str, str]:
    """Return the effect of a test as a row has it; words that all lean alike have none."""
    if isinstance(outcome, Result):
        said = effect_of(outcome, outcome.effect)
    else:
        alike = isinstance(outcome, Skipped) and outcome.cause == "no-spread"
        said = "alike" if alike else "none"
    return {"test": outcome.test.id, "is": said}


def summary_of(found: TriedChange) -> str:
    """Return the whole in one sentence."""
    tables = before_and_after([*found.judged.before, *found.after, *found.changes])
    return tables[0].summary if tables else ""


def fit_told(fit: FittedAt) -> dict[str, Any]:
    """Return what is known of the fit: its words, what it promises and what it remarks."""
    transform = fit.transform
    return {
        "name": transform.name,
        "words": len(transform.fitted_on),
        "fitted_on": list(transform.fitted_on[:SHOWN]),
        "promises": [PROMISES[name] for name in PROMISES if name in transform.guarantees],
        "remarks": [
            f"{name.replace('_', ' ').capitalize()}: {first_of(said, MANY)}"
            for name, said in transform.remarks.items()
        ],
        "held_out": fit.remark,
        "milliseconds": round(1000 * fit.seconds, 1),
        "again": fit.again,
    }


def as_command(
    question: AskedChange, opened: OpenModel, tests: list[Test], file: str = FILE
) -> str:
    """Return the command that writes the model, in whose shell one's own lists lie as a file."""
    told = ["fairvec", "debias", opened.asked, *options_of_reading(opened.reading)]
    told += ["--concept", question.concept]
    told += ["--method", question.method, "--strength", f"{question.strength:g}"]
    for name, value in question.settings.items():
        told += ["--set", f"{name}={value if isinstance(value, str) else dumps(value)}"]
    for test in tests:
        told += ["--suite", SUITE_FILE if test.suite == OWN else test.id]
    told += ["--holdout"] if question.holdout else []
    return join([*told, "-o", file])


def as_python(question: AskedChange, opened: OpenModel, tests: list[Test]) -> str:
    """Return the few lines of Python that do the same."""
    own = [test for test in tests if test.suite == OWN]
    lists = "".join(map(arguments_of, own))
    judged = "tests=test" if own else f"suites={[test.id for test in tests]!r}"
    settings = "".join(f"    {name}={value!r},\n" for name, value in question.settings.items())
    return (
        "import fairvec\n\n"
        + (f"test = fairvec.Test(\n{lists})\n" if own else "")
        + "done = fairvec.debias(\n"
        f"    {model_in_python(opened)}, {question.concept!r}, {question.method!r},\n"
        f"    strength={question.strength!r}, {judged}, holdout={question.holdout!r},\n{settings}"
        f')\ndone.save("{FILE}")\n'
    )

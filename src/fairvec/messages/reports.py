"""By which rules a run was made, what it does not answer, and its summary."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from fairvec.core.format import (
    capitalize_first,
    format_count,
    format_percent,
    group_by,
    join_first,
    join_up_to,
    join_words,
    pluralize,
)
from fairvec.core.text import one_line
from fairvec.messages.figures import language_name
from fairvec.results import (
    CATEGORY,
    CategoryAnswer,
    ModelIdentity,
    Outcome,
    Result,
    Skipped,
    lacking,
)

_ADDRESS = re.compile(
    r"https?://[^\s<>\"]*[^\s<>\".,;:)]|\bdoi:\s?10\.\d{4,}/[^\s<>\"]*[^\s<>\".,;:)]"
)

_TIES = {
    ">=": "a regrouping as extreme as the observed one counts",
    ">": "only a regrouping more extreme than the observed one counts",
}


@dataclass(frozen=True)
class SuiteUse:
    """A suite as it was used in a run."""

    id: str
    version: str
    language: str
    source: str
    tests: int


def suites(outcomes: Sequence[Outcome]) -> list[SuiteUse]:
    """Return the suites of the run with the number of their tests that were asked."""
    tests = dict.fromkeys(
        one.test for one in outcomes if one.test.kind not in ("movement", "concept", CATEGORY)
    )
    by_suite = group_by(tests, lambda t: (t.suite, t.suite_version, t.language, t.source))
    return [SuiteUse(*suite, tests=len(members)) for suite, members in by_suite.items()]


def models(outcomes: Sequence[Outcome]) -> list[ModelIdentity]:
    """Return each model of the run once."""
    first = {(outcome.model.name, outcome.model.sha256): outcome.model for outcome in outcomes}
    return list(first.values())


def settings(outcomes: Sequence[Outcome]) -> dict[str, list[str]]:
    """Return each setting with every value it had in the run."""
    results = [outcome for outcome in outcomes if isinstance(outcome, Result)]
    intervals = [result.interval for result in results if result.interval]
    sampled = [result.p for result in results if result.p.method == "sampled"]
    found: dict[str, Iterable[str]] = {
        "Metric": (outcome.metric for outcome in outcomes),
        "Similarity": (outcome.similarity for outcome in outcomes),
        "Convention": (
            f"{r.convention.name}: ddof {r.convention.ddof}, denominator {r.convention.denominator}"
            for r in results
        ),
        "Sides of p": (f"{result.p.sides}" for result in results),
        "Ties": (_TIES[result.p.ties] for result in results),
        "p-values": (result.p.method for result in results),
        "Sampling": (f"{format_count(p.samples or 0)} draws, seed {p.seed}" for p in sampled),
        "Corrected over": (
            f"{result.family} {result.family_of}"
            if result.family_of
            # As results of the first schema had it.
            else pluralize(result.family, "test")
            for result in results
        ),
        "Level of the verdict": (f"{result.verdict.alpha:g}, Holm-corrected" for result in results),
        "Interval": (
            f"{format_percent(i.level)} {i.method}"
            + (f", {format_count(i.resamples)} draws, seed {i.seed}" if i.resamples else "")
            for i in intervals
        ),
        "Seed": (str(outcome.seed) for outcome in outcomes),
        "Software": (
            ", ".join(f"{name} {version}" for name, version in outcome.versions.items())
            for outcome in outcomes
        ),
        "Schema of the results": (f"version {outcome.schema_version}" for outcome in outcomes),
    }
    once = {name: list(dict.fromkeys(values)) for name, values in found.items()}
    return {name: values for name, values in once.items() if values}


def steps(model: ModelIdentity) -> list[str]:
    """Return what was done to a model, one line a step."""
    return [
        ", ".join([str(step.get("action", "step")), *_details(step.items())])
        for step in model.history
    ]


def linked(text: str) -> Markup:
    """Return the text, escaped, with its web addresses and DOIs as plain links."""
    parts, end = [], 0
    for match in _ADDRESS.finditer(text):
        address = match[0]
        target = "https://doi.org/" + address[4:].strip() if address[0] == "d" else address
        link = Markup('<a href="{}" rel="noreferrer">{}</a>').format(target, address)
        parts += [escape(text[end : match.start()]), link]
        end = match.end()
    return Markup("").join([*parts, escape(text[end:])])


def _details(items: Iterable[tuple[str, object]]) -> list[str]:
    return [f"{name.replace('_', ' ')} {_said(value)}" for name, value in items if name != "action"]


def _said(value: object) -> str:
    if isinstance(value, list | tuple):
        return join_words([_said(part) for part in value])
    return format_count(value) if type(value) is int else str(value)


# What a page does not answer: tests skipped, categories not asked about, words not found.


CATEGORIES = (
    "gender",
    "race",
    "religion",
    "caste",
    "age",
    "health",
    "occupation",
    "nationality",
    "sexual orientation",
)
"""What people ask about; a page names those of them that it is silent on."""

_NO_TESTS = ("movement", CATEGORY)

MOST_NAMED = 6

_BEYOND = (
    "Each test sees its own words alone. No answer here rules out a bias in other words, in whole "
    "sentences or in what a system makes of the model; nor is an association in it a harm by "
    "itself."
)


@dataclass(frozen=True)
class Gap:
    """One thing that was not measured, and where the page says more of it."""

    title: str
    text: str
    target: str = ""


def gaps(outcomes: Sequence[Outcome]) -> list[Gap]:
    """Return what was not measured, and at last what such tests cannot show."""
    found = [
        Gap("Skipped", _skipped(outcomes), "skipped"),
        Gap("Not pooled", _left_out(outcomes), "answer"),
        Gap("Not asked", _not_asked(outcomes)),
        Gap("Words not found", _missing(outcomes), "tests"),
        Gap("Beyond such tests", _BEYOND),
    ]
    return [gap for gap in found if gap.text]


def _skipped(outcomes: Iterable[Outcome]) -> str:
    skipped = [
        one for one in outcomes if isinstance(one, Skipped) and one.test.kind not in _NO_TESTS
    ]
    models = {one.model.name for one in skipped}
    named = list(dict.fromkeys(one.test.title for one in skipped))
    if not skipped:
        return ""
    where = f" in {next(iter(models))}" if len(models) == 1 else f", in {len(models)} models"
    return f"{pluralize(len(skipped), 'test has', 'tests have')} no answer{where}: {_some(named)}."


def _left_out(outcomes: Iterable[Outcome]) -> str:
    """Name the measured tests that no answer of a category could take in; others were skipped."""
    outcomes = list(outcomes)
    skipped = {(one.model.sha256, one.test.id) for one in outcomes if isinstance(one, Skipped)}
    named = dict.fromkeys(
        test
        for one in outcomes
        if isinstance(one, CategoryAnswer)
        for test in one.left_out
        if (one.model.sha256, test.partition(" (")[0]) not in skipped
    )
    return f"Not part of their category's answer: {_some(list(named))}." if named else ""


def _not_asked(outcomes: Iterable[Outcome]) -> str:
    bias = [one.test for one in outcomes if one.test.kind == "bias"]
    sentences = []
    for language, tests in group_by(bias, lambda test: test.language).items():
        asked = {test.category.lower() for test in tests}
        if silent := [category for category in CATEGORIES if category not in asked]:
            sentences.append(
                f"in {language_name(language)} nothing about {join_words(silent, 'or')}"
            )
    said = "; ".join(sentences)
    return f"{capitalize_first(said)}." if said else ""


def _missing(outcomes: Iterable[Outcome]) -> str:
    results = [one for one in outcomes if isinstance(one, Result)]
    sentences = []
    for model, members in group_by(results, lambda one: one.model.name).items():
        groups = [group for one in members for group in one.coverage]
        wanted = sum(group.wanted for group in groups)
        lost = sum(len(group.missing) for group in groups)
        words = list(dict.fromkeys(word for group in groups for word in group.missing))
        if lost:
            share = format_percent(lost / wanted)
            sentences.append(
                f"{model} lacks {format_count(lost)} of {format_count(wanted)} entries ({share}): "
                f"{_some(words)}"
            )
    return "; ".join(sentences) + "." if sentences else ""


def _some(names: Sequence[str]) -> str:
    return join_up_to(names, MOST_NAMED)


# Results as a few readable lines of a terminal.


MOST_LINES, MOST_ANSWERS, MOST_MODELS = 12, 12, 3


def as_lines(outcomes: Sequence[Outcome]) -> str:
    """Return what the records are of, the answer of each category, and one line a test."""
    if not outcomes:
        return "Results: no records"
    answers = [one for one in outcomes if isinstance(one, CategoryAnswer)]
    others = [one for one in outcomes if not isinstance(one, CategoryAnswer)]
    models = list(dict.fromkeys(one.model.name for one in outcomes))
    lines = [
        f"Results: {_counts(outcomes)}; {join_first([*map(one_line, models)], MOST_MODELS)}",
        lacking(outcomes),
        *(_record_line(one, several=len(models) > 1) for one in answers[:MOST_ANSWERS]),
        _rest(len(answers) - MOST_ANSWERS, "category", "categories"),
        *(f"  {one}" for one in others[:MOST_LINES]),
        _rest(len(others) - MOST_LINES, "record", "records"),
    ]
    return "\n".join(line for line in lines if line)


def _counts(outcomes: Sequence[Outcome]) -> str:
    kinds = Counter(one.status for one in outcomes)
    told = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    return f"{pluralize(len(outcomes), 'record')} ({told})"


def _record_line(answer: CategoryAnswer, *, several: bool) -> str:
    of = f"{answer.model.name}, " if several else ""
    return one_line(f"{of}{answer.verdict.sentence}")


def _rest(number: int, one: str, several: str) -> str:
    return f"  ... and {pluralize(number, one, several)} more" if number > 0 else ""

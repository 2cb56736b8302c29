"""Sentences about a run: settings, suites, what it does not answer, its printed form."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from fairvec.core.format import (
    capitalize_first,
    format_count,
    format_number,
    format_percent,
    format_scientific,
    group_by,
    join_first,
    join_up_to,
    join_words,
    pluralize,
)
from fairvec.core.text import one_line, short_repr
from fairvec.messages.categories import NOT_POOLED
from fairvec.messages.figures import language_name
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.identities import EndpointProbes, LocalAgreement, ModelIdentity
from fairvec.results.records import CATEGORY, EFFECTS, CategoryAnswer, Description

_ADDRESS = re.compile(
    r"https?://[^\s<>\"]*[^\s<>\".,;:)]|\bdoi:\s?10\.\d{4,}/[^\s<>\"]*[^\s<>\".,;:)]"
)

_TIES = {
    ">=": "regroupings as extreme as the observed one are counted",
    ">": "only regroupings more extreme than the observed one are counted",
}


@dataclass(frozen=True)
class SuiteUse:
    """A suite as it was used in a run."""

    id: str
    version: str
    language: str
    source: str
    tests: int


def suites_used(outcomes: Sequence[Outcome]) -> list[SuiteUse]:
    """Return the suites of the run with the number of their selected tests."""
    tests = dict.fromkeys(
        outcome.test
        for outcome in outcomes
        if outcome.test.kind not in ("movement", "concept", CATEGORY)
    )
    by_suite = group_by(
        tests, lambda test: (test.suite, test.suite_version, test.language, test.source)
    )
    return [SuiteUse(*suite, tests=len(members)) for suite, members in by_suite.items()]


def distinct_models(outcomes: Sequence[Outcome]) -> list[ModelIdentity]:
    """Return each model of the run once."""
    first = {(outcome.model.name, outcome.model.sha256): outcome.model for outcome in outcomes}
    return list(first.values())


def settings_used(outcomes: Sequence[Outcome]) -> dict[str, list[str]]:
    """Return each setting with every value it had in the run."""
    results = [outcome for outcome in outcomes if isinstance(outcome, Result)]
    intervals = [result.interval for result in results if result.interval]
    sampled = [result.p for result in results if result.p.method == "sampled"]
    values_of: dict[str, Iterable[str]] = {
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
    distinct = {name: list(dict.fromkeys(values)) for name, values in values_of.items()}
    return {name: values for name, values in distinct.items() if values}


def history_lines(model: ModelIdentity) -> list[str]:
    """Return what was done to a model, one line a step."""
    return [
        ", ".join([str(step.get("action", "step")), *_step_details(step.items())])
        for step in model.history
    ]


def endpoint_paragraph(model: ModelIdentity) -> str:
    """Return what an endpoint showed of itself before the run; "" of a model that is none."""
    probes = model.endpoint
    if probes is None:
        return ""
    named = f", which calls its model {short_repr(probes.served_as)}," if probes.served_as else ""
    sentences = [
        f"Before the run the server{named} was probed.",
        _repeats(probes),
        _length_read(probes),
        {
            True: "A model name that does not exist was refused.",
            False: "A model name that does not exist was answered all the same, so the name says "
            "nothing about which model answers.",
            None: "Whether it tells model names apart could not be found out.",
        }[probes.model_matters],
        _vector_lengths(probes),
    ]
    if probes.generation > 1:
        sentences.append(
            f"Its model has changed since vectors were first stored here: this is number "
            f"{probes.generation}."
        )
    return " ".join([*sentences, *map(_agreement, probes.same_as)])


def _repeats(probes: EndpointProbes) -> str:
    if not probes.repeat and not probes.in_batch:
        return "The same text gave the same vector, sent twice, alone and in batches."
    twice = (
        f"differed by {format_scientific(probes.repeat)} of its length"
        if probes.repeat
        else "was the same"
    )
    batch = (
        f"differed by up to {format_scientific(probes.in_batch)}"
        if probes.in_batch
        else "were the same"
    )
    return (
        f"The vector of a text that was sent twice {twice}; alone and in batches vectors {batch}."
    )


def _length_read(probes: EndpointProbes) -> str:
    whole = f"A text of {format_count(probes.whole_words)} words was read whole"
    if cut := probes.cut_within_words:
        between = (
            f"between {format_count(probes.whole_words)} and {format_count(cut)} words"
            if probes.whole_words
            else f"within {format_count(cut)} words"
        )
        return f"Long texts are silently cut, {between}: what follows has no effect."
    if refused := probes.refused_words:
        of = f"one of {format_count(refused)} words was refused"
        return f"{whole}; {of}." if probes.whole_words else f"A text of {of.split(' of ', 1)[1]}."
    return f"{whole}."


def _vector_lengths(probes: EndpointProbes) -> str:
    if max(abs(probes.shortest - 1), abs(probes.longest - 1)) < UNIT_TOLERANCE:
        return "Vectors have length 1."
    low, high = format_number(probes.shortest, 3), format_number(probes.longest, 3)
    return (
        f"Vectors have lengths from {low} to {high}."
        if low != high
        else (f"Vectors have length {low}.")
    )


def _agreement(local: LocalAgreement) -> str:
    read = pluralize(local.sentences, f"{language_name(local.language)} sentence")
    low, middle = (format_number(each, 6) for each in (local.least, local.median))
    figures = f"cosine {low} at the least and {middle} in the median"
    if local.least >= SAME_COSINE:
        return f"On {read} it gives the vectors of {local.model} on this machine ({figures})."
    return (
        f"On {read} it does not give the vectors of {local.model} on this machine ({figures}; "
        f"farthest apart: {short_repr(local.farthest)}), so figures of one are not figures of the "
        "other."
    )


UNIT_TOLERANCE = 1e-3
SAME_COSINE = 0.9999
"""Float16 and other engines move a cosine by less; another tokenisation by far more."""


def link_addresses(text: str) -> Markup:
    """Return the text, escaped, with its web addresses and DOIs as plain links."""
    parts, end = [], 0
    for match in _ADDRESS.finditer(text):
        address = match[0]
        target = "https://doi.org/" + address[4:].strip() if address[0] == "d" else address
        link = Markup('<a href="{}" rel="noreferrer">{}</a>').format(target, address)
        parts += [escape(text[end : match.start()]), link]
        end = match.end()
    return Markup("").join([*parts, escape(text[end:])])


def _step_details(items: Iterable[tuple[str, object]]) -> list[str]:
    return [
        f"{name.replace('_', ' ')} {_format_step_value(value)}"
        for name, value in items
        if name != "action"
    ]


def _format_step_value(value: object) -> str:
    if isinstance(value, list | tuple):
        return join_words([_format_step_value(part) for part in value])
    return format_count(value) if type(value) is int else str(value)


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

_NOT_TESTS = ("movement", CATEGORY)

MOST_NAMED = 6

_BEYOND = (
    "Each test covers only its own words. No answer here rules out a bias in other words, in whole "
    "sentences or in a system that uses the model, and an association in a model is not by itself "
    "a harm."
)


@dataclass(frozen=True)
class Gap:
    """One thing that was not measured, and where the page says more of it."""

    title: str
    text: str
    target: str = ""


def coverage_gaps(outcomes: Sequence[Outcome]) -> list[Gap]:
    """Return what was not measured, and at last what such tests cannot show."""
    found = [
        Gap("Skipped", _skipped(outcomes), "skipped"),
        Gap("Not pooled", _not_pooled(outcomes), "answer"),
        Gap("Not tested", _not_asked(outcomes)),
        Gap("Words not found", _missing(outcomes), "tests"),
        Gap("Beyond these tests", _BEYOND),
    ]
    return [gap for gap in found if gap.text]


def _skipped(outcomes: Iterable[Outcome]) -> str:
    skipped = [
        outcome
        for outcome in outcomes
        if isinstance(outcome, Skipped) and outcome.test.kind not in _NOT_TESTS
    ]
    models = {outcome.model.name for outcome in skipped}
    named = list(dict.fromkeys(outcome.test.title for outcome in skipped))
    if not skipped:
        return ""
    where = f" in {next(iter(models))}" if len(models) == 1 else f", in {len(models)} models"
    tests = pluralize(len(skipped), "test has", "tests have")
    return f"{tests} no answer{where}: {_name_some(named)}."


def _not_pooled(outcomes: Iterable[Outcome]) -> str:
    """Name the measured tests that no answer of a category could take in; others were skipped."""
    outcomes = list(outcomes)
    skipped = {
        (outcome.model.sha256, outcome.test.id)
        for outcome in outcomes
        if isinstance(outcome, Skipped)
    }
    names = dict.fromkeys(
        f"{left.test} ({NOT_POOLED[left.reason]})"
        for outcome in outcomes
        if isinstance(outcome, CategoryAnswer)
        for left in outcome.left_out
        if (outcome.model.sha256, left.test) not in skipped
    )
    return f"Not part of their category's answer: {_name_some(list(names))}." if names else ""


def _not_asked(outcomes: Iterable[Outcome]) -> str:
    bias = [outcome.test for outcome in outcomes if outcome.test.kind == "bias"]
    sentences = []
    for language, tests in group_by(bias, lambda test: test.language).items():
        covered = {test.category.lower() for test in tests}
        if missing := [category for category in CATEGORIES if category not in covered]:
            sentences.append(
                f"no test about {join_words(missing, 'or')} in {language_name(language)}"
            )
    text = "; ".join(sentences)
    return f"{capitalize_first(text)}." if text else ""


def _missing(outcomes: Iterable[Outcome]) -> str:
    """Count the words of every selected test, skipped or not; a test of two metrics once."""
    requested = [
        outcome
        for outcome in outcomes
        if isinstance(outcome, Result | Description | Skipped)
        and outcome.test.kind in EFFECTS
        and outcome.coverage
    ]
    sentences = []
    for model, members in group_by(requested, lambda outcome: outcome.model.name).items():
        tests = {(one.test.id, one.test.suite_version): one.coverage for one in members}
        groups = [group for coverage in tests.values() for group in coverage]
        wanted = sum(group.wanted for group in groups)
        lost = sum(len(group.missing) for group in groups)
        words = list(dict.fromkeys(word for group in groups for word in group.missing))
        if lost:
            share = format_percent(lost / wanted)
            sentences.append(
                f"{model} lacks {format_count(lost)} of the {format_count(wanted)} list entries of "
                f"all tests, including skipped ones ({share}): {_name_some(words)}"
            )
    return "; ".join(sentences) + "." if sentences else ""


def _name_some(names: Sequence[str]) -> str:
    return join_up_to(names, MOST_NAMED)


MOST_LINES, MOST_ANSWERS, MOST_MODELS = 12, 12, 3


def results_lines(outcomes: Sequence[Outcome]) -> str:
    """Return what the records are of, the answer of each category, and one line a test."""
    if not outcomes:
        return "Results: no records"
    answers = [outcome for outcome in outcomes if isinstance(outcome, CategoryAnswer)]
    others = [outcome for outcome in outcomes if not isinstance(outcome, CategoryAnswer)]
    models = list(dict.fromkeys(outcome.model.name for outcome in outcomes))
    lines = [
        f"Results: {_counts(outcomes)}; {join_first([*map(one_line, models)], MOST_MODELS)}",
        *(
            _record_line(outcome, several_models=len(models) > 1)
            for outcome in answers[:MOST_ANSWERS]
        ),
        _more_line(len(answers) - MOST_ANSWERS, "category", "categories"),
        *(f"  {outcome}" for outcome in others[:MOST_LINES]),
        _more_line(len(others) - MOST_LINES, "record", "records"),
    ]
    return "\n".join(line for line in lines if line)


def _counts(outcomes: Sequence[Outcome]) -> str:
    kinds = Counter(outcome.status for outcome in outcomes)
    parts = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    return f"{pluralize(len(outcomes), 'record')} ({parts})"


def _record_line(answer: CategoryAnswer, *, several_models: bool) -> str:
    prefix = f"{answer.model.name}, " if several_models else ""
    return one_line(f"{prefix}{answer.verdict.sentence}")


def _more_line(number: int, singular: str, plural: str) -> str:
    return f"  ... and {pluralize(number, singular, plural)} more" if number > 0 else ""

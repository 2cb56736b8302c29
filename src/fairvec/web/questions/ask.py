"""The view Ask: four lists put to a model, with other published lists, and as code to rerun.

Short lists are answered exactly; of long ones a quick answer without p comes first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import cache
from math import comb
from shlex import join
from typing import Any, Literal

from fairvec.core.errors import LexiconError, UndefinedError, UnknownNameError
from fairvec.core.format import USUAL_LEVEL, format_p, format_signed, is_significant
from fairvec.embedding import LOAD_DEFAULTS, LoadOptions
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.plan import DEFAULT_STATISTICS, Statistics, resolve_metrics
from fairvec.experiments.audit.robustness import OtherLists, published_alternatives, try_lists
from fairvec.experiments.audit.suites import language_of_words
from fairvec.experiments.provenance import coverage_of
from fairvec.geometry import default_similarity
from fairvec.languages.language import script_of_language
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import (
    Finding,
    Groups,
    Suite,
    Test,
    lint_suite,
    resolve,
    shipped_suites,
    suite_to_toml,
)
from fairvec.lexicon.python_lists import UNSAID, as_words, as_wordset
from fairvec.lexicon.suites import version_of
from fairvec.messages.remarks import coverage_remedy
from fairvec.messages.test_details import live_figures, readings, word_labels
from fairvec.messages.verdicts import is_evidence
from fairvec.metrics import Metric
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import GroupCoverage
from fairvec.results.verdicts import ListSwap
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.schemas import LONGEST_TEXT, ListRole, ListsRequest

ROLES: tuple[ListRole, ...] = ("x", "y", "a", "b")
SOURCE = "Lists put together in fairvec explore."


def lists_of(request: ListsRequest) -> dict[str, WordSet]:
    """Return the lists that have words, by role."""
    by_role = ((role, _list(role, request)) for role in ROLES)
    return {role: wordset for role, wordset in by_role if wordset is not None}


def as_test(request: ListsRequest, languages: Sequence[str]) -> Test:
    """Return the test; lists that cannot be measured are refused, as `fairvec.Test` does."""
    sets = lists_of(request)
    labels = {name: value for name in ("title", "category") if (value := getattr(request, name))}
    lists: dict[str, Any] = {role: sets.get(role, ()) for role in ROLES}
    language = language_of_lists(request, sets.values(), languages)
    return Test(**lists, kind=request.kind, language=language, **labels)


def suite_of(test: Test) -> Suite:
    """Return the suite of a user's own test."""
    return Suite(tests=[test], id=test.suite, version=version_of(test.sets), source=SOURCE)


def language_of_lists(
    request: ListsRequest, lists: Iterable[WordSet], languages: Sequence[str]
) -> str:
    """Return the language of the published lists if the words are in its script, else the model's.

    `languages` are those of the model; the result is `UNSAID` if neither decides.
    """
    words = [word for wordset in lists for word in wordset.words]
    texts = [word.word for word in words]
    published = {shipped_test(id).language for id in request.sources.values()}
    fitting = {
        language
        for language in published
        if script_of_language(language, texts) == script_of_language("", texts)
    }
    return fitting.pop() if len(fitting) == 1 else language_of_words(words, languages) or UNSAID


def _list(role: ListRole, request: ListsRequest) -> WordSet | None:
    words = as_words(role, getattr(request, role), some=False)
    title = request.titles.get(role, "")
    id = request.sources.get(role)
    if not words:
        return None
    if id is None:
        return as_wordset(role, words, title)
    source = shipped_test(id).sets.get(role)
    if source is None:
        raise UnknownNameError(f"list of {id}", role, shipped_test(id).sets)
    published = {word.word: word for word in source.words}
    words = tuple(published.get(word.word, word) for word in words)
    return as_wordset(role, words, title).model_copy(update=_inherited_fields(source, words))


def _inherited_fields(source: WordSet, words: Iterable[Word]) -> dict[str, object]:
    """Return the fields that a list takes over from the published list it began as."""
    pos = source.pos if all(word.pos == source.pos for word in words) else None
    return {
        "concept": source.concept,
        "pos": pos,
        "sensitive": source.sensitive,
        "sensitive_reason": source.sensitive_reason,
    }


def shipped_test(id: str) -> Test:
    """Return a shipped test; a name in a request never reads a file."""
    if id not in shipped_tests():
        raise UnknownNameError("test", id, shipped_tests())
    return shipped_tests()[id]


@cache
def shipped_tests() -> dict[str, Test]:
    """Return all shipped tests by id."""
    return {test.id: test for suite in shipped_suites() for test in suite.tests}


MOST_REGROUPINGS = 2 * 10**8
"""Regroupings that are counted while one types: those of 15 + 15 words."""

REHEARSAL_WORDS = 42
"""Words of a rehearsal: with 20 a list it takes the quick stage too."""

QUICK = Statistics(method="sampled", samples=100, interval="none")
"""Settings that leave effect and words as they are and cost little; their p is never shown."""


def rehearse_answer(opened: OpenModel) -> None:
    """Measure short and long lists once at the start: first calls import and compile."""
    keys = [key[:LONGEST_TEXT] for key in opened.embedding.keys if key.strip()][:REHEARSAL_WORDS]
    for count in (3, (len(keys) - 2) // 2):
        x, y = keys[2 : 2 + count], keys[2 + count : 2 + 2 * count]
        lists = {"x": x, "y": y, "a": keys[:1], "b": keys[1:2]}
        request = ListsRequest(model=opened.name, stage="quick", **lists)
        answer_to_lists(OpenModels([opened]), request)


def _coverage_so_far(request: ListsRequest, opened: OpenModel) -> tuple[GroupCoverage, ...]:
    """Return the coverage of lists that are not yet a test."""
    try:
        sets = lists_of(request)
    except LexiconError:
        return ()
    if not sets:
        return ()
    language = language_of_lists(request, sets.values(), opened.languages)
    return coverage_of(resolve(Test(sets=sets, language=language), opened.embedding))


def by_role(findings: Iterable[Finding], suite: Suite) -> list[dict[str, Any]]:
    """Return the findings with the role of their list, in messages without its id."""
    (test,) = suite.tests
    roles = {wordset.id: role for role, wordset in test.sets.items()}
    return [
        {
            "code": finding.code,
            "role": roles.get(finding.where, ""),
            "words": list(finding.words),
            "message": finding.text,
        }
        for finding in findings
    ]


LONGEST_NAME = 60


def file_name(suite: Suite) -> str:
    """Return the name of the suite's file: small letters, digits and hyphens."""
    return f"{suite.tests[0].name[:LONGEST_NAME].strip('-')}.toml"


def as_file(suite: Suite) -> str:
    """Return the text of the suite's file."""
    return suite_to_toml(suite)


def as_command(suite: Suite, opened: OpenModel) -> str:
    """Return the command line, to be run in the folder of the suite's file."""
    arguments = ["fairvec", "audit", opened.source, "--suite", file_name(suite)]
    return join([*arguments, *options_of_reading(opened.reading)])


def as_python(suite: Suite, opened: OpenModel) -> str:
    """Return a Python program that prints the record."""
    return (
        "import fairvec\n\n"
        f"test = fairvec.Test(\n{arguments_of(suite.tests[0])})\n"
        f"(found,) = fairvec.audit({model_in_python(opened)}, tests=test, categories=False)\n"
        "print(found)\n"
    )


def reading_options(reading: LoadOptions) -> dict[str, Any]:
    """Return the options of reading that differ from their defaults."""
    every = {field.name: getattr(reading, field.name) for field in fields(LoadOptions)}
    return {name: value for name, value in every.items() if value != getattr(LOAD_DEFAULTS, name)}


def options_of_reading(reading: LoadOptions) -> list[str]:
    """Return those options as arguments of a command line."""
    options: list[str] = []
    for name, value in reading_options(reading).items():
        for item in value if isinstance(value, list | tuple) else [value]:
            options += [f"--{name.replace('_', '-')}", str(item)]
    return options


def model_in_python(opened: OpenModel) -> str:
    """Return the model in Python: its name, or a call of fairvec.load with its options."""
    reading = reading_options(opened.reading)
    options = "".join(f", {name}={value!r}" for name, value in reading.items())
    return f"fairvec.load({opened.source!r}{options})" if reading else repr(opened.source)


def arguments_of(test: Test) -> str:
    """Return the arguments of a test: its lists, and titles and settings that are not defaults."""
    arguments: dict[str, Any] = {
        role: [_entry(word) for word in test.sets[role].words] for role in ROLES
    }
    usual = Test(**arguments)
    titles = {
        role: test.sets[role].title
        for role in ROLES
        if test.sets[role].title != usual.sets[role].title
    }
    if titles:
        arguments["titles"] = titles
    for name in ("title", "category", "kind", "language"):
        if getattr(test, name) != getattr(usual, name):
            arguments[name] = getattr(test, name)
    return "".join(f"    {name}={value!r},\n" for name, value in arguments.items())


def _entry(word: Word) -> str | dict[str, Any]:
    """Return a word, or a table with its variants and part of speech."""
    fields_of = {"word": word.word, "variants": list(word.variants), "pos": word.pos}
    non_empty = {name: value for name, value in fields_of.items() if value}
    return word.word if non_empty.keys() == {"word"} else non_empty


def answer_to_lists(models: OpenModels, request: ListsRequest) -> dict[str, Any]:
    """Return the record, its figures as text, and the linter's findings about the lists.

    At the stage `quick` the record is still missing, and `quick` has its effect and words; lists
    that make no test are `unasked`, with the reason and the coverage of their words.
    """
    opened = models[request.model]
    try:
        suite = suite_of(as_test(request, opened.languages))
    except LexiconError as error:
        coverage = _coverage_so_far(request, opened)
        return _entry_of_lists("unasked", quick=_quick(None, coverage), reason=str(error))
    outcome, is_quick = _measure_lists(suite, request, opened)
    findings = by_role(lint_suite(suite), suite)
    if is_quick:
        figures = _quick(outcome, outcome.coverage)
        texts = readings(outcome)
        return _entry_of_lists("quick", outcome, quick=figures, readings=texts, findings=findings)
    reason = {"sentence": skip_reason(outcome)} if isinstance(outcome, Skipped) else {}
    return _entry_of_lists(
        "full",
        outcome,
        record=outcome.model_dump(mode="json"),
        readings=live_figures(outcome) | reason,
        evident=isinstance(outcome, Result) and is_evidence(outcome),
        findings=findings,
    )


def _entry_of_lists(
    stage: Literal["quick", "full", "unasked"], outcome: Outcome | None = None, **fields: Any
) -> dict[str, Any]:
    return {
        "stage": stage,
        "reason": "",
        "record": None,
        "quick": None,
        "readings": {},
        "evident": False,
        "labels": _labels(outcome),
        "findings": [],
        **fields,
    }


def _measure_lists(suite: Suite, request: ListsRequest, opened: OpenModel) -> tuple[Outcome, bool]:
    """Measure the lists as fairvec.audit(model, tests=Test(x=..., y=..., a=..., b=...)) does.

    True if it was measured quickly: its p, interval and verdict must not be shown.
    """
    count = len(request.x) + len(request.y)
    if comb(count, len(request.x)) <= MOST_REGROUPINGS:
        return _audit(suite, opened), False
    if request.stage == "quick":
        outcome = _audit(suite, opened, QUICK)
        return outcome, isinstance(outcome, Result)  # a skipped test stays skipped
    with opened.turns.of(request.page):
        return _audit(suite, opened), False


def _audit(suite: Suite, opened: OpenModel, statistics: Statistics = DEFAULT_STATISTICS) -> Outcome:
    outcome, *_ = audit(opened.embedding, suites=[suite], statistics=statistics, categories=False)
    return outcome


REMEDY = "take those that it lacks out of the lists in Ask"
"""What stands in place of an option of the command line, which the page does not have."""


def skip_reason(outcome: Skipped) -> str:
    """Return why a test was skipped, with a remedy that the page has."""
    if outcome.cause != "coverage":
        return outcome.reason
    return f"{outcome.finding.removesuffix('.')}; {coverage_remedy(REMEDY)}."


def _labels(outcome: Outcome | None) -> list[str]:
    """Return all that is known of each word, in the order of the record."""
    return [*map(word_labels(outcome), outcome.words)] if isinstance(outcome, Result) else []


def _quick(outcome: Outcome | None, coverage: Sequence[GroupCoverage]) -> dict[str, Any]:
    measured = outcome if isinstance(outcome, Result) else None
    return {
        "effect": measured.effect if measured else None,
        "words": [word.model_dump(mode="json") for word in measured.words] if measured else [],
        "coverage": [group.model_dump(mode="json") for group in coverage],
    }


def answer_with_other_lists(models: OpenModels, request: ListsRequest) -> dict[str, Any]:
    """Return effect and p with each other pair of lists; null if too few words are known."""
    opened = models[request.model]
    test = as_test(request, opened.languages)
    similarity = default_similarity(opened.embedding.geometry)
    (metric,) = resolve_metrics("weat", {"similarity": similarity})
    with opened.turns.of(f"{request.page} swaps"):
        groups = resolve(test, opened.embedding)
        tried = [(other, _try(other, groups, metric)) for other in published_alternatives(test)]
    return {
        "swaps": [
            {
                "source": other.source.id,
                "title": other.source.title,
                "roles": list(other.roles),
                "titles": {role: other.source.sets[role].title for role in other.roles},
                "lists": {
                    role: [word.word for word in other.source.sets[role].words]
                    for role in other.roles
                },
                **figures,
            }
            for other, figures in tried
        ]
    }


def _try(other: OtherLists, groups: Groups, metric: Metric) -> dict[str, Any]:
    try:
        return _figures(try_lists(other, groups, metric, DEFAULT_STATISTICS))
    except UndefinedError:
        why = "too few of its words are known"
        return {"effect": None, "p": None, "significant": False, "label": why, "p_text": ""}


def _figures(swap: ListSwap) -> dict[str, Any]:
    return {
        "effect": swap.effect,
        "p": swap.p,
        "significant": is_significant(swap.p, USUAL_LEVEL),
        "label": f"d {format_signed(swap.effect)}, p {format_p(swap.p)}",
        "p_text": format_p(swap.p),
    }


def reproduce_snippets(models: OpenModels, request: ListsRequest) -> dict[str, Any]:
    """Return the suite's file and its name, the command and the program that measure it."""
    opened = models[request.model]
    suite = suite_of(as_test(request, opened.languages))
    return {
        "name": file_name(suite),
        "toml": as_file(suite),
        "command": as_command(suite, opened),
        "python": as_python(suite, opened),
    }

"""Four lists and a model answered at once, with other lists, and written as code."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from math import comb
from shlex import join
from typing import Any, Literal

from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.core.format import format_p, format_signed
from fairvec.embedding import AS_FOUND, Reading
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.plan import Statistics, asked_metrics
from fairvec.experiments.audit.robustness import published_alternatives, try_alternatives
from fairvec.experiments.audit.suites import language_of_words
from fairvec.experiments.provenance import coverage_of
from fairvec.geometry import default_similarity
from fairvec.languages.language import script_of_language
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import Finding, Suite, Test, lint_suite, resolve, shipped_suites, suite_to_toml
from fairvec.lexicon.python_lists import UNSAID, as_words, as_wordset
from fairvec.lexicon.suites import version_of
from fairvec.messages.test_details import live_figures, readings
from fairvec.results import GroupCoverage, Outcome, Result, Swap
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.schemas import LONGEST_TYPED, AskedLists, RoleOfList

ROLES: tuple[RoleOfList, ...] = ("x", "y", "a", "b")
SOURCE = "Lists put together in fairvec explore."


def lists_of(question: AskedLists) -> dict[str, WordSet]:
    """Return the lists that have words, by role."""
    found = ((role, _list(role, question)) for role in ROLES)
    return {role: wordset for role, wordset in found if wordset is not None}


def as_test(question: AskedLists, spoken: Sequence[str]) -> Test:
    """Return the test, or refuse lists that can measure nothing, as a test in Python does."""
    sets = lists_of(question)
    labels = {name: value for name in ("title", "category") if (value := getattr(question, name))}
    lists: dict[str, Any] = {role: sets.get(role, ()) for role in ROLES}
    language = language_of_lists(question, sets.values(), spoken)
    return Test(**lists, kind=question.kind, language=language, **labels)


def suite_of(test: Test) -> Suite:
    """Return the suite of one test of one's own."""
    return Suite(tests=[test], id=test.suite, version=version_of(test.sets), source=SOURCE)


def language_of_lists(question: AskedLists, lists: Iterable[WordSet], spoken: Sequence[str]) -> str:
    """Return the language of the published lists if the words are written in it, else the model's.

    `spoken` are the languages of the model; unsaid where neither tells.
    """
    words = [word for wordset in lists for word in wordset.words]
    texts = [word.word for word in words]
    published = {_test(id).language for id in question.sources.values()}
    fitting = {
        language
        for language in published
        if script_of_language(language, texts) == script_of_language("", texts)
    }
    return fitting.pop() if len(fitting) == 1 else language_of_words(words, spoken) or UNSAID


def _list(role: RoleOfList, question: AskedLists) -> WordSet | None:
    words = as_words(role, getattr(question, role), some=False)
    title = question.titles.get(role, "")
    id = question.sources.get(role)
    if not words:
        return None
    if id is None:
        return as_wordset(role, words, title)
    source = _test(id).sets.get(role)
    if source is None:
        raise UnknownNameError(f"list of {id}", role, _test(id).sets)
    known = {word.word: word for word in source.words}
    words = tuple(known.get(word.word, word) for word in words)
    return as_wordset(role, words, title).model_copy(update=_inherited_fields(source, words))


def _inherited_fields(source: WordSet, words: Iterable[Word]) -> dict[str, object]:
    """Return what a list keeps of the one that it began as."""
    pos = source.pos if all(word.pos == source.pos for word in words) else None
    return {
        "concept": source.concept,
        "pos": pos,
        "sensitive": source.sensitive,
        "sensitive_reason": source.sensitive_reason,
    }


def _test(id: str) -> Test:
    """Return a shipped test; no file is ever read by a name that comes over the wire."""
    if id not in _shipped():
        raise UnknownNameError("test", id, _shipped())
    return _shipped()[id]


@cache
def _shipped() -> dict[str, Test]:
    return {test.id: test for suite in shipped_suites() for test in suite.tests}


MOST_REGROUPINGS = 2 * 10**8
"""Regroupings that are counted while one types: those of 15 + 15 words."""

REHEARSED = 42
"""Words with which the first answer is made: 20 a list take the quick stage."""

QUICK_SETTINGS: dict[str, Any] = {"method": "sampled", "samples": 100, "interval": "none"}
"""What leaves effect and words as they are, and costs next to nothing; its p is never shown."""


@dataclass(frozen=True)
class LiveAnswer:
    """The record of a test, what the linter says of its lists, and the suite that holds them.

    At the stage `quick` p, interval and verdict of the record are not to be told. Lists that make
    no test have a reason, and their words are looked up all the same.
    """

    stage: Literal["quick", "full", "unasked"]
    coverage: tuple[GroupCoverage, ...]
    outcome: Outcome | None = None
    findings: tuple[Finding, ...] = ()
    suite: Suite | None = None
    reason: str = ""


def live_answer(question: AskedLists, opened: OpenModel) -> LiveAnswer:
    """Measure the lists: what fairvec.audit(model, tests=Test(x=..., y=..., a=..., b=...)) says."""
    try:
        test = as_test(question, opened.languages)
    except LexiconError as error:
        return LiveAnswer("unasked", _coverage_so_far(question, opened), reason=str(error))
    suite = suite_of(test)
    many = len(question.x) + len(question.y)
    if comb(many, len(question.x)) <= MOST_REGROUPINGS:
        return _measure("full", suite, opened, {})
    if question.stage == "quick":
        return _measure("quick", suite, opened, QUICK_SETTINGS)
    with opened.turns.of(question.page):
        return _measure("full", suite, opened, {})


def _measure(
    stage: Literal["quick", "full"], suite: Suite, opened: OpenModel, settings: dict[str, Any]
) -> LiveAnswer:
    outcome, *_ = audit(opened.embedding, suites=[suite], categories=False, **settings)
    # What cannot be measured cannot be measured any better in a while.
    stage = stage if isinstance(outcome, Result) else "full"
    return LiveAnswer(stage, outcome.coverage, outcome, lint_suite(suite), suite)


def rehearse_answer(opened: OpenModel) -> None:
    """Ask once for nobody, short lists and long ones: first times import and compile."""
    keys = [key[:LONGEST_TYPED] for key in opened.embedding.keys if key.strip()][:REHEARSED]
    for many in (3, (len(keys) - 2) // 2):
        x, y = keys[2 : 2 + many], keys[2 + many : 2 + 2 * many]
        lists = {"x": x, "y": y, "a": keys[:1], "b": keys[1:2]}
        live_answer(AskedLists(model=opened.name, stage="quick", **lists), opened)


def _coverage_so_far(question: AskedLists, opened: OpenModel) -> tuple[GroupCoverage, ...]:
    """Say which words are found while the lists are not yet a test."""
    try:
        sets = lists_of(question)
    except LexiconError:
        return ()
    if not sets:
        return ()
    language = language_of_lists(question, sets.values(), opened.languages)
    return coverage_of(resolve(Test(sets=sets, language=language), opened.embedding))


def by_role(findings: Iterable[Finding], suite: Suite) -> list[dict[str, Any]]:
    """Return the findings with the role of their list, in words that name no id."""
    (test,) = suite.tests
    roles = {wordset.id: role for role, wordset in test.sets.items()}
    return [
        {
            "code": finding.code,
            "role": roles.get(finding.where, ""),
            "words": list(finding.words),
            "message": _without_ids(finding.message, test, test.sets),
        }
        for finding in findings
    ]


def _without_ids(message: str, test: Test, sets: dict[str, WordSet]) -> str:
    message = message.removesuffix(f" (test {test.name})")
    for wordset in sets.values():
        message = message.removesuffix(f" (list {wordset.id})")
        message = message.replace(f"list {wordset.id}", wordset.title)
    return message


LONGEST_NAME = 60


def file_name(suite: Suite) -> str:
    """Return the name of the suite's file: small letters, digits and hyphens."""
    return f"{suite.tests[0].name[:LONGEST_NAME].strip('-')}.toml"


def as_file(suite: Suite) -> str:
    """Return the text of the suite's file."""
    return suite_to_toml(suite)


def as_command(suite: Suite, opened: OpenModel) -> str:
    """Return the command line, for a shell in whose folder the file lies."""
    arguments = ["fairvec", "audit", opened.asked, "--suite", file_name(suite)]
    return join([*arguments, *options_of_reading(opened.reading)])


def as_python(suite: Suite, opened: OpenModel) -> str:
    """Return a program that prints the record in one line."""
    return (
        "import fairvec\n\n"
        f"test = fairvec.Test(\n{arguments_of(suite.tests[0])})\n"
        f"(found,) = fairvec.audit({model_in_python(opened)}, tests=test, categories=False)\n"
        "print(found)\n"
    )


def reading_options(reading: Reading) -> dict[str, Any]:
    """Return the options of reading that are not the usual ones."""
    every = {field.name: getattr(reading, field.name) for field in fields(Reading)}
    return {name: value for name, value in every.items() if value != getattr(AS_FOUND, name)}


def options_of_reading(reading: Reading) -> list[str]:
    """Return them as a command line has them."""
    options: list[str] = []
    for name, value in reading_options(reading).items():
        for item in value if isinstance(value, list | tuple) else [value]:
            options += [f"--{name.replace('_', '-')}", str(item)]
    return options


def model_in_python(opened: OpenModel) -> str:
    """Return what stands for the model in Python: its name, or how it is read otherwise."""
    reading = reading_options(opened.reading)
    options = "".join(f", {name}={value!r}" for name, value in reading.items())
    return f"fairvec.load({opened.asked!r}{options})" if reading else repr(opened.asked)


def arguments_of(test: Test) -> str:
    """Return the lists, and all that is not what a test without it would be called."""
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
    """Return a word, or a table of all that decides where it is found."""
    fields_of = {"word": word.word, "variants": list(word.variants), "pos": word.pos}
    non_empty = {name: value for name, value in fields_of.items() if value}
    return word.word if non_empty.keys() == {"word"} else non_empty


def answer_to_lists(models: OpenModels, question: AskedLists) -> dict[str, Any]:
    """Return the record, its figures in words, and what the linter finds in the lists.

    At the stage `quick` the record is still to come, and `quick` has what is known of it; lists
    that make no test are `unasked`, with the reason.
    """
    found = live_answer(question, models[question.model])
    whole = found.outcome if found.stage == "full" else None
    return {
        "stage": found.stage,
        "reason": found.reason,
        "record": whole.model_dump(mode="json") if whole else None,
        "quick": None if whole else _quick(found),
        "told": live_figures(whole) if whole else readings(found.outcome) if found.outcome else {},
        "findings": by_role(found.findings, found.suite) if found.suite else [],
    }


def _quick(found: LiveAnswer) -> dict[str, Any]:
    measured = found.outcome if isinstance(found.outcome, Result) else None
    return {
        "effect": measured.effect if measured else None,
        "words": [word.model_dump(mode="json") for word in measured.words] if measured else [],
        "coverage": [group.model_dump(mode="json") for group in found.coverage],
    }


def answer_with_other_lists(models: OpenModels, question: AskedLists) -> dict[str, Any]:
    """Return effect and p with each pair of lists; null where the model knows too few of them."""
    opened = models[question.model]
    test = as_test(question, opened.languages)
    near = default_similarity(opened.embedding.geometry)
    (metric,) = asked_metrics("weat", {"similarity": near})
    with opened.turns.of(f"{question.page} swaps"):
        tried = list(try_alternatives(resolve(test, opened.embedding), metric, Statistics()))
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
                **_figures(found),
            }
            for other, found in zip(published_alternatives(test), tried, strict=True)
        ]
    }


def _figures(found: Swap | str) -> dict[str, Any]:
    if isinstance(found, str):
        return {"effect": None, "p": None, "told": "too few of its words are known"}
    text = f"d {format_signed(found.effect)}, p {format_p(found.p)}"
    return {"effect": found.effect, "p": found.p, "told": text}


def reproduce_snippets(models: OpenModels, question: AskedLists) -> dict[str, Any]:
    """Return the file, its name, the command that asks it and the program that does."""
    opened = models[question.model]
    suite = suite_of(as_test(question, opened.languages))
    return {
        "name": file_name(suite),
        "toml": as_file(suite),
        "command": as_command(suite, opened),
        "python": as_python(suite, opened),
    }

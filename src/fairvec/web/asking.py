"""A test of four lists, answered at once: the same record as an audit's, and what surrounds it."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from typing import Any, Literal

from fairvec.evaluation.auditing import audit
from fairvec.evaluation.runs.describe import coverage_of
from fairvec.ground.errors import LexiconError
from fairvec.lexicon import LintFinding, Suite, Test, WordSet, lint, resolve
from fairvec.results import GroupCoverage, Outcome, Result
from fairvec.web.asked_lists import as_test, language_of_lists, lists_of, suite_of
from fairvec.web.opened import OpenModel
from fairvec.web.questions import LONGEST_TYPED, AskedLists

AT_ONCE = 2 * 10**8
"""Regroupings that are counted while one types: those of 15 + 15 words."""

REHEARSED = 42
"""Words with which the first answer is made: 20 a list take the quick stage."""

ROUGHLY: dict[str, Any] = {"method": "sampled", "samples": 100, "interval": "none"}
"""What leaves effect and words as they are, and costs next to nothing; its p is never shown."""


@dataclass(frozen=True)
class LiveTest:
    """The record of a test, what the linter says of its lists, and the suite that holds them.

    At the stage `quick` p, interval and verdict of the record are not to be told. Lists that make
    no test have a reason, and their words are looked up all the same.
    """

    stage: Literal["quick", "full", "unasked"]
    coverage: tuple[GroupCoverage, ...]
    outcome: Outcome | None = None
    findings: tuple[LintFinding, ...] = ()
    suite: Suite | None = None
    reason: str = ""


def asked_test(question: AskedLists, opened: OpenModel) -> LiveTest:
    """Measure the lists: what fairvec.audit(model, tests=Test(x=..., y=..., a=..., b=...)) says."""
    try:
        test = as_test(question, opened.languages)
    except LexiconError as error:
        return LiveTest("unasked", _looked_up(question, opened), reason=str(error))
    suite = suite_of(test)
    many = len(question.x) + len(question.y)
    if comb(many, len(question.x)) <= AT_ONCE:
        return _answered("full", suite, opened, {})
    if question.stage == "quick":
        return _answered("quick", suite, opened, ROUGHLY)
    with opened.turns.of(question.page):
        return _answered("full", suite, opened, {})


def _answered(
    stage: Literal["quick", "full"], suite: Suite, opened: OpenModel, settings: dict[str, Any]
) -> LiveTest:
    outcome, *_ = audit(opened.embedding, suites=[suite], categories=False, **settings)
    # What cannot be measured cannot be measured any better in a while.
    stage = stage if isinstance(outcome, Result) else "full"
    return LiveTest(stage, outcome.coverage, outcome, lint(suite), suite)


def rehearse(opened: OpenModel) -> None:
    """Ask once for nobody, short lists and long ones: first times import and compile."""
    keys = [key[:LONGEST_TYPED] for key in opened.embedding.keys if key.strip()][:REHEARSED]
    for many in (3, (len(keys) - 2) // 2):
        x, y = keys[2 : 2 + many], keys[2 + many : 2 + 2 * many]
        lists = {"x": x, "y": y, "a": keys[:1], "b": keys[1:2]}
        asked_test(AskedLists(model=opened.name, stage="quick", **lists), opened)


def _looked_up(question: AskedLists, opened: OpenModel) -> tuple[GroupCoverage, ...]:
    """Say which words are found while the lists are not yet a test."""
    try:
        sets = lists_of(question)
    except LexiconError:
        return ()
    if not sets:
        return ()
    language = language_of_lists(question, sets.values(), opened.languages)
    return coverage_of(resolve(Test(sets=sets, language=language), opened.embedding))


def by_role(findings: Iterable[LintFinding], suite: Suite) -> list[dict[str, Any]]:
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

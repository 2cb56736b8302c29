"""A test of four lists, answered at once: the same record as an audit's, and what surrounds it."""

from dataclasses import dataclass

from fairvec.evaluation.auditing import audit
from fairvec.evaluation.choosing.own_lists import tests_in_language
from fairvec.lexicon import LintFinding, Suite, Test, lint, select
from fairvec.results import Outcome
from fairvec.web.opened import OpenModel
from fairvec.web.questions import AskedLists

ROLES = ("x", "y", "a", "b")


@dataclass(frozen=True)
class AskedTest:
    """The record of a test, what the linter says of its lists, and the suite that holds them."""

    outcome: Outcome
    findings: tuple[LintFinding, ...]
    suite: Suite


def asked_test(question: AskedLists, opened: OpenModel) -> AskedTest:
    """Measure the lists: what fairvec.audit(model, x=..., y=..., a=..., b=...) says."""
    lists = {role: getattr(question, role) for role in ROLES}
    named = ("title", "titles", "category")
    said = {name: value for name in named if (value := getattr(question, name))}
    (selected,) = select(tests_in_language([Test(**lists, **said)], [opened.embedding]))
    outcome, *_ = audit(opened.embedding, suites=[selected.suite], categories=False)
    return AskedTest(outcome, lint(selected.suite), selected.suite)

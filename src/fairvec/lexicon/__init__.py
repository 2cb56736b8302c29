"""The words: lists, tests and suites, their files, their linter and their look-up."""

from fairvec.lexicon.groups import Found, Group, Groups, Missing
from fairvec.lexicon.lint import lint
from fairvec.lexicon.loader import Selected, parse_suite, read_suite, select, shipped_suites
from fairvec.lexicon.resolve import coverage, resolve
from fairvec.lexicon.scaffold import scaffold
from fairvec.lexicon.suite import ROLES, Suite, Test, Waiver
from fairvec.lexicon.waivers import Finding
from fairvec.lexicon.words import Word, WordSet

__all__ = [
    "ROLES",
    "Finding",
    "Found",
    "Group",
    "Groups",
    "Missing",
    "Selected",
    "Suite",
    "Test",
    "Waiver",
    "Word",
    "WordSet",
    "coverage",
    "lint",
    "parse_suite",
    "read_suite",
    "resolve",
    "scaffold",
    "select",
    "shipped_suites",
]

"""The words: lists, tests and suites, their files, their linter and their look-up."""

from fairvec.lexicon.groups import Found, Group, Groups, Missing
from fairvec.lexicon.lint import lint
from fairvec.lexicon.loader import Selected, parse_suite, read_suite, select, shipped_suites
from fairvec.lexicon.pairs import gendered_pairs
from fairvec.lexicon.resolve import coverage, resolve
from fairvec.lexicon.scaffold import scaffold
from fairvec.lexicon.suite import ROLES, Suite, Test, Waiver
from fairvec.lexicon.templates import Templates, kind_of, sentences, templates
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
    "Templates",
    "Test",
    "Waiver",
    "Word",
    "WordSet",
    "coverage",
    "gendered_pairs",
    "kind_of",
    "lint",
    "parse_suite",
    "read_suite",
    "resolve",
    "scaffold",
    "select",
    "sentences",
    "shipped_suites",
    "templates",
]

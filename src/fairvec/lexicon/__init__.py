"""Word lists, tests, suites and concepts: their files, their linter and their look-up."""

from fairvec.lexicon.concept_words import ConceptWords, FoundPairs, FoundWords, counterparts
from fairvec.lexicon.concepts import (
    Concept,
    Definition,
    concept,
    parse_concepts,
    read_concepts,
    shipped_concepts,
)
from fairvec.lexicon.groups import Found, Group, Groups, Missing, coverage, resolve
from fairvec.lexicon.lint import Finding, lint_concept, lint_suite
from fairvec.lexicon.scaffold import new_concept, new_suite
from fairvec.lexicon.suite_files import (
    SelectedTest,
    Selector,
    Selectors,
    parse_suite,
    read_suite,
    select_tests,
    shipped_suites,
    suite_to_toml,
)
from fairvec.lexicon.suites import ROLES, Suite, Test, Waiver

__all__ = [
    "ROLES",
    "Concept",
    "ConceptWords",
    "Definition",
    "Finding",
    "Found",
    "FoundPairs",
    "FoundWords",
    "Group",
    "Groups",
    "Missing",
    "SelectedTest",
    "Selector",
    "Selectors",
    "Suite",
    "Test",
    "Waiver",
    "concept",
    "counterparts",
    "coverage",
    "lint_concept",
    "lint_suite",
    "new_concept",
    "new_suite",
    "parse_concepts",
    "parse_suite",
    "read_concepts",
    "read_suite",
    "resolve",
    "select_tests",
    "shipped_concepts",
    "shipped_suites",
    "suite_to_toml",
]

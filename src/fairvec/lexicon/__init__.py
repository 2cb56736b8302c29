"""The words: lists, tests and suites, their files, their linter and their look-up."""

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
from fairvec.lexicon.lint import LintFinding, lint_concept, lint_suite
from fairvec.lexicon.scaffold import new_concept, new_suite
from fairvec.lexicon.suite_files import (
    Asked,
    Selected,
    Selector,
    listed,
    parse_suite,
    read_suite,
    select,
    shipped_suites,
    suite_as_toml,
)
from fairvec.lexicon.suites import ROLES, Suite, Test, Waiver

__all__ = [
    "ROLES",
    "Asked",
    "Concept",
    "ConceptWords",
    "Definition",
    "Found",
    "FoundPairs",
    "FoundWords",
    "Group",
    "Groups",
    "LintFinding",
    "Missing",
    "Selected",
    "Selector",
    "Suite",
    "Test",
    "Waiver",
    "concept",
    "counterparts",
    "coverage",
    "lint_concept",
    "lint_suite",
    "listed",
    "new_concept",
    "new_suite",
    "parse_concepts",
    "parse_suite",
    "read_concepts",
    "read_suite",
    "resolve",
    "select",
    "shipped_concepts",
    "shipped_suites",
    "suite_as_toml",
]

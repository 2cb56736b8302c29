"""The words: lists, tests and suites, their files, their linter and their look-up."""

from fairvec.lexicon.concept_lists.concept import Concept
from fairvec.lexicon.concept_lists.concept_file import (
    concept,
    concepts,
    parse_concepts,
    read_concepts,
)
from fairvec.lexicon.concept_lists.concept_words import ConceptWords, FoundPairs, FoundWords
from fairvec.lexicon.concept_lists.counterparts import counterparts
from fairvec.lexicon.concept_lists.definition import Definition
from fairvec.lexicon.concept_lists.draft import concept_scaffold
from fairvec.lexicon.concept_lists.first_names import paired_names
from fairvec.lexicon.concept_lists.lint import lint_concept
from fairvec.lexicon.groups import Found, Group, Groups, Missing
from fairvec.lexicon.linting.waivers import LintFinding
from fairvec.lexicon.resolving import coverage, resolve
from fairvec.lexicon.sentence_templates import Templates, kind_of, sentences, templates
from fairvec.lexicon.suite_lists.draft import scaffold
from fairvec.lexicon.suite_lists.lint import lint
from fairvec.lexicon.suite_lists.loader import (
    Asked,
    Selected,
    Selector,
    listed,
    parse_suite,
    read_suite,
    select,
    shipped_suites,
)
from fairvec.lexicon.suite_lists.suite import ROLES, Suite, Test, Waiver
from fairvec.lexicon.suite_lists.suite_writing import suite_as_toml
from fairvec.lexicon.words import Word, WordSet

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
    "Templates",
    "Test",
    "Waiver",
    "Word",
    "WordSet",
    "concept",
    "concept_scaffold",
    "concepts",
    "counterparts",
    "coverage",
    "kind_of",
    "lint",
    "lint_concept",
    "listed",
    "paired_names",
    "parse_concepts",
    "parse_suite",
    "read_concepts",
    "read_suite",
    "resolve",
    "scaffold",
    "select",
    "sentences",
    "shipped_suites",
    "suite_as_toml",
    "templates",
]

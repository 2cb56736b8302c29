"""The words: lists, tests and suites, their files, their linter and their look-up."""

from fairvec.lexicon.benchmark_sets.files import benchmark, benchmarks_of, read_benchmark
from fairvec.lexicon.benchmark_sets.kinds import BENCHMARK_KINDS, BenchmarkKind, benchmark_kind
from fairvec.lexicon.benchmark_sets.sets import (
    AnalogyQuestion,
    AnalogySet,
    Benchmark,
    BenchmarkSet,
    Choice,
    RatedPair,
    Section,
    SemBiasSet,
    SimilaritySet,
)
from fairvec.lexicon.benchmark_sets.words import matches_of, vectors_of
from fairvec.lexicon.concept_lists.concept import Concept, Definition
from fairvec.lexicon.concept_lists.concept_file import (
    concept,
    concepts,
    parse_concepts,
    read_concepts,
)
from fairvec.lexicon.concept_lists.concept_words import ConceptWords, FoundPairs, FoundWords
from fairvec.lexicon.concept_lists.draft import concept_scaffold
from fairvec.lexicon.concept_lists.lint import lint_concept
from fairvec.lexicon.groups import Found, Group, Groups, Missing
from fairvec.lexicon.linting.waivers import LintFinding
from fairvec.lexicon.resolving import coverage, resolve
from fairvec.lexicon.sentence_templates import Templates, kind_of, sentences, templates
from fairvec.lexicon.suite_lists.draft import scaffold
from fairvec.lexicon.suite_lists.lint import lint
from fairvec.lexicon.suite_lists.loader import (
    Selected,
    parse_suite,
    read_suite,
    select,
    shipped_suites,
)
from fairvec.lexicon.suite_lists.suite import ROLES, Suite, Test, Waiver
from fairvec.lexicon.words import Word, WordSet

__all__ = [
    "BENCHMARK_KINDS",
    "ROLES",
    "AnalogyQuestion",
    "AnalogySet",
    "Benchmark",
    "BenchmarkKind",
    "BenchmarkSet",
    "Choice",
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
    "RatedPair",
    "Section",
    "Selected",
    "SemBiasSet",
    "SimilaritySet",
    "Suite",
    "Templates",
    "Test",
    "Waiver",
    "Word",
    "WordSet",
    "benchmark",
    "benchmark_kind",
    "benchmarks_of",
    "concept",
    "concept_scaffold",
    "concepts",
    "coverage",
    "kind_of",
    "lint",
    "lint_concept",
    "matches_of",
    "parse_concepts",
    "parse_suite",
    "read_benchmark",
    "read_concepts",
    "read_suite",
    "resolve",
    "scaffold",
    "select",
    "sentences",
    "shipped_suites",
    "templates",
    "vectors_of",
]

"""The words: lists, tests and suites, their files, their linter and their look-up."""

from fairvec.lexicon.benchmark_files import benchmark, benchmarks_of, read_benchmark
from fairvec.lexicon.benchmark_kinds import BENCHMARK_KINDS, BenchmarkKind, benchmark_kind
from fairvec.lexicon.benchmark_words import matches_of, vectors_of
from fairvec.lexicon.benchmarks import (
    AnalogySet,
    Benchmark,
    BenchmarkSet,
    Choice,
    Question,
    RatedPair,
    Section,
    SemBiasSet,
    SimilaritySet,
)
from fairvec.lexicon.concept import Concept, Definition
from fairvec.lexicon.concept_file import concept, concepts, parse_concepts, read_concepts
from fairvec.lexicon.concept_scaffold import concept_scaffold
from fairvec.lexicon.concept_words import ConceptWords, FoundPairs, FoundWords
from fairvec.lexicon.groups import Found, Group, Groups, Missing
from fairvec.lexicon.lint import lint
from fairvec.lexicon.lint_concept import lint_concept
from fairvec.lexicon.loader import Selected, parse_suite, read_suite, select, shipped_suites
from fairvec.lexicon.resolve import coverage, resolve
from fairvec.lexicon.scaffold import scaffold
from fairvec.lexicon.suite import ROLES, Suite, Test, Waiver
from fairvec.lexicon.templates import Templates, kind_of, sentences, templates
from fairvec.lexicon.waivers import Finding
from fairvec.lexicon.words import Word, WordSet

__all__ = [
    "BENCHMARK_KINDS",
    "ROLES",
    "AnalogySet",
    "Benchmark",
    "BenchmarkKind",
    "BenchmarkSet",
    "Choice",
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
    "Question",
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

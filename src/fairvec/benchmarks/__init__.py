"""Published sets: similarity, analogy, SemBias, reviews; a kind declares what is wanted of it."""

from fairvec.benchmarks.analogy import AnalogyQuestion, AnalogySet, Section
from fairvec.benchmarks.base import BenchmarkKind, BenchmarkSet, find_words, word_vectors
from fairvec.benchmarks.load import (
    BENCHMARK_KINDS,
    benchmark,
    benchmark_kind,
    benchmarks_for_language,
    load_reviews,
    read_benchmark,
)
from fairvec.benchmarks.reviews import Review, ReviewColumns, ReviewSet
from fairvec.benchmarks.sembias import Choice, SemBiasSet
from fairvec.benchmarks.similarity import RatedPair, SimilaritySet

__all__ = [
    "BENCHMARK_KINDS",
    "AnalogyQuestion",
    "AnalogySet",
    "BenchmarkKind",
    "BenchmarkSet",
    "Choice",
    "RatedPair",
    "Review",
    "ReviewColumns",
    "ReviewSet",
    "Section",
    "SemBiasSet",
    "SimilaritySet",
    "benchmark",
    "benchmark_kind",
    "benchmarks_for_language",
    "find_words",
    "load_reviews",
    "read_benchmark",
    "word_vectors",
]

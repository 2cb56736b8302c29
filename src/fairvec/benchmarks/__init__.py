"""Published sets: similarity, analogy, SemBias, reviews; a kind declares what is wanted of it."""

from fairvec.benchmarks.base import find_words, word_vectors
from fairvec.benchmarks.load import benchmark, benchmarks_for_language, load_reviews, read_benchmark
from fairvec.benchmarks.parsers import BENCHMARK_KINDS, BenchmarkKind, benchmark_kind
from fairvec.benchmarks.reviews import ReviewColumns
from fairvec.benchmarks.sets import (
    AnalogyQuestion,
    AnalogySet,
    Benchmark,
    BenchmarkSet,
    Choice,
    RatedPair,
    Review,
    ReviewSet,
    Section,
    SemBiasSet,
    SimilaritySet,
)

__all__ = [
    "BENCHMARK_KINDS",
    "AnalogyQuestion",
    "AnalogySet",
    "Benchmark",
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

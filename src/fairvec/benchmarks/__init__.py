"""Published sets: similarity, analogy, SemBias, reviews; a kind declares what is wanted of it."""

from fairvec.benchmarks.base import matches_of, vectors_of
from fairvec.benchmarks.load import benchmark, benchmarks_of, read_benchmark, reviews_of
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
    "benchmarks_of",
    "matches_of",
    "read_benchmark",
    "reviews_of",
    "vectors_of",
]

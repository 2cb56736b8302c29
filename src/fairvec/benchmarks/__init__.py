"""Published sets: similarity, analogy, SemBias; a kind declares its family and direction once."""

from fairvec.benchmarks.files import benchmark, benchmarks_of, read_benchmark
from fairvec.benchmarks.kinds import BENCHMARK_KINDS, BenchmarkKind, benchmark_kind
from fairvec.benchmarks.sets import (
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
from fairvec.benchmarks.words import matches_of, vectors_of

__all__ = [
    "BENCHMARK_KINDS",
    "AnalogyQuestion",
    "AnalogySet",
    "Benchmark",
    "BenchmarkKind",
    "BenchmarkSet",
    "Choice",
    "RatedPair",
    "Section",
    "SemBiasSet",
    "SimilaritySet",
    "benchmark",
    "benchmark_kind",
    "benchmarks_of",
    "matches_of",
    "read_benchmark",
    "vectors_of",
]

"""Published sets: similarity, analogy, SemBias, reviews; a kind declares what is wanted of it."""

from fairvec.benchmarks.analogy import AnalogyQuestion, AnalogySet, Section
from fairvec.benchmarks.base import BenchmarkKind, BenchmarkSet, find_words, text_vectors
from fairvec.benchmarks.load import (
    BENCHMARK_KINDS,
    benchmark,
    benchmark_kind,
    benchmarks_for_language,
    kind_of_file,
    load_reviews,
    needs_vocabulary,
    read_benchmark,
)
from fairvec.benchmarks.retrieval import GenderedQuery, RetrievalSet, Versions
from fairvec.benchmarks.reviews import Review, ReviewColumns, ReviewSet
from fairvec.benchmarks.sembias import Choice, SemBiasSet
from fairvec.benchmarks.sentence_pairs import SentenceChoice, SentencePairSet
from fairvec.benchmarks.similarity import RatedPair, SimilaritySet

__all__ = [
    "BENCHMARK_KINDS",
    "AnalogyQuestion",
    "AnalogySet",
    "BenchmarkKind",
    "BenchmarkSet",
    "Choice",
    "GenderedQuery",
    "RatedPair",
    "RetrievalSet",
    "Review",
    "ReviewColumns",
    "ReviewSet",
    "Section",
    "SemBiasSet",
    "SentenceChoice",
    "SentencePairSet",
    "SimilaritySet",
    "Versions",
    "benchmark",
    "benchmark_kind",
    "benchmarks_for_language",
    "find_words",
    "kind_of_file",
    "load_reviews",
    "needs_vocabulary",
    "read_benchmark",
    "text_vectors",
]

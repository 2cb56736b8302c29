"""Measure and mitigate social bias in word and sentence representations.

import fairvec

results = fairvec.audit("glove-en-small", suites="caliskan2017")
print(results)
results.save("runs/first")
"""

from typing import TYPE_CHECKING

from fairvec.core.lazy import lazy_exports
from fairvec.version import __version__

if TYPE_CHECKING:
    from fairvec.api.change import debias, frontier
    from fairvec.api.compare import benchmark, compare
    from fairvec.api.create import distil, sentiment_task, study, train
    from fairvec.api.documents import check_documents, check_text
    from fairvec.api.explore import explore
    from fairvec.api.lists import list_benchmarks, list_concepts, list_models, list_suites
    from fairvec.api.measure import audit, sample_size
    from fairvec.api.models import as_model
    from fairvec.api.papers import reproduce
    from fairvec.api.results import Results
    from fairvec.api.transformer import DebiasingTransformer
    from fairvec.api.words import analogy, biased_analogies, neighbours
    from fairvec.core.errors import FairvecError, FairvecWarning
    from fairvec.embedding import Embedding, load, save
    from fairvec.encoders.encoder import Encoder
    from fairvec.encoders.endpoint import Endpoint
    from fairvec.encoders.open import open_encoder
    from fairvec.lexicon import Concept, Suite, Test
    from fairvec.metrics.plugins import register_metric
    from fairvec.mitigation.plugins import register_method
    from fairvec.report import write_report
    from fairvec.results import Result, Skipped, read_results, write_results
    from fairvec.results.records import CategoryAnswer, Change, Description

__all__ = [
    "CategoryAnswer",
    "Change",
    "Concept",
    "DebiasingTransformer",
    "Description",
    "Embedding",
    "Encoder",
    "Endpoint",
    "FairvecError",
    "FairvecWarning",
    "Result",
    "Results",
    "Skipped",
    "Suite",
    "Test",
    "__version__",
    "analogy",
    "as_model",
    "audit",
    "benchmark",
    "biased_analogies",
    "check_documents",
    "check_text",
    "compare",
    "debias",
    "distil",
    "explore",
    "frontier",
    "list_benchmarks",
    "list_concepts",
    "list_models",
    "list_suites",
    "load",
    "neighbours",
    "open_encoder",
    "read_results",
    "register_method",
    "register_metric",
    "reproduce",
    "sample_size",
    "save",
    "sentiment_task",
    "study",
    "train",
    "write_report",
    "write_results",
]

# Type checkers read the imports above instead, so that they find a misspelt name.
if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "api.change": (
                "debias",
                "frontier",
            ),
            "api.compare": (
                "benchmark",
                "compare",
            ),
            "api.create": (
                "distil",
                "sentiment_task",
                "study",
                "train",
            ),
            "api.documents": (
                "check_documents",
                "check_text",
            ),
            "api.explore": ("explore",),
            "api.lists": (
                "list_benchmarks",
                "list_concepts",
                "list_models",
                "list_suites",
            ),
            "api.measure": (
                "audit",
                "sample_size",
            ),
            "api.models": ("as_model",),
            "api.papers": ("reproduce",),
            "api.results": ("Results",),
            "api.transformer": ("DebiasingTransformer",),
            "api.words": (
                "analogy",
                "biased_analogies",
                "neighbours",
            ),
            "core.errors": (
                "FairvecError",
                "FairvecWarning",
            ),
            "embedding": (
                "Embedding",
                "load",
                "save",
            ),
            "encoders.encoder": ("Encoder",),
            "encoders.endpoint": ("Endpoint",),
            "encoders.open": ("open_encoder",),
            "lexicon": (
                "Concept",
                "Suite",
                "Test",
            ),
            "metrics.plugins": ("register_metric",),
            "mitigation.plugins": ("register_method",),
            "report": ("write_report",),
            "results": (
                "Result",
                "Skipped",
                "read_results",
                "write_results",
            ),
            "results.records": (
                "CategoryAnswer",
                "Change",
                "Description",
            ),
        },
        modules=(
            "api",
            "benchmarks",
            "catalogue",
            "cli",
            "core",
            "documents",
            "embedding",
            "encoders",
            "experiments",
            "geometry",
            "languages",
            "lexicon",
            "messages",
            "metrics",
            "mitigation",
            "papers",
            "report",
            "results",
            "stats",
            "tasks",
            "testing",
            "training",
            "web",
        ),
    )

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
    from fairvec.api.compare import compare
    from fairvec.api.measure import audit, neighbours
    from fairvec.api.models import as_model
    from fairvec.api.results import Results
    from fairvec.api.transformer import DebiasingTransformer
    from fairvec.core.errors import FairvecError, FairvecWarning
    from fairvec.embedding import Embedding, load, save
    from fairvec.encoders.encoder import Encoder
    from fairvec.encoders.open import open_encoder
    from fairvec.lexicon import Concept, Suite, Test
    from fairvec.metrics.plugins import register_metric
    from fairvec.mitigation.plugins import register_method
    from fairvec.report import write_report
    from fairvec.results import Result, Skipped, read_results, write_results

__all__ = [
    "Concept",
    "DebiasingTransformer",
    "Embedding",
    "Encoder",
    "FairvecError",
    "FairvecWarning",
    "Result",
    "Results",
    "Skipped",
    "Suite",
    "Test",
    "__version__",
    "as_model",
    "audit",
    "compare",
    "debias",
    "frontier",
    "load",
    "neighbours",
    "open_encoder",
    "read_results",
    "register_method",
    "register_metric",
    "save",
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
            "api.compare": ("compare",),
            "api.measure": (
                "audit",
                "neighbours",
            ),
            "api.models": ("as_model",),
            "api.results": ("Results",),
            "api.transformer": ("DebiasingTransformer",),
            "core.errors": ("FairvecError", "FairvecWarning"),
            "embedding": (
                "Embedding",
                "load",
                "save",
            ),
            "encoders.encoder": ("Encoder",),
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

"""Measure and mitigate social bias in word and sentence representations.

import fairvec

results = fairvec.audit("glove-en-small", suites="caliskan2017")
print(results)
results.save("runs/first")
"""

from typing import TYPE_CHECKING

from fairvec.ground.on_demand import on_demand
from fairvec.version import __version__

if TYPE_CHECKING:
    from fairvec.api.auditing import audit
    from fairvec.api.comparing import compare
    from fairvec.api.debiasing import debias
    from fairvec.api.frontiers import frontier
    from fairvec.api.models import as_model
    from fairvec.api.neighbouring import neighbours
    from fairvec.api.results_list import Results
    from fairvec.api.transformer import DebiasingTransformer
    from fairvec.embedding import Embedding, load, save
    from fairvec.encoders.encoder import Encoder
    from fairvec.encoders.opening import open_encoder
    from fairvec.ground.aloud import FairvecWarning
    from fairvec.ground.errors import FairvecError
    from fairvec.lexicon import Concept, Suite, Test
    from fairvec.metrics.foreign import register_metric
    from fairvec.mitigation.foreign import register_method
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

# Type checkers read the imports above instead, so a slip in a name is one to them too.
if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "api.auditing": ("audit",),
            "api.comparing": ("compare",),
            "api.debiasing": ("debias",),
            "api.frontiers": ("frontier",),
            "api.models": ("as_model",),
            "api.neighbouring": ("neighbours",),
            "api.results_list": ("Results",),
            "api.transformer": ("DebiasingTransformer",),
            "embedding": ("Embedding", "load", "save"),
            "encoders.encoder": ("Encoder",),
            "encoders.opening": ("open_encoder",),
            "ground.aloud": ("FairvecWarning",),
            "ground.errors": ("FairvecError",),
            "lexicon": ("Concept", "Suite", "Test"),
            "metrics.foreign": ("register_metric",),
            "mitigation.foreign": ("register_method",),
            "report": ("write_report",),
            "results": ("Result", "Skipped", "read_results", "write_results"),
        },
        modules=(
            "api",
            "benchmarks",
            "catalogue",
            "cli",
            "embedding",
            "encoders",
            "evaluation",
            "geometry",
            "ground",
            "languages",
            "lexicon",
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

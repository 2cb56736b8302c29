"""Measure and mitigate social bias in word and sentence representations.

import fairvec

model = fairvec.load("glove-en-small")
outcomes = fairvec.audit(model, suites=["caliskan2017"])
fairvec.write_report(outcomes, "report.html")
"""

from typing import TYPE_CHECKING

from fairvec.ground.on_demand import on_demand
from fairvec.version import __version__

if TYPE_CHECKING:
    from fairvec.api.transformer import DebiasingTransformer
    from fairvec.embedding import Embedding, load, save
    from fairvec.encoders.encoder import Encoder
    from fairvec.encoders.opening import open_encoder
    from fairvec.evaluation import audit, compare
    from fairvec.ground.errors import FairvecError
    from fairvec.metrics.foreign import register_metric
    from fairvec.mitigation.foreign import register_method
    from fairvec.report import write_report
    from fairvec.results import Result, Skipped, read_results, write_results

__all__ = [
    "DebiasingTransformer",
    "Embedding",
    "Encoder",
    "FairvecError",
    "Result",
    "Skipped",
    "__version__",
    "audit",
    "compare",
    "load",
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
            "api.transformer": ("DebiasingTransformer",),
            "embedding": ("Embedding", "load", "save"),
            "encoders.encoder": ("Encoder",),
            "encoders.opening": ("open_encoder",),
            "evaluation": ("audit", "compare"),
            "ground.errors": ("FairvecError",),
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
        ),
    )

"""Measure and mitigate social bias in word and sentence representations.

import fairvec

model = fairvec.load("glove-en-small")
outcomes = fairvec.audit(model, suites=["caliskan2017"])
fairvec.write_report(outcomes, "report.html")
"""

from importlib import import_module
from typing import TYPE_CHECKING

from fairvec.version import __version__

if TYPE_CHECKING:
    from fairvec.embedding import Embedding, load, save
    from fairvec.evaluation import audit, compare
    from fairvec.ground.errors import FairvecError
    from fairvec.report import write_report
    from fairvec.results import Result, Skipped, read_results, write_results

__all__ = [
    "Embedding",
    "FairvecError",
    "Result",
    "Skipped",
    "__version__",
    "audit",
    "compare",
    "load",
    "read_results",
    "save",
    "write_report",
    "write_results",
]

_HOMES = {
    "embedding": ("Embedding", "load", "save"),
    "evaluation": ("audit", "compare"),
    "ground.errors": ("FairvecError",),
    "report": ("write_report",),
    "results": ("Result", "Skipped", "read_results", "write_results"),
}
"""Where each public name is imported from when it is first asked for."""

# Type checkers read the imports above, so a slip in a name is one to them too.
if not TYPE_CHECKING:
    _ROOMS = ("benchmarks", "catalogue", "cli", "debias", "embedding", "evaluation", "geometry")
    _ROOMS += ("ground", "languages", "lexicon", "metrics", "papers", "report", "results", "stats")

    def __getattr__(name: str) -> object:
        """Import a public name, or a folder, when it is first asked for."""
        if name in _ROOMS:
            return import_module(f"fairvec.{name}")
        for home, names in _HOMES.items():
            if name in names:
                found = getattr(import_module(f"fairvec.{home}"), name)
                globals()[name] = found
                return found
        raise AttributeError(f"module 'fairvec' has no attribute {name!r}")

    def __dir__() -> list[str]:
        """Name what is public, imported yet or not."""
        return sorted({*globals(), *__all__, *_ROOMS})

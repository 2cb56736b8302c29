"""Measure and mitigate social bias in word and sentence representations.

import fairvec

model = fairvec.load("glove-en-small")
outcomes = fairvec.audit(model, suites=["caliskan2017"])
fairvec.write_report(outcomes, "report.html")
"""

from fairvec.embedding import Embedding, load, save
from fairvec.evaluation import audit, compare
from fairvec.ground.errors import FairvecError
from fairvec.report import write_report
from fairvec.results import Result, Skipped, read_results, write_results
from fairvec.version import __version__

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

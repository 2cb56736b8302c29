"""What was found: frozen records, results.jsonl, flat rows and conditions over them."""

from fairvec.results.condition import Condition
from fairvec.results.records import (
    SCHEMA_VERSION,
    Convention,
    Description,
    FrequencyControl,
    GroupCoverage,
    Interval,
    ModelIdentity,
    Outcome,
    PValue,
    Result,
    Robustness,
    Skipped,
    Swap,
    TestIdentity,
    Verdict,
    VerdictKind,
    WordScore,
)
from fairvec.results.rows import COLUMNS, flat
from fairvec.results.store import as_jsonl, read_results, write_results

__all__ = [
    "COLUMNS",
    "SCHEMA_VERSION",
    "Condition",
    "Convention",
    "Description",
    "FrequencyControl",
    "GroupCoverage",
    "Interval",
    "ModelIdentity",
    "Outcome",
    "PValue",
    "Result",
    "Robustness",
    "Skipped",
    "Swap",
    "TestIdentity",
    "Verdict",
    "VerdictKind",
    "WordScore",
    "as_jsonl",
    "flat",
    "read_results",
    "write_results",
]

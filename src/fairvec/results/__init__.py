"""What was found: frozen records, results.jsonl, flat rows and conditions over them.

Each file of records stands in a module of its own (records, frontier, study, documents) and is
imported from there; here is what a reader of results.jsonl needs, and the
values that all records hold.
"""

from fairvec.results.records import Outcome, Result, Skipped
from fairvec.results.store import read_results, write_results
from fairvec.stats.values import Interval, PairedP, PValue

__all__ = [
    "Interval",
    "Outcome",
    "PValue",
    "PairedP",
    "Result",
    "Skipped",
    "read_results",
    "write_results",
]

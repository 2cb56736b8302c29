"""What was found: frozen records, results.jsonl, flat rows and conditions over them."""

from fairvec.results.certainty import (
    FrequencyControl,
    Interval,
    PairedP,
    PValue,
    Robustness,
    Swap,
    Verdict,
)
from fairvec.results.concept_view import Component, ConceptView, PlacedWord
from fairvec.results.condition import Condition
from fairvec.results.frontier import (
    FRONTIER_FILE,
    REFERENCE,
    WHAT_IS_APART,
    Apart,
    Family,
    Figure,
    Line,
    Point,
    Survey,
    TestedEffect,
    Trial,
    Unseen,
    UnseenFold,
    Untried,
    read_frontier,
    read_trial,
    write_frontier,
)
from fairvec.results.identities import (
    Convention,
    KindOfUse,
    MetricIdentity,
    ModelIdentity,
    TestIdentity,
)
from fairvec.results.kinds import HARMFUL, ChangeKind, VerdictKind
from fairvec.results.outcome import Outcome
from fairvec.results.record import SCHEMA_VERSION
from fairvec.results.records import Change, Description, Result, Skipped
from fairvec.results.rows import COLUMNS, flat
from fairvec.results.store import as_jsonl, json_schema, lacking, read_results, write_results
from fairvec.results.words import GroupCoverage, WordScore

__all__ = [
    "COLUMNS",
    "FRONTIER_FILE",
    "HARMFUL",
    "REFERENCE",
    "SCHEMA_VERSION",
    "WHAT_IS_APART",
    "Apart",
    "Change",
    "ChangeKind",
    "Component",
    "ConceptView",
    "Condition",
    "Convention",
    "Description",
    "Family",
    "Figure",
    "FrequencyControl",
    "GroupCoverage",
    "Interval",
    "KindOfUse",
    "Line",
    "MetricIdentity",
    "ModelIdentity",
    "Outcome",
    "PValue",
    "PairedP",
    "PlacedWord",
    "Point",
    "Result",
    "Robustness",
    "Skipped",
    "Survey",
    "Swap",
    "TestIdentity",
    "TestedEffect",
    "Trial",
    "Unseen",
    "UnseenFold",
    "Untried",
    "Verdict",
    "VerdictKind",
    "WordScore",
    "as_jsonl",
    "flat",
    "json_schema",
    "lacking",
    "read_frontier",
    "read_results",
    "read_trial",
    "write_frontier",
    "write_results",
]

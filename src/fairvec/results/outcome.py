"""All that a line of results.jsonl may be."""

from fairvec.results.category import CategoryAnswer
from fairvec.results.concept_view import ConceptView
from fairvec.results.records import Change, Description, Result, Skipped

Outcome = Result | Description | Skipped | Change | ConceptView | CategoryAnswer

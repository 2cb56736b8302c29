"""The papers' tables: published figures as data, computed again and graded cell by cell."""

from fairvec.papers.answer import ClaimAnswer
from fairvec.papers.claims import Claim, claims_of, parse_claims
from fairvec.papers.decide import CLAIM_GRADES, ClaimGrade
from fairvec.papers.grades import (
    GRADE_MEANINGS,
    GRADES,
    CellLine,
    Grade,
    GradedFigure,
    Reproduction,
)
from fairvec.papers.reproducing import reproduce
from fairvec.papers.schema import PAPERS, load_paper, parse_paper
from fairvec.papers.show import (
    CLAIM_CONVENTION,
    CLAIM_HEAD,
    CLAIM_TITLE,
    HEAD,
    TableView,
    as_csv,
    as_jsonl,
    as_markdown,
    claim_rows,
    claim_sentences,
    claim_summary,
    claims_as_jsonl,
    describe_conventions,
    grade_counts,
    model_lines,
    sensitivity_note,
    table_views,
)

__all__ = [
    "CLAIM_CONVENTION",
    "CLAIM_GRADES",
    "CLAIM_HEAD",
    "CLAIM_TITLE",
    "GRADES",
    "GRADE_MEANINGS",
    "HEAD",
    "PAPERS",
    "CellLine",
    "Claim",
    "ClaimAnswer",
    "ClaimGrade",
    "Grade",
    "GradedFigure",
    "Reproduction",
    "TableView",
    "as_csv",
    "as_jsonl",
    "as_markdown",
    "claim_rows",
    "claim_sentences",
    "claim_summary",
    "claims_as_jsonl",
    "claims_of",
    "describe_conventions",
    "grade_counts",
    "load_paper",
    "model_lines",
    "parse_claims",
    "parse_paper",
    "reproduce",
    "sensitivity_note",
    "table_views",
]

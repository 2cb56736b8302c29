"""The papers' tables: published figures as data, computed again and graded cell by cell."""

from fairvec.messages.claims import (
    CLAIM_CONVENTION,
    CLAIM_GRADES,
    CLAIM_TITLE,
    claim_sentences,
    claim_summary,
)
from fairvec.messages.papers import (
    GRADE_MEANINGS,
    GRADES,
    grade_counts,
    model_lines,
    opening_sentences,
)
from fairvec.papers.claims.answer import ClaimAnswer
from fairvec.papers.claims.decide import Decision
from fairvec.papers.claims.kinds import Claim, claims_of, parse_claims
from fairvec.papers.grades import (
    CellLine,
    GradedFigure,
    Reproduction,
)
from fairvec.papers.models import models_in_data, roles_to_train
from fairvec.papers.reproducing import describe_conventions, records_of, reproduce
from fairvec.papers.schema import PAPERS, load_paper, parse_paper
from fairvec.papers.show import (
    CLAIM_HEADINGS,
    HEADINGS,
    agreement_lines,
    as_csv,
    as_markdown,
    claim_table,
    paper_tables,
)

__all__ = [
    "CLAIM_CONVENTION",
    "CLAIM_GRADES",
    "CLAIM_HEADINGS",
    "CLAIM_TITLE",
    "GRADES",
    "GRADE_MEANINGS",
    "HEADINGS",
    "PAPERS",
    "CellLine",
    "Claim",
    "ClaimAnswer",
    "Decision",
    "GradedFigure",
    "Reproduction",
    "agreement_lines",
    "as_csv",
    "as_markdown",
    "claim_sentences",
    "claim_summary",
    "claim_table",
    "claims_of",
    "describe_conventions",
    "grade_counts",
    "load_paper",
    "model_lines",
    "models_in_data",
    "opening_sentences",
    "paper_tables",
    "parse_claims",
    "parse_paper",
    "records_of",
    "reproduce",
    "roles_to_train",
]

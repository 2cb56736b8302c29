"""The papers' tables: published figures as data, computed again and graded cell by cell."""

from fairvec.papers.answer import ClaimAnswer
from fairvec.papers.claims import Claim, claims_of, parse_claims
from fairvec.papers.decide import CLAIM_GRADES, ClaimGrade
from fairvec.papers.grades import GRADES, MEANINGS, Grade, PrintedAnswer, PrintedLine, Reproduction
from fairvec.papers.reproducing import reproduce
from fairvec.papers.schema import PAPERS, paper, parse_paper
from fairvec.papers.show import (
    CLAIM_CONVENTION,
    CLAIM_HEAD,
    CLAIM_TITLE,
    HEAD,
    View,
    as_csv,
    as_jsonl,
    as_markdown,
    cast,
    claim_rows,
    claim_sentences,
    claim_summary,
    claims_as_jsonl,
    conventions,
    sensitive,
    summary,
    views,
)

__all__ = [
    "CLAIM_CONVENTION",
    "CLAIM_GRADES",
    "CLAIM_HEAD",
    "CLAIM_TITLE",
    "GRADES",
    "HEAD",
    "MEANINGS",
    "PAPERS",
    "Claim",
    "ClaimAnswer",
    "ClaimGrade",
    "Grade",
    "PrintedAnswer",
    "PrintedLine",
    "Reproduction",
    "View",
    "as_csv",
    "as_jsonl",
    "as_markdown",
    "cast",
    "claim_rows",
    "claim_sentences",
    "claim_summary",
    "claims_as_jsonl",
    "claims_of",
    "conventions",
    "paper",
    "parse_claims",
    "parse_paper",
    "reproduce",
    "sensitive",
    "summary",
    "views",
]

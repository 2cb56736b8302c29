"""The papers' tables: published figures as data, computed again and graded cell by cell."""

from fairvec.papers.claims.answer import ClaimAnswer
from fairvec.papers.claims.claim import Claim
from fairvec.papers.claims.deciding.decision import CLAIM_GRADES, ClaimGrade
from fairvec.papers.claims.loader import claims_of, parse_claims
from fairvec.papers.grading.grade import GRADES, MEANINGS, Grade
from fairvec.papers.printed.loader import PAPERS, paper, parse_paper
from fairvec.papers.reproducing import reproduce
from fairvec.papers.showing.claims import (
    CLAIM_CONVENTION,
    CLAIM_HEAD,
    CLAIM_TITLE,
    claim_rows,
    claim_sentences,
    claim_summary,
)
from fairvec.papers.showing.lines import PrintedAnswer, PrintedLine, Reproduction
from fairvec.papers.showing.tables import as_csv, as_jsonl, as_markdown, claims_as_jsonl
from fairvec.papers.showing.view import HEAD, View, cast, conventions, sensitive, summary, views

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

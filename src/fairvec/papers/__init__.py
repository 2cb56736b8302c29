"""The papers' tables: published figures as data, computed again and graded cell by cell."""

from fairvec.papers.grade import GRADES, MEANINGS, Grade
from fairvec.papers.lines import Answer, Line, Reproduction
from fairvec.papers.loader import PAPERS, paper, parse_paper
from fairvec.papers.reproduce import reproduce
from fairvec.papers.tables import as_csv, as_jsonl, as_markdown
from fairvec.papers.view import HEAD, View, cast, conventions, sensitive, summary, views

__all__ = [
    "GRADES",
    "HEAD",
    "MEANINGS",
    "PAPERS",
    "Answer",
    "Grade",
    "Line",
    "Reproduction",
    "View",
    "as_csv",
    "as_jsonl",
    "as_markdown",
    "cast",
    "conventions",
    "paper",
    "parse_paper",
    "reproduce",
    "sensitive",
    "summary",
    "views",
]

"""The papers' tables: published figures as data, computed again and graded cell by cell."""

from fairvec.papers.grading.grade import GRADES, MEANINGS, Grade
from fairvec.papers.printed.loader import PAPERS, paper, parse_paper
from fairvec.papers.reproducing import reproduce
from fairvec.papers.showing.lines import PrintedAnswer, PrintedLine, Reproduction
from fairvec.papers.showing.tables import as_csv, as_jsonl, as_markdown
from fairvec.papers.showing.view import HEAD, View, cast, conventions, sensitive, summary, views

__all__ = [
    "GRADES",
    "HEAD",
    "MEANINGS",
    "PAPERS",
    "Grade",
    "PrintedAnswer",
    "PrintedLine",
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

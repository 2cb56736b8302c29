"""Small records of documents for tests of what reads them."""

from typing import Any

from fairvec.results import DocumentFigure, DocumentIdentity, Interval, ReadDocument, TextMark

TEXT = "She left.\u2028He stayed."
IDENTITY = DocumentIdentity(
    name="a.txt",
    sha256="0" * 64,
    language="en",
    characters=len(TEXT),
    paragraphs=2,
    sentences=2,
    words=4,
)


def figure(**fields: Any) -> DocumentFigure:
    """Return a figure of mentions, or one with other fields."""
    usual = {
        "document": IDENTITY,
        "measure": "mentions",
        "what": "all",
        "title": "Share of women among the people mentioned",
        "value": 0.25,
        "neutral": 0.5,
        "meaning": "1: only women; 0: only men",
        "count_a": 3,
        "count_b": 1,
        "unit": "paragraphs",
        "interval": Interval(low=0.1, high=0.6, level=0.95, method="toy"),
        "p": 0.5,
        "sentence": "Men are mentioned three times, women once.",
    }
    return DocumentFigure(**(usual | fields))


def read_document(**fields: Any) -> ReadDocument:
    """Return a document with one mark, or one with other fields."""
    usual = {
        "document": IDENTITY,
        "groups": ("men", "women"),
        "text": TEXT,
        "marks": (TextMark(start=0, end=3, kind="person", side="b", role="pronoun", why="She"),),
        "versions": {"fairvec": "0"},
    }
    return ReadDocument(**(usual | fields))

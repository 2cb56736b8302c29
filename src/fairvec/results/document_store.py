"""document.jsonl in and out: one record a line, and its figures as flat rows."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter

from fairvec.results.documents import MEASURES, DocumentFigure, DocumentLine
from fairvec.results.record_file import RecordFile
from fairvec.results.rows import Plain

DOCUMENT_FILE = "document.jsonl"

DOCUMENT_COLUMNS: dict[str, str] = {
    "document": "name of the document; empty: all documents together",
    "language": "ISO 639-1 code of the text",
    "characters": "length of the text",
    "paragraphs": "paragraphs that hold a sentence",
    "sentences": "sentences that hold a word",
    "words": "words",
    "measure": ", ".join(MEASURES[:-1]) + f" or {MEASURES[-1]}",
    "what": "the role, word or list that the figure is of; 'all' for all roles",
    "title": "the figure in plain words",
    "value": "the figure",
    "neutral": "the value that says: no difference",
    "count_a": "items of group a (men)",
    "count_b": "items of group b (women)",
    "unit": "what interval and p regard as independent",
    "interval_low": "lower end of the interval",
    "interval_high": "upper end of the interval",
    "p": "exact two-sided p",
    "p_holm": "p, Holm-corrected over the figures of its measure and document",
    "model": "name of the model that scored, if one did",
}

DOCUMENT_VALUES: dict[str, tuple[str, ...]] = {"measure": MEASURES}
"""All values that a column can have."""

_file: RecordFile[DocumentLine] = RecordFile(
    DOCUMENT_FILE,
    TypeAdapter(Annotated[DocumentLine, Field(discriminator="line")]),
    "a record of a document",
    "fairvec document",
    "FILE",
)


def write_documents(
    lines: Iterable[DocumentLine], folder: Path | str, others: Mapping[str, str] | None = None
) -> Path:
    """Write the records to document.jsonl in `folder`, whole or not at all.

    `others` are texts of the same run by file name, as its page: all take their places together.
    """
    return _file.write(lines, folder, others)


def read_document_lines(path: Path | str) -> list[DocumentLine]:
    """Read the records of a document.jsonl, or of the folder that holds one."""
    return _file.read(path)


def flat_figure(figure: DocumentFigure) -> dict[str, Plain]:
    """Return a figure as one row with every column of DOCUMENT_COLUMNS; None: it has no answer."""
    of, ends = figure.document, figure.interval
    return {
        "document": of.name,
        "language": of.language,
        "characters": of.characters,
        "paragraphs": of.paragraphs,
        "sentences": of.sentences,
        "words": of.words,
        "measure": figure.measure,
        "what": figure.what,
        "title": figure.title,
        "value": figure.value,
        "neutral": figure.neutral,
        "count_a": figure.count_a,
        "count_b": figure.count_b,
        "unit": figure.unit,
        "interval_low": ends.low if ends else None,
        "interval_high": ends.high if ends else None,
        "p": figure.p,
        "p_holm": figure.p_holm,
        "model": figure.model,
    }

"""document.jsonl in and out: one record a line, and its figures as flat rows."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from fairvec.ground.errors import FileFormatError
from fairvec.ground.files import write_text
from fairvec.results.documents import MEASURES, DocumentFigure, DocumentLine
from fairvec.results.record import SCHEMA_VERSION
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

_line: TypeAdapter[DocumentLine] = TypeAdapter(Annotated[DocumentLine, Field(discriminator="line")])


def write_documents(lines: Iterable[DocumentLine], folder: Path | str) -> Path:
    """Write the records to document.jsonl in `folder`, whole or not at all."""
    path = Path(folder) / DOCUMENT_FILE
    write_text(path, "".join(line.model_dump_json() + "\n" for line in lines))
    return path


def read_document_lines(path: Path | str) -> list[DocumentLine]:
    """Read the records of a document.jsonl, or of the folder that holds one."""
    file = Path(path) / DOCUMENT_FILE if Path(path).is_dir() else Path(path)
    if not file.is_file():
        raise FileFormatError(
            f"{path}: there is no {DOCUMENT_FILE} here; make one with 'fairvec document FILE -o "
            f"{path}'."
        )
    try:
        # Not splitlines: a text may hold a Unicode line separator.
        lines = file.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"{file}: this is not UTF-8; run 'fairvec document' again."
        ) from error
    found = [_parsed(line, file, number) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise FileFormatError(f"{file}: the file holds no records; run 'fairvec document' again.")
    return found


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


def _parsed(line: str, file: Path, number: int) -> DocumentLine:
    where = f"{file}, line {number}"
    try:
        record = json.loads(line)
        version = record.get("schema_version") if isinstance(record, dict) else None
        if isinstance(version, int) and version > SCHEMA_VERSION:
            raise FileFormatError(
                f"{where}: schema version {version}, written by a later fairvec; this one reads up "
                f"to {SCHEMA_VERSION}: upgrade it."
            )
        return _line.validate_python(record, strict=False)
    except ValidationError as error:
        first = error.errors()[0]
        reason = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}".removeprefix(
            ": "
        )
    except (ValueError, RecursionError) as error:
        reason = str(error)
    raise FileFormatError(
        f"{where}: not a record of a document ({reason}); write it again with 'fairvec document'."
    )

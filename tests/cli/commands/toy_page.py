"""A page that says how many lines it was made of."""

from collections.abc import Sequence
from pathlib import Path

from fairvec.results import DocumentLine


def write_document_report(lines: Sequence[DocumentLine], path: Path) -> None:
    path.write_text(f"{len(lines)} lines about {lines[0].document.name}")

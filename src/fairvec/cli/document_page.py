"""The page about documents, where it is there to be written."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from fairvec.results import DocumentLine

_PAGE = "fairvec.report.documents"


def write_document_page(lines: Sequence[DocumentLine], page: Path) -> bool:
    """Write the page about documents; say whether there is one to write."""
    if find_spec(_PAGE) is None:
        return False
    import_module(_PAGE).write_document_report(lines, page)
    return True

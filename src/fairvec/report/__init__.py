"""The page: results as one HTML file, and as tables for the terminal, spreadsheets and papers."""

from typing import TYPE_CHECKING

from fairvec.core.lazy import lazy_exports

if TYPE_CHECKING:
    from fairvec.report.documents.page import render_documents, write_document_report
    from fairvec.report.frontier import render_frontier, write_frontier_report
    from fairvec.report.latex import as_latex
    from fairvec.report.page import render, write_report
    from fairvec.report.reproduction import render_reproduction
    from fairvec.report.study import render_study, write_study_report
    from fairvec.report.tables import as_csv, audit_table

__all__ = [
    "as_csv",
    "as_latex",
    "audit_table",
    "render",
    "render_documents",
    "render_frontier",
    "render_reproduction",
    "render_study",
    "write_document_report",
    "write_frontier_report",
    "write_report",
    "write_study_report",
]

# Type checkers read the imports above instead; a table in a terminal loads no page.
if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "documents.page": (
                "render_documents",
                "write_document_report",
            ),
            "frontier": (
                "render_frontier",
                "write_frontier_report",
            ),
            "latex": ("as_latex",),
            "page": (
                "render",
                "write_report",
            ),
            "reproduction": ("render_reproduction",),
            "study": (
                "render_study",
                "write_study_report",
            ),
            "tables": (
                "as_csv",
                "audit_table",
            ),
        },
    )

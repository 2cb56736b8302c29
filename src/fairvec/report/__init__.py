"""The page: results as one HTML file, and as tables for the terminal, spreadsheets and papers."""

from fairvec.report.documents import render_documents, write_document_report
from fairvec.report.latex_table import as_latex
from fairvec.report.page import render, write_report
from fairvec.report.sections.frontier import render_frontier, write_frontier_report
from fairvec.report.sections.study import render_study, write_study_report
from fairvec.report.tables import as_csv, as_rich_table

__all__ = [
    "as_csv",
    "as_latex",
    "as_rich_table",
    "render",
    "render_documents",
    "render_frontier",
    "render_study",
    "write_document_report",
    "write_frontier_report",
    "write_report",
    "write_study_report",
]

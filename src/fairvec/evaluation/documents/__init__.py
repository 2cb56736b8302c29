"""Documents read, judged and rewritten: what shell, Python and web all call."""

from fairvec.evaluation.documents.applying import Applied, apply_changes
from fairvec.evaluation.documents.judging import DocumentsJudged, JudgedDocument, judge_documents
from fairvec.evaluation.documents.reading import DocumentsRead, ReadText, read_documents

__all__ = [
    "Applied",
    "DocumentsJudged",
    "DocumentsRead",
    "JudgedDocument",
    "ReadText",
    "apply_changes",
    "judge_documents",
    "read_documents",
]

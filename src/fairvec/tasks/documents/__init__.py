"""Is this document biased, and what would a fairer version of it be?"""

from fairvec.tasks.documents.document import Document, SentenceInText, WordInText, document_of

__all__ = ["Document", "SentenceInText", "WordInText", "document_of"]

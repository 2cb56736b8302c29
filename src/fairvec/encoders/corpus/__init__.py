"""Sentences of a corpus in which given words stand."""

from fairvec.encoders.corpus.context_store import FoundContexts
from fairvec.encoders.corpus.corpus import Corpus

__all__ = ["Corpus", "FoundContexts"]

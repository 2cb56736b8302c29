"""Folders of sentence-transformers: a list of modules, read and run without that package."""

from fairvec.encoders.sentence_transformer.reading import (
    read_sentence_transformer,
    recognises,
)

__all__ = ["read_sentence_transformer", "recognises"]

"""Embeddings: the container, loading and saving files, and the look-up of words."""

from fairvec.embedding.embedding import Embedding, Step, lookup_of
from fairvec.embedding.formats.base import AS_FOUND, Reading
from fairvec.embedding.loading import load, read, shape_of
from fairvec.embedding.lookup import Lookup, Match
from fairvec.embedding.python_objects import from_arrays, from_dict, from_keyed_vectors
from fairvec.embedding.saving import lost_by_saving, save

__all__ = [
    "AS_FOUND",
    "Embedding",
    "Lookup",
    "Match",
    "Reading",
    "Step",
    "from_arrays",
    "from_dict",
    "from_keyed_vectors",
    "load",
    "lookup_of",
    "lost_by_saving",
    "read",
    "save",
    "shape_of",
]

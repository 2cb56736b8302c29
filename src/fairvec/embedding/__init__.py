"""Embeddings: the container, loading and saving files, and the look-up of words."""

from fairvec.embedding.embedding import Embedding, Step
from fairvec.embedding.formats.base import LOAD_DEFAULTS, LoadOptions
from fairvec.embedding.loading import load, read, shape_of
from fairvec.embedding.lookup import Lookup, Match
from fairvec.embedding.python_objects import from_arrays, from_dict, from_keyed_vectors
from fairvec.embedding.saving import lost_by_saving, save

__all__ = [
    "LOAD_DEFAULTS",
    "Embedding",
    "LoadOptions",
    "Lookup",
    "Match",
    "Step",
    "from_arrays",
    "from_dict",
    "from_keyed_vectors",
    "load",
    "lost_by_saving",
    "read",
    "save",
    "shape_of",
]

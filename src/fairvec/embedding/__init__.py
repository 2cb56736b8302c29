"""The points: a container, readers and writers of files, and the look-up of words."""

from fairvec.embedding.embedding import Embedding, Step
from fairvec.embedding.from_python import from_arrays, from_dict, from_keyed_vectors
from fairvec.embedding.loading import load, read
from fairvec.embedding.lookup import Lookup, Match
from fairvec.embedding.lookups import lookup_of
from fairvec.embedding.reading import AS_FOUND, Reading
from fairvec.embedding.saving import loses, save
from fairvec.embedding.shape import shape_of

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
    "loses",
    "read",
    "save",
    "shape_of",
]

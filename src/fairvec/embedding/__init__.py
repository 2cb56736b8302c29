"""The points: a container, readers and writers of files, and the look-up of words."""

from fairvec.embedding.embedding import Embedding, Step
from fairvec.embedding.from_python import from_arrays, from_dict, from_keyed_vectors
from fairvec.embedding.load import load
from fairvec.embedding.lookup import Lookup, Match
from fairvec.embedding.lookups import lookup_of
from fairvec.embedding.save import loses, save
from fairvec.embedding.shape import shape_of

__all__ = [
    "Embedding",
    "Lookup",
    "Match",
    "Step",
    "from_arrays",
    "from_dict",
    "from_keyed_vectors",
    "load",
    "lookup_of",
    "loses",
    "save",
    "shape_of",
]

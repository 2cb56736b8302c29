"""The planted concept and embedding under the names that tests call them by."""

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.testing.planted import EQUALISE as EQUALISE
from fairvec.testing.planted import NEUTRAL as NEUTRAL
from fairvec.testing.planted import PAIRS as PAIRS
from fairvec.testing.planted import SPECIFIC as SPECIFIC
from fairvec.testing.planted import TEXT as TEXT
from fairvec.testing.planted import THINGS as THINGS
from fairvec.testing.planted import VERBS as VERBS
from fairvec.testing.planted import planted_concept, planted_embedding

concept = planted_concept
embedding = planted_embedding


def row(model: Embedding, key: str) -> FloatArray:
    """The vector of a key in float64."""
    return np.asarray(model.vectors[list(model.keys).index(key)], np.float64)

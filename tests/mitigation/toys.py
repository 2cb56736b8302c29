"""The planted concept and embedding, and every registered debiasing method as they bear it."""

import numpy as np

from fairvec.core.settings import setting_types
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.mitigation import DEBIASERS, Debiaser
from fairvec.testing.planted import EQUALISE as EQUALISE
from fairvec.testing.planted import NEUTRAL as NEUTRAL
from fairvec.testing.planted import PAIRS as PAIRS
from fairvec.testing.planted import SPECIFIC as SPECIFIC
from fairvec.testing.planted import TEXT as TEXT
from fairvec.testing.planted import THINGS as THINGS
from fairvec.testing.planted import VERBS as VERBS
from fairvec.testing.planted import planted_concept, planted_embedding

# --- The planted concept and embedding under the names that tests call them by ---


concept = planted_concept
embedding = planted_embedding


def row(model: Embedding, key: str) -> FloatArray:
    """The vector of a key in float64."""
    return np.asarray(model.vectors[list(model.keys).index(key)], np.float64)


# --- Every registered debiasing method, one registered tomorrow too, as the planted words bear it


FEWER = {"each": 50, "neighbours": 5, "components": 2, "alpha": 1.0, "against": "things"}
"""Settings whose usual values ask for more words, longer vectors or other lists than there are."""


def every_method() -> list[Debiaser]:
    """Return each method once, with its usual settings but for those that do not fit."""
    return [
        method(
            **{setting: FEWER[setting] for setting in FEWER.keys() & setting_types(method).keys()}
        )
        for method in DEBIASERS
    ]

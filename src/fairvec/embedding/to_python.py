"""An embedding as other libraries hold one: gensim's KeyedVectors, a table of pandas."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.checks import refuse_empty, refuse_non_finite
from fairvec.geometry import Euclidean
from fairvec.ground.errors import MissingExtraError, MissingPackageError, SettingError


def keyed_vectors_of(embedding: Embedding) -> Any:
    """Return gensim's KeyedVectors of a flat embedding, with a copy of its vectors and counts."""
    if not isinstance(embedding.geometry, Euclidean):
        raise SettingError(
            f"{embedding.name} lies in the {embedding.geometry.name} space, and gensim's "
            "KeyedVectors compare by flat cosines, which do not notice the curvature; take "
            "to_frame(), or ask most_similar() here."
        )
    try:
        models = import_module("gensim.models")
    except ImportError as error:
        raise MissingExtraError("Making KeyedVectors", "gensim") from error
    _refuse_unusable(embedding)
    # gensim computes in float32 or float64; of a float16 it would keep sums that overflow.
    numbers = np.promote_types(embedding.vectors.dtype, np.float32)
    made = models.KeyedVectors(embedding.dimensions, dtype=numbers)
    made.add_vectors(list(embedding.keys), embedding.vectors.astype(numbers))
    # One by one, because gensim's add_vectors cannot unpack the attributes it is given.
    for row, count in enumerate([] if embedding.counts is None else embedding.counts):
        made.set_vecattr(embedding.keys[row], "count", int(count))
    return made


def frame_of(embedding: Embedding) -> Any:
    """Return a DataFrame of pandas: a row a word, the words as its index, a copy of the vectors."""
    try:
        pandas = import_module("pandas")
    except ImportError as error:
        raise MissingPackageError("A table of words and vectors", "pandas") from error
    _refuse_unusable(embedding)
    words = pandas.Index(list(embedding.keys), name="word")
    return pandas.DataFrame(np.array(embedding.vectors), index=words)


def _refuse_unusable(embedding: Embedding) -> None:
    """Look at a memory-mapped matrix, which nobody has read through yet."""
    refuse_empty(Path(embedding.name), *embedding.vectors.shape)
    refuse_non_finite(Path(embedding.name), embedding.keys, embedding.vectors)

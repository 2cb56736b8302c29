"""Points that may lie in a ball though nobody said so: a question, never a refusal."""

from typing import Any

import numpy as np

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.checks import ROWS_AT_ONCE
from fairvec.embedding.formats.reading import SPACE_OF_FILE as TAKEN
from fairvec.embedding.formats.reading import Raw, Vectors
from fairvec.embedding.place import FEWEST_ALIKE, SAMPLED
from fairvec.embedding.reading import Reading
from fairvec.geometry import Geometry
from fairvec.geometry.sizes import lengths as lengths_of

FARTHEST, OF_ONE_LENGTH = 0.25, 0.01
"""A ball whose farthest point is nearer than this to its centre is as good as flat; and vectors
whose lengths differ by less than this share were brought to one length."""

UNSAID, OVERRULED = "space_in_question", "space_overruled"
"""What the history of reading says: that nobody named the space and the points look like a ball's,
or that the file named another one than was asked for."""


def reach_of_a_ball(vectors: Vectors) -> float | None:
    """Return how far points reach that lie within the unit ball; None if they look like flat ones.

    Flat models have some longer vectors, unless they are very small or of one length: the shipped
    and the fetched ones reach 8 to 36. Poincaré GloVe reaches 0.6, embeddings of trees 1 - 1e-6.
    """
    if (
        len(vectors) < FEWEST_ALIKE
        or _lengths(vectors[:: max(1, len(vectors) // SAMPLED)]).max() >= 1
    ):
        return None
    lengths = np.concatenate(
        [
            _lengths(vectors[start : start + ROWS_AT_ONCE])
            for start in range(0, len(vectors), ROWS_AT_ONCE)
        ]
    )
    farthest = float(lengths.max())
    of_one_length = float(lengths.min()) >= (1 - OF_ONE_LENGTH) * farthest
    return farthest if FARTHEST <= farthest < 1 and not of_one_length else None


def said_of_space(
    how: Reading, raw: Raw, space: Geometry, from_catalogue: Geometry | None
) -> dict[str, Any]:
    """Return what the history says of the space, where it is not as plain as in most files."""
    if raw.geometry is not None:
        return {OVERRULED: raw.geometry.name} if raw.geometry != space else {}
    if (how.geometry, how.curvature, from_catalogue) != (None, None, None):
        return {}
    reach = reach_of_a_ball(raw.vectors)
    return {} if reach is None else {UNSAID: round(reach, 6)}


def remark_on_space(embedding: Embedding) -> str:
    """Say what has to be said of the space of an embedding that was just read; mostly nothing."""
    if question := question_of_space(embedding, "--geometry poincare", "--geometry euclidean"):
        return question
    details = embedding.history[-1].details if embedding.history else {}
    name, space = embedding.name, embedding.geometry
    if OVERRULED in details:
        return (
            f"{name} is read as {space.name}, as asked, though its file says {details[OVERRULED]}."
        )
    if TAKEN in details:
        where = f"the {space.name} ball of curvature {space.curvature:g}"
        return f"{name} lies in {where}, as its file says."
    return ""


def question_of_space(embedding: Embedding, ball: str, flat: str) -> str:
    """Ask whether points lie in a ball where nobody said so; `ball`, `flat` are the answers."""
    details = embedding.history[-1].details if embedding.history else {}
    if UNSAID not in details:
        return ""
    return (
        f"{embedding.name} is read as flat, but all its points lie within the unit ball (the "
        f"farthest at {details[UNSAID]}) and nothing says which it is: if it is a Poincaré ball, "
        f"say {ball}, else {flat}."
    )


def _lengths(vectors: Vectors) -> Vectors:
    return lengths_of(vectors.astype(np.float64))

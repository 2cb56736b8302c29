"""Which space points live in: as said, or asked where they may lie in a ball."""

from typing import Any

import numpy as np

from fairvec.core.errors import GeometryError, SettingError
from fairvec.core.format import setting_hint
from fairvec.core.text import short_repr
from fairvec.embedding.embedding import Embedding, Step
from fairvec.embedding.formats.base import SPACE_OF_FILE as TAKEN
from fairvec.embedding.formats.base import FileContent, Outside, Reading, Vectors
from fairvec.embedding.formats.rows import ROWS_AT_ONCE
from fairvec.geometry import Euclidean, Geometry, Poincare, ProductOfBalls, geometry
from fairvec.geometry.norms import norms
from fairvec.geometry.norms import norms as lengths_of

AT_THE_BORDER = 1e-6
"""Nearer to the border than this share of the radius no optimiser leaves most of its points."""
SAMPLED, FEWEST_ALIKE = 4096, 10


def choose_geometry(
    asked: str | Geometry | None, curvature: float | None, *known: Geometry | None
) -> Geometry:
    """Return the space asked for, else the first one `known`, else flat space."""
    default = next((space for space in known if space is not None), Euclidean())
    if not (asked is None or isinstance(asked, str) or hasattr(type(asked), "contains")):
        raise SettingError(
            f"A geometry is no object of the kind {type(asked).__name__}; give a name, as in "
            "'euclidean' or 'poincare', or an object, as in Poincare(0.5)."
        )
    if asked is None:
        asked = default if curvature is None else default.name
    elif curvature is None and asked == default.name:
        asked = default
    if isinstance(asked, str):
        asked = geometry(asked, curvature)
    if curvature is not None and asked.curvature != curvature:
        raise SettingError(
            f"The curvature {curvature} does not belong to the geometry {asked.name} of curvature "
            f"{asked.curvature}; say {setting_hint('geometry', 'poincare')}, or leave "
            "curvature out."
        )
    return asked


def place_points(
    raw: FileContent, space: Geometry, step: Step, name: str, outside: Outside
) -> Embedding:
    """Return the embedding of raw points, all of them in `space`."""
    history = (*raw.history, step)
    vectors = raw.vectors
    if not isinstance(space, Euclidean):  # readers have checked that every number is finite
        _refuse_flat(raw, space, name)
        strays = _rows_outside(vectors, space)
        if len(strays) and outside == "refuse":
            raise GeometryError(_refusal(raw, space, strays, name))
        if len(strays):
            # In float32 a point just inside the border would be rounded onto it.
            wide = vectors.astype(np.float64)
            wide[strays] = space.project(wide[strays]).points
            vectors = wide
            details = {"geometry": space.name, "moved": len(strays)}
            history = (*history, Step("project", details))
    return Embedding(raw.keys, vectors, space, name, history, raw.counts, raw.languages)


def _refuse_flat(raw: FileContent, space: Geometry, name: str) -> None:
    """Refuse vectors that were brought to length one: some of them always round to the inside."""
    if not isinstance(space, Poincare) or len(raw.keys) < FEWEST_ALIKE:
        return
    step = max(1, len(raw.keys) // SAMPLED)
    reach = norms(raw.vectors[::step].astype(np.float64)) / space.radius
    if (np.abs(reach - 1) < AT_THE_BORDER).mean() > 0.9:
        raise GeometryError(
            f"{name}: nearly all points lie on the border of the {space.name} ball, at the norm "
            f"{space.radius:.4g}: these look like flat vectors of length one; read them with "
            f"{setting_hint('geometry', 'euclidean')}."
        )


def _rows_outside(vectors: Vectors, space: Geometry) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    inside = [
        space.contains(vectors[start : start + ROWS_AT_ONCE].astype(np.float64))
        for start in range(0, len(vectors), ROWS_AT_ONCE)
    ]
    return np.flatnonzero(~np.concatenate(inside)) if inside else np.empty(0, dtype=np.intp)


def _refusal(
    raw: FileContent, space: Geometry, strays: np.ndarray[tuple[int], np.dtype[np.intp]], name: str
) -> str:
    flat = setting_hint("geometry", "euclidean")
    remedy = (
        f"these look like Euclidean (flat) vectors: read them with {flat}"
        if len(strays) > len(raw.keys) / 2
        else "pull them inside with outside='project' (--outside project), correct the curvature "
        f"or, if the vectors are flat, read them with {flat}"
    )
    balls = space.balls if isinstance(space, ProductOfBalls) else 1
    runs = raw.vectors[strays].astype(np.float64).reshape(len(strays) * balls, -1)
    longest = norms(runs).max()
    lie = "lies" if len(strays) == 1 else "lie"
    return (
        f"{name}: {len(strays)} of {len(raw.keys)} points {lie} outside the {space.name} ball of "
        f"radius {1 / np.sqrt(space.curvature):.4g} (curvature {space.curvature:g}), the first is "
        f"{short_repr(raw.keys[strays[0]])} and the largest norm is {longest:.8g}; {remedy}."
    )


# Points that may lie in a ball though nobody said so: a question, never a refusal.


FARTHEST, OF_ONE_LENGTH = 0.25, 0.01
"""A ball whose farthest point is nearer than this to its centre is as good as flat; and vectors
whose lengths differ by less than this share were brought to one length."""

UNSAID, OVERRULED = "space_in_question", "space_overruled"
"""What the history of reading says: that nobody named the space and the points look like a ball's,
or that the file named another one than was asked for."""


def ball_extent(vectors: Vectors) -> float | None:
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


def geometry_notes(
    how: Reading, raw: FileContent, space: Geometry, from_catalogue: Geometry | None
) -> dict[str, Any]:
    """Return what the history says of the space, where it is not as plain as in most files."""
    if raw.geometry is not None:
        return {OVERRULED: raw.geometry.name} if raw.geometry != space else {}
    if (how.geometry, how.curvature, from_catalogue) != (None, None, None):
        return {}
    reach = ball_extent(raw.vectors)
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

"""Decide which space the points of an embedding live in, and check that they fit into it.

The geometry is the one the caller names, else the file's, else the catalogue's, else flat space.
Points that nobody placed but that all lie within the unit ball are noted in the history, and the
user is asked; they are never refused for it.
"""

from typing import Any

import numpy as np

from fairvec.core.errors import GeometryError, SettingError
from fairvec.core.format import setting_hint
from fairvec.core.text import short_repr
from fairvec.embedding.embedding import Embedding, Step
from fairvec.embedding.formats.base import SPACE_OF_FILE, FileContent, LoadOptions, Outside, Vectors
from fairvec.embedding.formats.rows import ROWS_AT_ONCE
from fairvec.geometry import Euclidean, Geometry, Poincare, ProductOfBalls, geometry
from fairvec.geometry.norms import norms


def choose_geometry(
    space: str | Geometry | None, curvature: float | None, *known: Geometry | None
) -> Geometry:
    """Return the space that is named, else the first one `known`, else flat space."""
    default = next((known_space for known_space in known if known_space is not None), Euclidean())
    if not (space is None or isinstance(space, str) or hasattr(type(space), "contains")):
        raise SettingError(
            f"A geometry is no object of the kind {type(space).__name__}; give a name, as in "
            "'euclidean' or 'poincare', or an object, as in Poincare(0.5)."
        )
    if space is None:
        space = default if curvature is None else default.name
    elif curvature is None and space == default.name:
        space = default
    if isinstance(space, str):
        space = geometry(space, curvature)
    if curvature is not None and space.curvature != curvature:
        raise SettingError(
            f"The curvature {curvature} does not belong to the geometry {space.name} of curvature "
            f"{space.curvature}; say {setting_hint('geometry', 'poincare')}, or leave "
            "curvature out."
        )
    return space


def place_points(
    content: FileContent, space: Geometry, step: Step, name: str, outside: Outside
) -> Embedding:
    """Return the embedding of the points of a file, all of them in `space`."""
    history = (*content.history, step)
    vectors = content.vectors
    if not isinstance(space, Euclidean):  # readers have checked that every number is finite
        _refuse_unit_length(content, space, name)
        outside_rows = _rows_outside(vectors, space)
        if len(outside_rows) and outside == "refuse":
            raise GeometryError(_outside_message(content, space, outside_rows, name))
        if len(outside_rows):
            # In float32 a point just inside the border would be rounded onto it.
            moved = vectors.astype(np.float64)
            moved[outside_rows] = space.project(moved[outside_rows]).points
            vectors = moved
            details = {"geometry": space.name, "moved": len(outside_rows)}
            history = (*history, Step("project", details))
    return Embedding(content.keys, vectors, space, name, history, content.counts, content.languages)


BORDER_SHARE = 1e-6
"""No optimiser leaves most of its points nearer to the border than this share of the radius."""
SAMPLE_SIZE, MIN_POINTS = 4096, 10


def _refuse_unit_length(content: FileContent, space: Geometry, name: str) -> None:
    """Refuse vectors normalised to length one, of which rounding leaves some inside the ball."""
    if not isinstance(space, Poincare) or len(content.keys) < MIN_POINTS:
        return
    step = max(1, len(content.keys) // SAMPLE_SIZE)
    relative_norms = norms(content.vectors[::step].astype(np.float64)) / space.radius
    if (np.abs(relative_norms - 1) < BORDER_SHARE).mean() > 0.9:
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


def _outside_message(
    content: FileContent,
    space: Geometry,
    outside_rows: np.ndarray[tuple[int], np.dtype[np.intp]],
    name: str,
) -> str:
    flat = setting_hint("geometry", "euclidean")
    remedy = (
        f"these look like Euclidean (flat) vectors: read them with {flat}"
        if len(outside_rows) > len(content.keys) / 2
        else "pull them inside with outside='project' (--outside project), correct the curvature "
        f"or, if the vectors are flat, read them with {flat}"
    )
    balls = space.balls if isinstance(space, ProductOfBalls) else 1
    parts = content.vectors[outside_rows].astype(np.float64).reshape(len(outside_rows) * balls, -1)
    longest = norms(parts).max()
    lie = "lies" if len(outside_rows) == 1 else "lie"
    return (
        f"{name}: {len(outside_rows)} of {len(content.keys)} points {lie} outside the {space.name} "
        f"ball of radius {1 / np.sqrt(space.curvature):.4g} (curvature {space.curvature:g}), the "
        f"first is {short_repr(content.keys[outside_rows[0]])} and the largest norm is "
        f"{longest:.8g}; {remedy}."
    )


MIN_EXTENT, EQUAL_LENGTH_TOLERANCE = 0.25, 0.01
"""Points that all lie nearer to the centre than this are as good as flat; vectors whose lengths
differ by less than this share were normalised."""


def ball_extent(vectors: Vectors) -> float | None:
    """Return the largest norm of points within the unit ball; None if they look like flat vectors.

    Flat models have some longer vectors, unless they are very small or normalised: those of the
    catalogue reach 8 to 36. Poincaré GloVe reaches 0.6, embeddings of trees 1 - 1e-6.
    """
    if (
        len(vectors) < MIN_POINTS
        or _float64_norms(vectors[:: max(1, len(vectors) // SAMPLE_SIZE)]).max() >= 1
    ):
        return None
    lengths = np.concatenate(
        [
            _float64_norms(vectors[start : start + ROWS_AT_ONCE])
            for start in range(0, len(vectors), ROWS_AT_ONCE)
        ]
    )
    farthest = float(lengths.max())
    equal_lengths = float(lengths.min()) >= (1 - EQUAL_LENGTH_TOLERANCE) * farthest
    return farthest if MIN_EXTENT <= farthest < 1 and not equal_lengths else None


def _float64_norms(vectors: Vectors) -> Vectors:
    return norms(vectors.astype(np.float64))


UNKNOWN_SPACE, OVERRULED_SPACE = "space_in_question", "space_overruled"
"""Details in the history: that no space was named and the points look like those of a ball, or
that the file names another space than the caller."""


def geometry_notes(
    how: LoadOptions, content: FileContent, space: Geometry, from_catalogue: Geometry | None
) -> dict[str, Any]:
    """Return the details for the history where the space is in doubt or was overruled."""
    if content.geometry is not None:
        return {OVERRULED_SPACE: content.geometry.name} if content.geometry != space else {}
    if (how.geometry, how.curvature, from_catalogue) != (None, None, None):
        return {}
    extent = ball_extent(content.vectors)
    return {} if extent is None else {UNKNOWN_SPACE: round(extent, 6)}


def remark_on_space(embedding: Embedding) -> str:
    """Return the remark on the space of an embedding just read; empty where it is clear."""
    if question := question_of_space(embedding, "--geometry poincare", "--geometry euclidean"):
        return question
    details = embedding.history[-1].details if embedding.history else {}
    name, space = embedding.name, embedding.geometry
    if OVERRULED_SPACE in details:
        return (
            f"{name} is read as {space.name}, as asked, though its file says "
            f"{details[OVERRULED_SPACE]}."
        )
    if SPACE_OF_FILE in details:
        where = f"the {space.name} ball of curvature {space.curvature:g}"
        return f"{name} lies in {where}, as its file says."
    return ""


def question_of_space(embedding: Embedding, ball: str, flat: str) -> str:
    """Return the question whether points lie in a ball; `ball` and `flat` are how to answer it."""
    details = embedding.history[-1].details if embedding.history else {}
    if UNKNOWN_SPACE not in details:
        return ""
    return (
        f"{embedding.name} is read as flat, but all its points lie within the unit ball (the "
        f"farthest at {details[UNKNOWN_SPACE]}) and nothing says which it is: if it is a Poincaré "
        f"ball, say {ball}, else {flat}."
    )

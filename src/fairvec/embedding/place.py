"""Raw points into the space they are said to live in: checked, or projected and reported."""

from typing import Literal

import numpy as np

from fairvec.embedding.embedding import Embedding, Step
from fairvec.embedding.formats.checks import ROWS_AT_ONCE
from fairvec.embedding.formats.reading import Raw, Vectors
from fairvec.geometry import Euclidean, Geometry, Poincare, ProductOfBalls, geometry
from fairvec.geometry.sizes import lengths
from fairvec.ground.errors import GeometryError, SettingError
from fairvec.ground.text.remedies import option
from fairvec.ground.text.shown_values import shown

Outside = Literal["refuse", "project"]

AT_THE_BORDER = 1e-6
"""Nearer to the border than this share of the radius no optimiser leaves most of its points."""
SAMPLED, FEWEST_ALIKE = 4096, 10


def chosen_geometry(
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
            f"{asked.curvature}; say {option('geometry', 'poincare')}, or leave "
            "curvature out."
        )
    return asked


def placed(raw: Raw, space: Geometry, step: Step, name: str, outside: Outside) -> Embedding:
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


def _refuse_flat(raw: Raw, space: Geometry, name: str) -> None:
    """Refuse vectors that were brought to length one: some of them always round to the inside."""
    if not isinstance(space, Poincare) or len(raw.keys) < FEWEST_ALIKE:
        return
    step = max(1, len(raw.keys) // SAMPLED)
    reach = lengths(raw.vectors[::step].astype(np.float64)) / space.radius
    if (np.abs(reach - 1) < AT_THE_BORDER).mean() > 0.9:
        raise GeometryError(
            f"{name}: nearly all points lie on the border of the {space.name} ball, at the norm "
            f"{space.radius:.4g}: these look like flat vectors of length one; read them with "
            f"{option('geometry', 'euclidean')}."
        )


def _rows_outside(vectors: Vectors, space: Geometry) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    inside = [
        space.contains(vectors[start : start + ROWS_AT_ONCE].astype(np.float64))
        for start in range(0, len(vectors), ROWS_AT_ONCE)
    ]
    return np.flatnonzero(~np.concatenate(inside)) if inside else np.empty(0, dtype=np.intp)


def _refusal(
    raw: Raw, space: Geometry, strays: np.ndarray[tuple[int], np.dtype[np.intp]], name: str
) -> str:
    flat = option("geometry", "euclidean")
    remedy = (
        f"these look like Euclidean (flat) vectors: read them with {flat}"
        if len(strays) > len(raw.keys) / 2
        else "pull them inside with outside='project' (--outside project), correct the curvature "
        f"or, if the vectors are flat, read them with {flat}"
    )
    balls = space.balls if isinstance(space, ProductOfBalls) else 1
    runs = raw.vectors[strays].astype(np.float64).reshape(len(strays) * balls, -1)
    longest = lengths(runs).max()
    lie = "lies" if len(strays) == 1 else "lie"
    return (
        f"{name}: {len(strays)} of {len(raw.keys)} points {lie} outside the {space.name} ball of "
        f"radius {1 / np.sqrt(space.curvature):.4g} (curvature {space.curvature:g}), the first is "
        f"{shown(raw.keys[strays[0]])} and the largest norm is {longest:.8g}; {remedy}."
    )

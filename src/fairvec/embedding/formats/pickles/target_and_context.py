"""One vector of the two that some models learn for each word."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from fairvec.embedding.formats.checks import ROWS_AT_ONCE
from fairvec.embedding.formats.reading import Raw, Vectors
from fairvec.geometry import Euclidean, Geometry, halfway
from fairvec.ground.errors import FileFormatError, GeometryError, SettingError
from fairvec.ground.text.shown_values import shown


def aggregated(path: Path, target: Raw, context: Raw, space: Geometry) -> Raw:
    """Return w + c in flat space, and in a ball the point halfway between w and c.

    Tifrea et al. (2019), Poincaré GloVe, arXiv:1810.06546; Pennington et al. (2014), GloVe.
    """
    if target.keys != context.keys:
        first = min(set(target.keys).symmetric_difference(context.keys))
        raise SettingError(
            f"{path.name}: {shown(first)} was not seen in training and has no context vector; "
            "leave it out of words=, or read the target vectors."
        )
    w, c = target.vectors, context.vectors
    if w.shape != c.shape:
        raise FileFormatError(
            f"{path.name} holds target vectors of shape {w.shape} and context vectors of shape "
            f"{c.shape}, which cannot be aggregated; read either of them."
        )
    if isinstance(space, Euclidean):
        return replace(target, vectors=w + c)
    # Float64, because in float32 a point near the border would be rounded onto it.
    found = np.empty(w.shape)
    for start in range(0, len(w), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        found[rows] = _halfway(path, target.keys[rows], w[rows], c[rows], space)
    return replace(target, vectors=found)


def _halfway(path: Path, keys: list[str], w: Vectors, c: Vectors, space: Geometry) -> Vectors:
    here, there = w.astype(np.float64), c.astype(np.float64)
    outside = ~(space.contains(here) & space.contains(there))
    if outside.any():
        raise GeometryError(
            f"{path.name}: the target or the context point of {shown(keys[int(outside.argmax())])} "
            "lies outside its ball, so that nothing lies halfway; read vectors='target' or "
            "'context' with outside='project' (--vectors, --outside)."
        )
    return halfway(space, here, there)

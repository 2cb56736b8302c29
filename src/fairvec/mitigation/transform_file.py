"""Transforms in safetensors files: arrays, and a JSON header that is checked field by field."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import NonNegativeFloat, ValidationError, field_validator

from fairvec.core.errors import FairvecError, FileFormatError, os_reason
from fairvec.core.io.read_files import require_regular_file
from fairvec.core.io.safetensors import (
    TensorFile,
    looks_like_safetensors,
    open_tensors,
    write_tensors,
)
from fairvec.core.parsing import parse_json
from fairvec.core.settings import Share, find_requirement
from fairvec.core.text import short_repr
from fairvec.core.validation import FrozenModel
from fairvec.geometry import FloatArray, geometry
from fairvec.mitigation.methods.pgd import PgdAdam, PgdExact
from fairvec.mitigation.moves import Affine, CentredProjection, GradedRotation, Move, Projection
from fairvec.mitigation.transform import Transform

MARK = "fairvec-transform"
"""The field that says: this is a transform, and of which version."""


MOVES: tuple[type[Move], ...] = (
    Projection,
    Affine,
    GradedRotation,
    CentredProjection,
    PgdExact,
    PgdAdam,
)
"""The kinds of move that a file can hold."""


STRENGTH = "strength"


class TransformHeader(FrozenModel):
    """The fields of a transform without its arrays; missing, unknown and wrong ones are refused."""

    method: str
    settings: dict[str, Any]
    concept: str
    fitted_on: tuple[str, ...]
    guarantees: tuple[str, ...]
    geometry: str
    curvature: NonNegativeFloat
    move: str
    lengths: Literal["free", "kept", "unit"]
    unmoved: tuple[str, ...]
    placed: tuple[str, ...]
    remarks: dict[str, list[str]]

    @property
    def strength(self) -> float:
        """The share of the way that words go."""
        return float(self.settings[STRENGTH])

    @field_validator("settings")
    @classmethod
    def _check_strength(cls, settings: dict[str, Any]) -> dict[str, Any]:
        strength: Any = settings.get(STRENGTH)
        if requirement := find_requirement(Share, strength):
            raise ValueError(f"the strength is {short_repr(strength)} and must {requirement}")
        return settings

    @field_validator("placed")
    @classmethod
    def _check_unique(cls, placed: tuple[str, ...]) -> tuple[str, ...]:
        if len({*placed}) < len(placed):
            raise ValueError("a key has two places")
        return placed


VERSION = "1"
PLACED = "placed"
LARGEST = 1e150
"""Larger numbers have no squares, and what is moved by them is no point any more."""


def save_transform(transform: Transform, path: str | Path) -> None:
    """Write a transform whole or not at all."""
    tensors = transform.move.tensors()
    if transform.placed:
        tensors[PLACED] = np.array([*transform.placed.values()])
    header = {
        "method": transform.method,
        "settings": dict(transform.settings),
        "concept": transform.concept,
        "fitted_on": list(transform.fitted_on),
        "guarantees": sorted(transform.guarantees),
        "geometry": transform.geometry.name,
        "curvature": transform.geometry.curvature,
        "move": transform.move.name,
        "lengths": transform.lengths,
        "unmoved": sorted(transform.unmoved),
        "placed": [*transform.placed],
        "remarks": {name: list(words) for name, words in transform.remarks.items()},
    }
    text = {name: json.dumps(value, ensure_ascii=False) for name, value in header.items()}
    write_tensors(Path(path), tensors, {MARK: VERSION, **text})


def load_transform(path: str | Path) -> Transform:
    """Return the transform in the file at `path`; one that cannot be applied is refused."""
    file = _open(Path(path))
    try:
        header = parse_header(file.metadata)
        space = geometry(header.geometry, header.curvature or None)
        move = _read_move(file, header.move, header.strength)
        places = _read_matrix(file, PLACED) if header.placed else np.empty((0, move.dimensions))
        if places.shape != (len(header.placed), move.dimensions):
            raise ValueError(f"{len(header.placed)} placed keys have rows of {places.shape}")
        if getattr(move, "c", space.curvature) != space.curvature:
            raise ValueError("the move and the space differ in their curvature")
        space.contains(np.zeros((1, move.dimensions)))  # or they cannot be shared among balls
        return Transform(
            method=header.method,
            settings=header.settings,
            concept=header.concept,
            fitted_on=header.fitted_on,
            guarantees=frozenset(header.guarantees),
            geometry=space,
            move=move,
            lengths=header.lengths,
            unmoved=frozenset(header.unmoved),
            placed=dict(zip(header.placed, places, strict=True)),
            remarks=header.remarks,
        )
    except FileFormatError:
        raise
    except (FairvecError, KeyError, ValueError) as error:
        raise FileFormatError(
            f"{file.path.name} is a damaged transform ({type(error).__name__}: {error}); save it "
            "again."
        ) from error


def _open(path: Path) -> TensorFile:
    require_regular_file(path, FileFormatError)
    try:
        with path.open("rb") as stream:
            head = stream.read(16)
    except OSError as error:
        raise FileFormatError(
            f"{path}: the transform cannot be read ({os_reason(error)})."
        ) from None
    file = open_tensors(path) if looks_like_safetensors(head) else None
    if file is None or MARK not in file.metadata:
        raise FileFormatError(
            f"{path.name} holds no transform; give a file that save_transform wrote."
        )
    if file.metadata[MARK] != VERSION:
        raise FileFormatError(
            f"{path.name} is a transform of version {short_repr(file.metadata[MARK])[1:-1]} and "
            f"this fairvec reads version {VERSION}; upgrade fairvec or fit the method again."
        )
    return file


def parse_header(metadata: Mapping[str, str]) -> TransformHeader:
    """Return the header in the metadata of a file; ValueError names the first fault."""
    try:
        fields = {name: parse_json(text) for name, text in metadata.items() if name != MARK}
        return TransformHeader.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ValueError(
            f"{_field_path(first['loc'])}: {first['msg'].removeprefix('Value error, ')}"
        ) from None


def _field_path(location: tuple[int | str, ...]) -> str:
    return ".".join(
        short_repr(part)[1:-1] if isinstance(part, str) else str(part) for part in location
    )


def _read_move(file: TensorFile, name: str, strength: float) -> Move:
    kinds = {kind.name: kind for kind in MOVES}
    if name not in kinds:
        raise ValueError(f"the move {short_repr(name)[1:-1]} is not known")
    tensors = {tensor: _read_matrix(file, tensor) for tensor in file.entries if tensor != PLACED}
    move = kinds[name].from_tensors(tensors, strength)
    if tensors.keys() != move.tensors().keys() or not move.dimensions:
        raise ValueError(f"the move {name} is not made of {', '.join(map(short_repr, tensors))}")
    return move


def _read_matrix(file: TensorFile, name: str) -> FloatArray:
    # A copy: the file may be written over while the transform lives.
    rows = np.array(file.tensor(name), np.float64)
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise ValueError(f"{name} must be a matrix of finite numbers")
    if rows.size and np.abs(rows).max() > LARGEST:
        raise ValueError(f"{name} has numbers beyond {LARGEST:g}, whose squares overflow")
    return rows

"""Transforms in small safetensors files: arrays and JSON, never pickles."""

import json
from pathlib import Path

import numpy as np

from fairvec.geometry import FloatArray, geometry
from fairvec.ground.disk.places import refuse_to_read
from fairvec.ground.errors import FairvecError, FileFormatError, refusal_of
from fairvec.ground.safetensors_layout import (
    TensorFile,
    begins_like_safetensors,
    open_tensors,
    write_tensors,
)
from fairvec.ground.text.shown_values import shown
from fairvec.mitigation.moves.linear_moves import MOVES, Move
from fairvec.mitigation.transform.file_header import MARK, described
from fairvec.mitigation.transform.fitted import Transform

VERSION = "1"
PLACED = "placed"
LARGEST = 1e150
"""Larger numbers have no squares, and what is moved by them is no point any more."""


def save_transform(transform: Transform, path: str | Path) -> None:
    """Write a transform whole or not at all."""
    tensors = transform.move.tensors()
    if transform.placed:
        tensors[PLACED] = np.array([*transform.placed.values()])
    described = {
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
    text = {name: json.dumps(value, ensure_ascii=False) for name, value in described.items()}
    write_tensors(Path(path), tensors, {MARK: VERSION, **text})


def load_transform(path: str | Path) -> Transform:
    """Return the transform in the file at `path`; one that cannot be applied is refused."""
    file = _opened(Path(path))
    try:
        said = described(file.metadata)
        space = geometry(said.geometry, said.curvature or None)
        move = _move(file, said.move, said.strength)
        places = _matrix(file, PLACED) if said.placed else np.empty((0, move.dimensions))
        if places.shape != (len(said.placed), move.dimensions):
            raise ValueError(f"{len(said.placed)} placed keys have rows of {places.shape}")
        if getattr(move, "c", space.curvature) != space.curvature:
            raise ValueError("the move and the space differ in their curvature")
        space.contains(np.zeros((1, move.dimensions)))  # or they cannot be shared among balls
        return Transform(
            method=said.method,
            settings=said.settings,
            concept=said.concept,
            fitted_on=said.fitted_on,
            guarantees=frozenset(said.guarantees),
            geometry=space,
            move=move,
            lengths=said.lengths,
            unmoved=frozenset(said.unmoved),
            placed=dict(zip(said.placed, places, strict=True)),
            remarks=said.remarks,
        )
    except FileFormatError:
        raise
    except (FairvecError, KeyError, ValueError) as error:
        raise FileFormatError(
            f"{file.path.name} is a damaged transform ({type(error).__name__}: {error}); save it "
            "again."
        ) from error


def _opened(path: Path) -> TensorFile:
    refuse_to_read(path, FileFormatError)
    try:
        with path.open("rb") as start:
            head = start.read(16)
    except OSError as error:
        raise FileFormatError(
            f"{path}: the transform cannot be read ({refusal_of(error)})."
        ) from None
    file = open_tensors(path) if begins_like_safetensors(head) else None
    if file is None or MARK not in file.metadata:
        raise FileFormatError(
            f"{path.name} holds no transform; give a file that save_transform wrote."
        )
    if file.metadata[MARK] != VERSION:
        raise FileFormatError(
            f"{path.name} is a transform of version {shown(file.metadata[MARK])[1:-1]} and this "
            f"fairvec reads version {VERSION}; upgrade fairvec or fit the method again."
        )
    return file


def _move(file: TensorFile, name: str, strength: float) -> Move:
    kinds = {kind.name: kind for kind in MOVES}
    if name not in kinds:
        raise ValueError(f"the move {shown(name)[1:-1]} is not known")
    tensors = {each: _matrix(file, each) for each in file.entries if each != PLACED}
    move = kinds[name].made_of(tensors, strength)
    if tensors.keys() != move.tensors().keys() or not move.dimensions:
        raise ValueError(f"the move {name} is not made of {', '.join(map(shown, tensors))}")
    return move


def _matrix(file: TensorFile, name: str) -> FloatArray:
    # A copy: the file may be written over while the transform lives.
    rows = np.array(file.tensor(name), np.float64)
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise ValueError(f"{name} must be a matrix of finite numbers")
    if rows.size and np.abs(rows).max() > LARGEST:
        raise ValueError(f"{name} has numbers beyond {LARGEST:g}, whose squares overflow")
    return rows

"""A transform's file with any field or array changed is refused when it is read, or works."""

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fairvec.core.errors import FairvecError, FileFormatError
from fairvec.core.io.safetensors import open_tensors, write_tensors
from fairvec.embedding import Embedding
from fairvec.geometry import Poincare
from fairvec.mitigation import PGD, Transform, load_transform, save_transform
from fairvec.mitigation.methods.pgd import PgdExact
from fairvec.mitigation.moves import Move, Projection
from fairvec.mitigation.transform_file import MOVES
from tests.laws.strange_values import STRANGE
from tests.mitigation.every_method import every_method
from tests.mitigation.toys import concept, embedding

Parts = tuple[dict[str, str], dict[str, NDArray[Any]]]


def _ball() -> Embedding:
    flat = embedding()
    return Embedding(flat.keys, np.asarray(flat.vectors) / 10, Poincare(1.0), "ball")


@cache
def fitted() -> dict[type[Move], tuple[Transform, Embedding]]:
    """Return a transform of every kind of move that methods give, and a model that it moves."""
    flat, ball = embedding(), _ball()
    asked = [
        (PGD(), ball),
        (PGD(solver="riemannian-adam", epochs=2), ball),
        *((method, flat) for method in every_method()),
    ]
    found = [(method.fit(model, concept()), model) for method, model in asked]
    return {type(one.move): (one, model) for one, model in reversed(found)}


@cache
def saved(move: type[Move]) -> Parts:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "one.safetensors"
        save_transform(fitted()[move][0], path)
        file = open_tensors(path)
        return dict(file.metadata), {name: np.array(file.tensor(name)) for name in file.entries}


def used(move: type[Move], metadata: dict[str, str], tensors: dict[str, NDArray[Any]]) -> None:
    """Read a file of these parts and move an embedding by it; only fairvec's errors may come."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "one.safetensors"
        write_tensors(path, tensors, metadata)
        try:
            transform = load_transform(path)
            moved = transform.transform(fitted()[move][1])
        except FairvecError:
            return
        assert np.isfinite(moved.vectors).all()
        assert moved.geometry.contains(np.asarray(moved.vectors, np.float64)).all()
        assert moved.history[-1].details["fitted_on"] == list(transform.fitted_on)


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.name)
def test_what_was_saved_is_read_and_moves_as_before(move: type[Move], tmp_path: Path) -> None:
    transform, model = fitted()[move]
    save_transform(transform, tmp_path / "one")
    again = load_transform(tmp_path / "one").transform(model)
    np.testing.assert_array_equal(again.vectors, transform.transform(model).vectors)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(MOVES), st.data())
def test_any_field_may_be_anything(move: type[Move], data: st.DataObject) -> None:
    metadata, tensors = saved(move)
    name = data.draw(st.sampled_from(sorted(metadata)))
    said = data.draw(STRANGE.map(json.dumps) | st.sampled_from(["", "NaN", "1e999", "[" * 10_000]))
    used(move, {**metadata, name: said}, tensors)


NUMBERS = st.sampled_from([np.nan, np.inf, -np.inf, 1e308, -1e200, 1e149, 1e9, -1.0, 0.0, 1e-320])


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(MOVES), st.data())
def test_any_number_may_be_anything(move: type[Move], data: st.DataObject) -> None:
    metadata, tensors = saved(move)
    name = data.draw(st.sampled_from(sorted(tensors)))
    changed = tensors[name].copy()
    if changed.size:
        changed.flat[data.draw(st.integers(0, changed.size - 1))] = data.draw(NUMBERS)
    used(move, metadata, {**tensors, name: changed})


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e200, 0.5])
def test_a_ball_transform_with_a_wrong_number_is_refused_when_it_is_read(
    bad: float, tmp_path: Path
) -> None:
    metadata, tensors = saved(PgdExact)
    path = tmp_path / "ball.safetensors"
    for name, place in (("basis", 0), ("numbers", 1), ("numbers", 0)):
        changed = tensors[name].copy()
        changed.flat[place] = bad if name == "basis" or bad != 0.5 else -bad
        write_tensors(path, {**tensors, name: changed}, metadata)
        with pytest.raises(FileFormatError, match=r"ball\.safetensors is a damaged transform"):
            load_transform(path)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("fitted_on", "5"),
        ("fitted_on", '"he"'),
        ("remarks", '{"left_out": 5}'),
        ("lengths", '"long"'),
        ("unmoved", '[["he"]]'),
        ("curvature", "-1"),
        ("curvature", '"1"x'),
        ("settings", '{"strength": true}'),
        ("settings", '{"strength": 1, "strength": 0}'),
        ("geometry", '"poincare-x7"'),
        ("further", "1"),
        ("guarantees", "null"),
        ("method", "\ud800".encode("unicode_escape").decode().join('""')),
    ],
)
def test_a_field_of_another_type_is_named(field: str, said: str, tmp_path: Path) -> None:
    metadata, tensors = saved(PgdExact)
    write_tensors(tmp_path / "one.safetensors", tensors, {**metadata, field: said})
    with pytest.raises(FileFormatError, match=r"one\.safetensors is a damaged transform"):
        load_transform(tmp_path / "one.safetensors")


def test_arrays_that_the_move_does_not_know_are_refused(tmp_path: Path) -> None:
    metadata, tensors = saved(Projection)
    write_tensors(tmp_path / "one", {**tensors, "more": np.ones((1, 1))}, metadata)
    with pytest.raises(FileFormatError, match="is not made of"):
        load_transform(tmp_path / "one")

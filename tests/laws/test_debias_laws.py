"""Laws of every registered debiasing method, in every geometry."""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from fairvec.debias import (
    DEBIASERS,
    GUARANTEES,
    LPSG,
    Debiaser,
    HardDebiasing,
    LinearProjection,
    Transform,
    load_transform,
    save_transform,
)
from fairvec.embedding import Embedding
from fairvec.geometry import GEOMETRIES, Euclidean, Geometry, Poincare
from fairvec.lexicon import ConceptWords
from tests.debias.toys import concept, embedding

SPACES: list[Geometry] = [Euclidean(), Poincare(), Poincare(2.5)]
METHODS: list[Debiaser] = [
    LinearProjection(),
    LinearProjection(direction="two-means", lengths="kept"),
    LinearProjection(direction="svm", moves="neutral"),
    LinearProjection(raw=True),
    HardDebiasing(),
    HardDebiasing(k=3, lengths="free"),
    HardDebiasing(k=2, lengths="kept"),
    LPSG(),
    LPSG(keep=("verbs",), moves="neutral"),
    LPSG(convention="as-computed", lengths="kept"),
]
every_space = pytest.mark.parametrize("space", SPACES, ids=repr)
every_method = pytest.mark.parametrize("method", METHODS, ids=repr)


def moved(transform: Transform, model: Embedding) -> list[str]:
    return [key for key in model.keys if key not in transform.unmoved | transform.placed.keys()]


def direction_removed(before: Embedding, after: Embedding, transform: Transform) -> bool:
    rows = after.rows(moved(transform, after))
    along = rows @ transform.move.tensors()["basis"].T
    return bool((np.abs(along) < 1e-12 * np.linalg.norm(rows, axis=1)[:, None] + 1e-15).all())


def pairs_equidistant(before: Embedding, after: Embedding, transform: Transform) -> bool:
    pairs = ConceptWords(concept(), before).pairs(concept().equalise).pairs
    assert len(pairs) == 2
    a, b = (after.rows([pair[side] for pair in pairs]) for side in (0, 1))
    neutral = after.rows(moved(transform, after))
    apart = after.geometry.distances(neutral, a) - after.geometry.distances(neutral, b)
    return bool((np.abs(apart) < 1e-6).all())


def kept_untouched(before: Embedding, after: Embedding, transform: Transform) -> bool:
    rows = before.rows(["goes-m", "goes-f", "sees-m", "sees-f", "eats-m", "eats-f"])
    units = rows / np.linalg.norm(rows, axis=1)[:, None]
    verbs = np.linalg.svd(units[::2] - units[1::2])[2][0]
    return bool(np.allclose(before.vectors @ verbs, after.vectors @ verbs, atol=1e-12))


def idempotent(before: Embedding, after: Embedding, transform: Transform) -> bool:
    again = transform.transform(after)
    return bool(np.allclose(again.vectors, after.vectors, rtol=1e-9, atol=1e-12))


def norm_kept(before: Embedding, after: Embedding, transform: Transform) -> bool:
    was, now = (np.linalg.norm(each.vectors, axis=1) for each in (before, after))
    return bool(np.allclose(was, now, rtol=1e-12))


CHECKS: dict[str, Callable[[Embedding, Embedding, Transform], bool]] = {
    "direction-removed": direction_removed,
    "pairs-equidistant": pairs_equidistant,
    "kept-directions-untouched": kept_untouched,
    "idempotent": idempotent,
    "norm-kept": norm_kept,
}


def test_every_method_geometry_and_guarantee_is_under_law() -> None:
    assert {type(method) for method in METHODS} == set(DEBIASERS)
    assert {type(space) for space in SPACES} == set(GEOMETRIES)
    declared = {
        name for method in METHODS for name in method.fit(embedding(), concept()).guarantees
    }
    assert declared == set(GUARANTEES) == set(CHECKS)
    assert len({method.name for method in DEBIASERS}) == len(DEBIASERS)


@every_space
@every_method
def test_what_is_declared_holds(method: Debiaser, space: Geometry) -> None:
    before = embedding(space)
    transform = method.fit(before, concept())
    after = transform.transform(before)
    for name in transform.guarantees:
        assert CHECKS[name](before, after, transform), name


@every_space
@every_method
def test_and_did_not_hold_before(method: Debiaser, space: Geometry) -> None:
    before = embedding(space)
    transform = method.fit(before, concept())
    for name in transform.guarantees & {"direction-removed", "pairs-equidistant"}:
        assert not CHECKS[name](before, before, transform), name


@pytest.mark.parametrize(
    ("method", "name"),
    [
        (LinearProjection(), "norm-kept"),
        (LinearProjection(), "kept-directions-untouched"),
        (LPSG(convention="as-computed", keep=("verbs", "things")), "kept-directions-untouched"),
        (LinearProjection(strength=0.5), "idempotent"),
        (LinearProjection(strength=0.5), "direction-removed"),
        (HardDebiasing(strength=0.5), "pairs-equidistant"),
    ],
)
def test_what_is_not_declared_need_not_hold(method: Debiaser, name: str) -> None:
    before = embedding()
    transform = method.fit(before, concept())
    assert name not in transform.guarantees
    assert not CHECKS[name](before, transform.transform(before), transform)


@every_space
@every_method
def test_the_input_is_untouched_and_the_output_is_an_embedding(
    method: Debiaser, space: Geometry
) -> None:
    before = embedding(space)
    copy = before.vectors.copy()
    transform = method.fit(before, concept())
    after = transform.transform(before)
    np.testing.assert_array_equal(before.vectors, copy)
    assert after.keys == before.keys
    assert after.geometry == space
    assert space.contains(np.asarray(after.vectors, np.float64)).all()
    assert not np.shares_memory(after.vectors, before.vectors)
    assert before.history == ()
    (step,) = after.history
    assert step.details["method"] == method.name
    assert step.details["concept"] == "en/gender:pairs"
    assert set(transform.fitted_on) <= set(before.keys)
    stored = [key for key in before.keys if key in transform.unmoved]
    if transform.lengths != "unit":
        np.testing.assert_array_equal(after.rows(stored), before.rows(stored))


@every_space
@every_method
def test_no_strength_is_no_change(method: Debiaser, space: Geometry) -> None:
    before = embedding(space)
    idle = replace(method, strength=0.0)  # type: ignore[type-var]
    transform = idle.fit(before, concept())
    expected = np.asarray(before.vectors)
    if transform.lengths == "unit":
        expected = expected / np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(
        transform.transform(before).vectors, expected, rtol=1e-12, atol=1e-14
    )


@every_space
@every_method
def test_more_strength_leaves_less(method: Debiaser, space: Geometry) -> None:
    before = embedding(space)
    left = []
    for strength in (0.0, 0.3, 0.7, 1.0):
        transform = replace(method, strength=strength).fit(before, concept())  # type: ignore[type-var]
        after = transform.transform(before).rows(moved(transform, before))
        left.append(float(np.abs(after @ transform.move.tensors()["basis"].T).sum()))
    assert left == sorted(left, reverse=True)
    assert left[-1] < 1e-12 < left[0]


@every_space
@every_method
def test_blocks_and_arrays_of_the_callers_equal_the_whole(
    method: Debiaser, space: Geometry
) -> None:
    before = embedding(space)
    transform = method.fit(before, concept())
    whole = transform.transform(before).vectors
    parts = [
        transform.apply(before.vectors[some], before.keys[some])
        for some in (slice(0, 1), slice(1, 17), slice(17, None))
    ]
    np.testing.assert_allclose(np.concatenate(parts), whole, rtol=1e-12, atol=1e-15)
    out = np.empty(before.vectors.shape)
    answer = transform.into(before, out)
    np.testing.assert_array_equal(out, whole)
    assert np.shares_memory(answer.vectors, out)


@every_space
@every_method
def test_a_saved_transform_is_the_same_one(
    method: Debiaser, space: Geometry, tmp_path: Path
) -> None:
    before = embedding(space)
    transform = method.fit(before, concept())
    save_transform(transform, tmp_path / "gender.safetensors")
    loaded = load_transform(tmp_path / "gender.safetensors")
    np.testing.assert_array_equal(
        loaded.transform(before).vectors, transform.transform(before).vectors
    )
    for field in fields(Transform):
        if field.name not in ("move", "placed", "settings", "remarks"):
            assert getattr(loaded, field.name) == getattr(transform, field.name), field.name
    assert loaded.step.details.keys() == transform.step.details.keys()
    assert str(loaded.step) == str(transform.step)


@every_method
def test_single_floats_give_what_double_floats_give(method: Debiaser) -> None:
    wide, narrow = (embedding(Poincare(), dtype=kind) for kind in ("float64", "float32"))
    answers = [method.fit(model, concept()).transform(model) for model in (wide, narrow)]
    assert answers[1].vectors.dtype == np.float32
    np.testing.assert_allclose(answers[0].vectors, answers[1].vectors, atol=2e-5)

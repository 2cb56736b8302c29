"""Laws of every registered debiasing method, in every geometry."""

from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from fairvec.embedding import Embedding
from fairvec.geometry import GEOMETRIES, Euclidean, Geometry, Poincare, ProductOfBalls
from fairvec.lexicon import Word
from fairvec.mitigation import (
    DEBIASERS,
    GUARANTEES,
    INLP,
    LEACE,
    LPSG,
    PGD,
    RAN,
    ConceptorNegation,
    Debiaser,
    DoubleHard,
    HalfSibling,
    HardDebiasing,
    LinearProjection,
    MultiClassHard,
    OSCaR,
    Transform,
    load_transform,
    save_transform,
)
from fairvec.mitigation.moves.linear_moves import MOVES
from fairvec.mitigation.words.directions import vectors
from tests.laws.guarantees import CHECKS
from tests.mitigation.toys import NEUTRAL, concept, embedding

SPACES: list[Geometry] = [Euclidean(), Poincare(), Poincare(2.5), ProductOfBalls(5)]
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
    INLP(each=50),
    INLP(words="defining", iterations=1),
    LEACE(each=50),
    LEACE(words="defining"),
    OSCaR(against="things"),
    ConceptorNegation(),
    HalfSibling(alpha=1.0),
    MultiClassHard(),
    DoubleHard(components=2),
    DoubleHard(k=2, lengths="kept", components=1),
    RAN(neighbours=5),
    PGD(),
    PGD(weights=(0.9, 0.1)),
    PGD(solver="riemannian-adam"),
]
ONLY_IN_THE_BALL = METHODS[-1:]
CASES = [
    (method, space)
    for method in METHODS
    for space in SPACES
    if isinstance(space, Poincare) or method not in ONLY_IN_THE_BALL
]
everywhere = pytest.mark.parametrize(("method", "space"), CASES, ids=repr)
every_method = pytest.mark.parametrize("method", METHODS, ids=repr)


def test_every_method_geometry_and_guarantee_is_under_law() -> None:
    assert {type(method) for method in METHODS} == set(DEBIASERS)
    assert {type(space) for space in SPACES} == set(GEOMETRIES)
    fitted = [method.fit(embedding(space), concept()) for method, space in CASES]
    assert {type(transform.move) for transform in fitted} == set(MOVES)
    declared = {name for transform in fitted for name in transform.guarantees}
    assert declared == set(GUARANTEES) == set(CHECKS)
    assert len({method.name for method in DEBIASERS}) == len(DEBIASERS)


@everywhere
def test_what_is_declared_holds(method: Debiaser, space: Geometry) -> None:
    before = embedding(space)
    transform = method.fit(before, concept())
    after = transform.transform(before)
    for name in transform.guarantees:
        assert CHECKS[name](before, after, transform), name


@everywhere
def test_and_did_not_hold_before(method: Debiaser, space: Geometry) -> None:
    before = embedding(space)
    transform = method.fit(before, concept())
    for name in transform.guarantees & {
        "direction-removed",
        "pairs-equidistant",
        "not-linearly-readable",
    }:
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
        (LEACE(each=50, strength=0.5), "not-linearly-readable"),
        (INLP(each=50, strength=0.5), "not-linearly-readable"),
        (OSCaR(against="things"), "idempotent"),
        (HalfSibling(alpha=1.0), "idempotent"),
    ],
)
def test_what_is_not_declared_need_not_hold(method: Debiaser, name: str) -> None:
    before = embedding()
    transform = method.fit(before, concept())
    assert name not in transform.guarantees
    assert not CHECKS[name](before, transform.transform(before), transform)


@everywhere
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


@everywhere
def test_nothing_is_learnt_from_words_that_are_held_out(method: Debiaser, space: Geometry) -> None:
    before = embedding(space)
    tested = ["king", "queen", "uncle", "bride", *NEUTRAL[:20]]
    words = [Word(word=key) for key in tested]
    known = method.fit(before, concept().without(words))
    assert known.fitted_on
    assert not {*known.fitted_on} & {*tested}
    # What they look like makes no difference to where the others go.
    vectors = np.array(before.vectors)
    rows = [before.positions[key] for key in tested]
    vectors[rows] = 0.9 * vectors[rows][::-1]
    other = Embedding(before.keys, vectors, space, "other")
    unknown = method.fit(other, concept().without(words))
    rest = [key for key in before.keys if key not in tested]
    if not isinstance(method, RAN | DoubleHard):  # these look at the whole space around a word
        np.testing.assert_allclose(
            unknown.apply(before.rows(rest), rest), known.apply(before.rows(rest), rest), atol=1e-12
        )


@everywhere
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


@everywhere
def test_more_strength_comes_nearer_to_the_whole_method(method: Debiaser, space: Geometry) -> None:
    before = embedding(space)
    ends = []
    for strength in (0.0, 0.3, 0.7, 1.0):
        transform = replace(method, strength=strength).fit(before, concept())  # type: ignore[type-var]
        after = transform.transform(before)
        ends.append(vectors(after, after.keys, raw=True))
    left = [float(np.linalg.norm(end - ends[-1])) for end in ends]
    assert all(more > 1.05 * less for more, less in pairwise(left))


@everywhere
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


@everywhere
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

"""Words that become no number, or lie where floats end, are told and never looped over."""

from dataclasses import replace

import numpy as np
import pytest

from fairvec.core.errors import FairvecError, GeometryError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import Geometry, Poincare, ProductOfBalls
from fairvec.mitigation import PGD, HardDebiasing, LinearProjection
from fairvec.mitigation import concept_direction as directions
from fairvec.mitigation import transform as fitted
from fairvec.mitigation.moves import Projection
from fairvec.mitigation.transform import pull_inside
from tests.limits import outcome
from tests.mitigation.toys import concept, embedding

HANGING = """
import numpy as np
from fairvec.geometry import Poincare
from fairvec.core.errors import GeometryError
from fairvec.mitigation.transform import pull_inside
try:
    pull_inside(np.array([[0.1, 0.2], [np.nan, 0.0]]), Poincare())
except GeometryError as error:
    print(error)
"""


def test_nan_in_the_ball_ends() -> None:
    said = outcome(HANGING, seconds=40)
    assert said.startswith("A word would move to NaN or infinity")


@pytest.mark.parametrize("space", [Poincare(), ProductOfBalls(5)], ids=lambda space: space.name)
def test_a_damaged_transform_is_told(space: Geometry) -> None:
    model = embedding(space)
    sound = LinearProjection().fit(model, concept())
    for number in (np.nan, np.inf):
        basis = np.full((1, model.dimensions), number)
        damaged = replace(sound, move=Projection(basis, 1.0))
        with pytest.raises(FairvecError):
            damaged.transform(model)


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
@pytest.mark.parametrize("c", [1.0, 1e-3, 1e9, 1e90])
def test_points_past_the_border_come_inside_whatever_they_are_stored_as(
    kind: str, c: float
) -> None:
    ball = Poincare(c)
    rows = (np.array([[1.0, 0.0], [0.8, 0.7], [0.1, 0.0]]) * ball.radius).astype(kind)
    before = rows.copy()
    pull_inside(rows, ball)
    assert ball.contains(rows.astype(np.float64)).all()
    inside = ball.contains(before.astype(np.float64))
    np.testing.assert_array_equal(rows[inside], before[inside])


def test_a_word_that_leaves_single_floats_is_named() -> None:
    model = embedding(dtype="float32")
    transform = LinearProjection().fit(model, concept())
    turn = replace(transform, move=Projection(np.full((1, model.dimensions), 2.0), 1.0))
    vectors = np.array(model.vectors)
    vectors[-1] = 3e38
    with pytest.raises(UndefinedError, match=rf"{model.keys[-1]!r} has the longest .* multiply"):
        turn.transform(Embedding(model.keys, vectors))


@pytest.mark.parametrize("lengths", ["free", "kept"])
@pytest.mark.parametrize("power", [-660, 600])
def test_a_projection_does_not_depend_on_the_unit(
    lengths: str, power: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = embedding()
    method = LinearProjection(lengths=lengths)  # type: ignore[arg-type]
    wanted = method.fit(model, concept()).transform(model).vectors
    scaled = Embedding(model.keys, np.ldexp(np.asarray(model.vectors), power))
    transform = method.fit(scaled, concept())
    for least in (fitted.WORTH_COMPILING, 0):  # in blocks, and by the compiled loop
        monkeypatch.setattr(fitted, "WORTH_COMPILING", least)
        found = np.ldexp(np.asarray(transform.transform(scaled).vectors), -power)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("power", [-660, 600])
def test_balancing_does_not_depend_on_the_unit(power: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model = embedding()
    wanted = PGD().fit(model, concept()).transform(model).vectors
    scaled = Embedding(model.keys, np.ldexp(np.asarray(model.vectors), power))
    transform = PGD().fit(scaled, concept())
    for least in (fitted.WORTH_COMPILING, 0):
        monkeypatch.setattr(fitted, "WORTH_COMPILING", least)
        found = np.ldexp(np.asarray(transform.transform(scaled).vectors), -power)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def test_words_beside_the_origin_stay_where_adam_cannot_see_them() -> None:
    model = embedding(Poincare())
    vectors = np.array(model.vectors)
    vectors[-3:] *= 1e-200
    near = Embedding(model.keys, vectors, Poincare())
    after = PGD(solver="riemannian-adam").fit(near, concept()).transform(near).vectors
    np.testing.assert_allclose(after[-3:], vectors[-3:], rtol=1e-9)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_a_method_that_learns_from_lengths_says_what_to_do(size: float) -> None:
    model = embedding()
    scaled = Embedding(model.keys, np.asarray(model.vectors) * size, name="odd")
    with pytest.raises(UndefinedError, match=r"vectors of odd .* multiply all vectors by one num"):
        HardDebiasing().fit(scaled, concept())


def test_a_word_without_a_direction_is_named() -> None:
    model = embedding()
    rows = np.array(model.vectors)
    rows[1] = 0
    with pytest.raises(UndefinedError, match=f"'{model.keys[1]}' has length zero"):
        directions.tangent_vectors(Embedding(model.keys, rows), model.keys[:3])


def test_a_plane_that_is_not_found_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = np.random.default_rng(0).normal(size=(2, 12, 6)) * 1e12
    monkeypatch.setattr(directions, "MOST_STEPS", 10_000)
    with pytest.raises(UndefinedError, match="10,000 steps"):
        directions.svm_normal(a, b)


def test_geometry_is_asked_before_shrinking() -> None:
    with pytest.raises(GeometryError, match="NaN or infinity"):
        pull_inside(np.array([[np.inf, 0.0]]), Poincare())

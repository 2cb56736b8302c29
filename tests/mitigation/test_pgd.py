from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import (
    FileFormatError,
    GeometryError,
    LexiconError,
    SettingError,
    UndefinedError,
)
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, FloatArray, Geometry, Poincare, ProductOfBalls
from fairvec.lexicon import concept as concept_named
from fairvec.mitigation import Transform
from fairvec.mitigation import transform as transform_module
from fairvec.mitigation.methods.pgd import PGD, PgdWeights, objective
from tests.mitigation.toys import NEUTRAL, concept, embedding


def gyrocosine_bias(model: Embedding, keys: list[str], axis: FloatArray) -> FloatArray:
    rows = model.rows(keys)
    bias: FloatArray = rows @ axis / (2 * np.linalg.norm(rows, axis=1))
    return bias


def axis_of(transform: Transform) -> FloatArray:
    tensors = transform.move.tensors()
    axis: FloatArray = tensors["numbers"][0, 0] * tensors["basis"][0]
    return axis


@pytest.mark.parametrize("c", [1.0, 2.5])
def test_neutral_words_lose_their_bias_and_specific_words_stay(c: float) -> None:
    before = embedding(Poincare(c))
    transform = PGD().fit(before, concept())
    after = transform.transform(before)
    axis = axis_of(transform)
    assert np.abs(gyrocosine_bias(before, NEUTRAL, axis)).max() > 0.1
    assert np.abs(gyrocosine_bias(after, NEUTRAL, axis)).max() < 1e-14
    kept = ["man", "woman", "uncle", "aunt", "beard", "bride"]
    np.testing.assert_array_equal(after.rows(kept), before.rows(kept))
    origin = np.zeros((1, 10))
    np.testing.assert_allclose(
        before.geometry.distances(before.rows(NEUTRAL), origin),
        after.geometry.distances(after.rows(NEUTRAL), origin),
        rtol=1e-12,
    )


def test_male_words_lean_the_one_way_and_female_words_the_other() -> None:
    model = embedding(Poincare())
    axis = axis_of(PGD().fit(model, concept()))
    assert (gyrocosine_bias(model, ["man", "boy", "he", "son"], axis) < 0).all()
    assert (gyrocosine_bias(model, ["woman", "girl", "she", "daughter"], axis) > 0).all()


@pytest.mark.parametrize("weights", [(0.5, 0.5), (0.9, 0.1), (0.2, 0.8)])
def test_the_exact_objective_is_never_above_the_optimisers(weights: tuple[float, float]) -> None:
    before = embedding(Poincare())
    start = before.rows(NEUTRAL)
    left = {}
    for solver in ("exact", "riemannian-adam"):
        transform = PGD(weights=weights, solver=solver).fit(before, concept())
        rows = transform.transform(before).rows(NEUTRAL)
        left[solver] = objective(rows, start, axis_of(transform), PgdWeights(*weights))
    assert (left["exact"] <= left["riemannian-adam"] + 1e-15).all()
    assert (left["exact"] < left["riemannian-adam"] - 1e-9).any()


def test_many_epochs_bring_most_words_to_the_exact_answer() -> None:
    """Those near the border move too slowly ever to get there."""
    before = embedding(Poincare())
    exact = PGD().fit(before, concept()).transform(before).rows(NEUTRAL)
    patient = PGD(solver="riemannian-adam", epochs=20_000, rate=1e-4)
    reached = patient.fit(before, concept()).transform(before).rows(NEUTRAL)
    units = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (exact, reached))
    assert np.median(np.abs(np.subtract(*units))) < 1e-5


def test_in_flat_space_it_is_a_projection_along_the_difference_of_the_means() -> None:
    before = embedding()
    rows = PGD().fit(before, concept()).transform(before).rows(NEUTRAL)
    male, female = (
        before.rows([pair[side] for pair in (("man", "woman"), ("boy", "girl"), ("he", "she"),
                     ("son", "daughter"), ("king", "queen"))]).mean(axis=0)
        for side in (0, 1)
    )  # fmt: skip
    axis = (male - female) / np.linalg.norm(male - female)
    start = before.rows(NEUTRAL)
    expected = start - np.outer(start @ axis, axis)
    lengths = np.linalg.norm(start, axis=1) / np.linalg.norm(expected, axis=1)
    np.testing.assert_allclose(rows, expected * lengths[:, None], atol=1e-14)


def test_a_word_on_the_axis_or_at_the_origin_is_left_and_said() -> None:
    model = embedding(Poincare())
    axis = axis_of(PGD().fit(model, concept()))
    rows = np.vstack([model.vectors, 0.4 * axis / np.linalg.norm(axis), np.zeros(10)])
    more = Embedding([*model.keys, "parallel", "nothing"], rows, Poincare(), "more")
    transform = PGD().fit(more, concept())
    assert transform.remarks["no_direction_left"] == ("nothing", "parallel")
    after = transform.transform(more)
    np.testing.assert_array_equal(after.vectors[-2:], rows[-2:])


@pytest.mark.parametrize("weights", [(0.5, 0.6), (-0.1, 1.1), (1.0,), (0.3, 0.3, 0.4)])
def test_weights_must_add_up(weights: tuple[float, float]) -> None:
    with pytest.raises(SettingError, match="add up to 1"):
        PGD(weights=weights)


def test_what_cannot_be_done_is_said() -> None:
    ball = embedding(Poincare())
    for space in (Euclidean(), ProductOfBalls(5)):
        with pytest.raises(GeometryError, match=f"is {space.name}; use"):
            PGD(solver="riemannian-adam").fit(embedding(space), concept())
    with pytest.raises(SettingError, match="epochs is 0; it must be 1 or more"):
        PGD(epochs=0)
    with pytest.raises(SettingError, match="rate is nan; it must be a finite"):
        PGD(rate=np.nan)
    with pytest.raises(SettingError, match=r"weights is .*nan.*each be a finite number"):
        PGD(weights=(np.nan, np.nan))
    with pytest.raises(LexiconError, match="him, her, his, hers"):
        PGD().fit(ball, concept("half-known"))
    few = ["man", "woman", "he", "she"]
    with pytest.raises(UndefinedError, match="none is left to move"):
        PGD().fit(Embedding(few, ball.rows(few), Poincare(), "few"), concept())
    same = np.tile(ball.rows(["man"]), (4, 1))
    with pytest.raises(UndefinedError, match="centres of the two lists coincide"):
        PGD().fit(Embedding(few, same, Poincare(), "same"), concept())


def test_settings_are_stored_and_nothing_else_happens() -> None:
    assert replace(PGD(), strength=0.5) == PGD(strength=0.5)


def test_the_real_poincare_model(shared_data: Path) -> None:
    """Engineer about -.22 and nurse +.22 before; what the optimiser leaves, the minimum takes."""
    folder = shared_data / "emb_glove_and_poincare_glove_en"
    model = fairvec.load(folder / "poincare_glove_enwiki2_50k_100d.npz", geometry="poincare")
    words = ["engineer", "nurse"]
    exact, published = (
        PGD(solver=solver).fit(model, concept_named("en/gender"))
        for solver in ("exact", "riemannian-adam")
    )
    axis = axis_of(exact)
    was = gyrocosine_bias(model, words, axis)
    np.testing.assert_allclose(was, [-0.2204, 0.2171], atol=5e-5)
    some = Embedding(words, model.rows(words), model.geometry, "some")
    now = gyrocosine_bias(exact.transform(some), words, axis)
    assert np.abs(now).max() < 1e-14
    halfway = gyrocosine_bias(published.transform(some), words, axis)
    np.testing.assert_allclose(halfway, [-0.13996, 0.11552], atol=5e-5)


@pytest.mark.parametrize("space", [Poincare(), Euclidean()], ids=repr)
def test_the_compiled_loop_moves_whole_embeddings_alike(
    space: Geometry, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = embedding(space)
    transform = PGD().fit(before, concept())
    by_numpy = transform.transform(before).vectors
    monkeypatch.setattr(transform_module, "WORTH_COMPILING", 1)
    np.testing.assert_allclose(transform.transform(before).vectors, by_numpy, atol=1e-14)
    broken = np.array(before.vectors)
    broken[7] = 2.0 if space.curvature else np.inf
    with pytest.raises(FileFormatError, match=repr(before.keys[7])):
        transform.transform(Embedding(before.keys, broken, space, "broken"))

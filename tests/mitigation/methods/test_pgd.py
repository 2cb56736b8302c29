"""PGD in the ball descends to the optimum of its loss, by either solver."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from fairvec.mitigation.kernels import balance_rows, descend
from fairvec.mitigation.methods.pgd import (
    PGD,
    PgdWeights,
    Solver,
    adam_mean,
    minimum,
    objective,
    objectives,
    out_of_plane,
    plane,
)
from fairvec.mitigation.methods.projection import LinearProjection
from fairvec.testing.planted import NEUTRAL
from tests.geometry.riemannian_adam import riemannian_adam, riemannian_adam_mean
from tests.loops import loop_over
from tests.mitigation.toys import concept, embedding

# --- pgd ---


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


def test_the_published_means_are_where_the_optimiser_arrives() -> None:
    """Its formulas by other code, in six dimensions and several curvatures."""
    random = np.random.default_rng(4)
    for c in (0.5, 1.0, 2.0):
        points = random.uniform(-0.3, 0.3, size=(7, 6)) / np.sqrt(c)
        ours = adam_mean(points, c=c, rate=3e-4, epochs=350)
        theirs = riemannian_adam_mean(points, c=c).point
        np.testing.assert_allclose(ours, theirs, atol=1e-13)


def test_means_as_published_turn_the_axis_and_many_steps_turn_it_back() -> None:
    """On the shipped ball by less than two degrees."""
    model, gender = fairvec.load("poincare-glove-en-small"), concept_named("en/gender")
    exact, published = (
        axis_of(PGD(means=means).fit(model, gender)) for means in ("exact", "riemannian-adam")
    )
    cosine = exact @ published / np.linalg.norm(exact) / np.linalg.norm(published)
    assert 0.1 < np.degrees(np.arccos(cosine)) < 2
    toy = embedding(Poincare())
    exact, patient = (
        axis_of(PGD(means=means, rate=1e-3, epochs=4000).fit(toy, concept()))
        for means in ("exact", "riemannian-adam")
    )
    np.testing.assert_allclose(patient, exact, atol=1e-6)


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


def test_a_word_on_the_axis_or_at_the_origin_is_left_and_reported() -> None:
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


def test_what_cannot_be_done_is_reported() -> None:
    ball = embedding(Poincare())
    for space in (Euclidean(), ProductOfBalls(5)):
        with pytest.raises(GeometryError, match=f"is {space.name}; use"):
            PGD(solver="riemannian-adam").fit(embedding(space), concept())
        with pytest.raises(GeometryError, match="means='exact'"):
            PGD(means="riemannian-adam").fit(embedding(space), concept())
    for epochs in (0, 100_001):
        with pytest.raises(SettingError, match=f"epochs is {epochs}; it must lie between 1 and 10"):
            PGD(epochs=epochs)
    for rate in (0.0, 1000.5):  # no file of a transform with a larger one is read
        with pytest.raises(SettingError, match=f"rate is {rate}; it must lie between 0 and 1000, "):
            PGD(rate=rate)
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


# --- The objective word by word, beside the formula of the paper ---


@pytest.mark.parametrize("solver", ["exact", "riemannian-adam"])
def test_it_is_the_papers_sum_of_two_angles(solver: Solver) -> None:
    model = embedding(Poincare(2.0))
    transform = PGD((0.7, 0.3), solver).fit(model, concept())
    found = objectives(transform, model)
    assert {*found.keys} == {*model.keys} - transform.unmoved >= {*NEUTRAL}
    after = transform.transform(model)
    h = transform.move.tensors()["numbers"][0, 0] * transform.move.tensors()["basis"][0]
    for row in (0, 7, len(found.keys) - 1):
        w, moved = (each.rows([found.keys[row]])[0] for each in (model, after))
        a, u = w / np.linalg.norm(w), moved / np.linalg.norm(moved)
        assert found.before[row] == pytest.approx(0.3 * abs(a @ h) / 2)
        assert found.after[row] == pytest.approx(0.7 * (1 - u @ a) / 2 + 0.3 * abs(u @ h) / 2)


@pytest.mark.parametrize("space", [Poincare(), Poincare(0.4), ProductOfBalls(5)], ids=repr)
def test_it_falls_for_every_word(space: Geometry) -> None:
    model = embedding(space)
    found = objectives(PGD().fit(model, concept()), model)
    assert (found.after <= found.before + 1e-15).all()
    assert found.after.mean() < found.before.mean() / 2


def test_a_transform_says_its_objective() -> None:
    model = embedding(Poincare())
    transform = PGD().fit(model, concept())
    found = objectives(transform, model)
    (message,) = transform.remarks["objective"]
    assert message == found.summary
    most = found.keys[int(found.after.argmax())]
    assert f"over {len(found.keys)} words" in message
    assert f"at most ({most})" in message
    assert message.startswith(
        f"{found.before.mean():.4g} before and {found.after.mean():.4g} after"
    )


def test_other_methods_have_no_such_objective() -> None:
    model = embedding()
    transform = LinearProjection().fit(model, concept())
    with pytest.raises(SettingError, match="fit the method pgd"):
        objectives(transform, model)


# --- The minimum of the objective, against the objective itself ---


def points(seed: int, rows: int = 12, columns: int = 6) -> tuple[FloatArray, FloatArray]:
    noise = np.random.default_rng(seed)
    axis = noise.normal(size=columns)
    return noise.normal(size=(rows, columns)) * 0.3, axis * noise.uniform(1.5, 2) / np.sqrt(
        axis @ axis
    )


def straight_from_the_paper(
    after: FloatArray, before: FloatArray, h: FloatArray, stay: float
) -> list[float]:
    found = []
    for u, a in zip(after, before, strict=True):
        alike = u @ a / np.sqrt((u @ u) * (a @ a))
        found.append(stay * abs(alike - 1) / 2 + (1 - stay) * abs(u @ h / np.sqrt(u @ u)) / 2)
    return found


@given(st.integers(0, 10_000), st.floats(0.01, 0.99))
def test_no_other_direction_is_better(seed: int, stay: float) -> None:
    before, axis = points(seed)
    weights = PgdWeights(stay, 1 - stay)
    best = minimum(before, axis, weights)
    least = objective(best, before, axis, weights)
    np.testing.assert_allclose(
        least, straight_from_the_paper(best, before, axis, stay), rtol=1e-9, atol=1e-12
    )
    noise = np.random.default_rng(seed)
    for reach in (1e-6, 1e-3, 0.1, 1.0):
        other = best + reach * noise.normal(size=best.shape)
        assert (objective(other, before, axis, weights) >= least - 1e-12).all()
    assert (objective(before, before, axis, weights) >= least - 1e-15).all()


@given(st.integers(0, 10_000))
def test_at_equal_weights_no_bias_is_left_and_lengths_are_kept(seed: int) -> None:
    before, axis = points(seed)
    after = minimum(before, axis, PgdWeights(0.5, 0.5))
    assert np.abs(after @ axis).max() < 1e-14
    np.testing.assert_allclose(np.linalg.norm(after, axis=1), np.linalg.norm(before, axis=1))


def test_a_word_that_prefers_to_stay_gives_up_only_some_of_its_bias() -> None:
    before = np.array([[0.8, 0.6]])
    axis = np.array([2.0, 0.0])
    after = minimum(before, axis, PgdWeights(0.9, 0.1))
    # l1 a - l2 h = (0.72 - 0.2, 0.54), brought to length one.
    np.testing.assert_allclose(after, np.array([[0.52, 0.54]]) / np.hypot(0.52, 0.54))


def test_the_origin_and_words_on_the_axis_stay() -> None:
    axis = np.array([0.0, 1.9, 0.0])
    before = np.array([[0.0, 0.0, 0.0], [0.0, -0.4, 0.0], [0.1, 0.2, 0.0]])
    after = minimum(before, axis, PgdWeights(0.5, 0.5))
    np.testing.assert_array_equal(after[:2], before[:2])
    assert after[2] == pytest.approx([np.sqrt(0.05), 0, 0])


@given(st.integers(0, 10_000))
def test_the_plane_and_back_is_where_one_was(seed: int) -> None:
    before, axis = points(seed)
    spread = plane(before, axis)
    np.testing.assert_allclose(out_of_plane(spread.points, axis, spread.axes), before, atol=1e-15)


# --- The path of Riemannian Adam in two dimensions, against the same path in all of them ---


@pytest.mark.parametrize("c", [1.0, 2.5])
@pytest.mark.parametrize("epochs", [1, 2, 350])
@pytest.mark.parametrize("stay", [0.5, 0.9])
def test_the_path_never_leaves_the_plane(c: float, epochs: int, stay: float) -> None:
    noise = np.random.default_rng(7)
    start = noise.normal(size=(60, 5))
    start *= (noise.uniform(0.05, 0.97, 60) / np.linalg.norm(start, axis=1) / np.sqrt(c))[:, None]
    axis = noise.normal(size=5)
    axis *= 1.98 / np.linalg.norm(axis)
    home = start / np.linalg.norm(start, axis=1, keepdims=True)

    def gradient(points: FloatArray) -> FloatArray:
        lengths = np.linalg.norm(points, axis=1, keepdims=True)
        u = points / lengths
        pull = -stay / 2 * home + (1 - stay) / 2 * np.sign(u @ axis)[:, None] * axis
        across: FloatArray = (pull - (pull * u).sum(axis=1, keepdims=True) * u) / lengths
        return across

    everywhere = riemannian_adam(start, gradient, c=c, lr=3e-4, steps=epochs)
    spread = plane(start, axis)
    flat = spread.points
    descend(flat, 1.98, PgdWeights(stay, 1 - stay), c=c, rate=3e-4, epochs=epochs)
    np.testing.assert_allclose(out_of_plane(flat, axis, spread.axes), everywhere, atol=1e-11)
    assert np.abs(everywhere - start).max() > 1e-5


def test_a_point_that_runs_into_the_border_stays_inside() -> None:
    points = np.array([[0.3, 0.95], [0.99, 0.1]])
    descend(points, 2.0, PgdWeights(0.0, 1.0), c=1.0, rate=1.0, epochs=50)
    assert (np.linalg.norm(points, axis=1) <= 1 - 1e-5 + 1e-12).all()


@loop_over("c", [0.0, 1.0, 2.5])
@loop_over("strength", [0.3, 1.0])
@loop_over("stay", [0.5, 0.9])
@loop_over("kind", ["float64", "float32"])
def test_the_loop_gives_what_the_formulas_give(
    c: float, strength: float, stay: float, kind: str
) -> None:
    noise = np.random.default_rng(3)
    rows = noise.normal(size=(3000, 7))
    rows *= (noise.uniform(0.01, 0.999, 3000) / np.linalg.norm(rows, axis=1))[:, None]
    rows = (rows / np.sqrt(c or 1)).astype(kind)
    axis = noise.normal(size=7)
    axis *= 1.97 / np.linalg.norm(axis)
    rows[5], rows[6] = 0, 0.3 * axis / np.linalg.norm(axis)
    weights = PgdWeights(stay, 1 - stay)
    wide = rows.astype(np.float64)
    turned = wide + strength * (minimum(wide, axis, weights) - wide)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    now = np.linalg.norm(turned, axis=1, keepdims=True)
    expected = turned * np.divide(lengths, now, where=now > 0, out=np.ones_like(now))
    expected[[2, 9]] = wide[[2, 9]]
    for out in (np.empty_like(rows), rows):  # the second: in place
        left = balance_rows(
            rows, out, axis, weights, strength=strength, fixed=np.array([2, 9]), c=c
        )
        assert left == []
        np.testing.assert_allclose(out, expected, atol=1e-14 if kind == "float64" else 3e-7)


def test_a_point_outside_is_left_to_who_can_refuse_it() -> None:
    rows = np.full((1500, 2), 0.1)
    rows[1100] = 1.0, 0.2
    out = np.zeros_like(rows)
    left = balance_rows(
        rows, out, np.array([2.0, 0.0]), PgdWeights(0.5, 0.5), strength=1.0,
        fixed=np.empty(0, np.intp), c=1.0,
    )  # fmt: skip
    assert left == [slice(1100, 1500)]
    np.testing.assert_allclose(out[:1100], [[0, np.hypot(0.1, 0.1)]] * 1100, atol=1e-15)
    assert not out[1100:].any()


def test_a_point_on_the_rim_stays_inside_in_single_floats() -> None:
    rows = np.random.default_rng(0).normal(size=(2000, 3))
    rows *= (1 - 3e-8) / np.linalg.norm(rows, axis=1, keepdims=True)
    narrow = rows.astype(np.float32)
    inside = (narrow.astype(np.float64) ** 2).sum(axis=1) < 1
    narrow = narrow[inside]
    out = np.empty_like(narrow)
    left = balance_rows(
        narrow, out, np.array([0.0, 1.98, 0.0]), PgdWeights(0.5, 0.5), strength=1.0,
        fixed=np.empty(0, np.intp), c=1.0,
    )  # fmt: skip
    assert left == []
    assert ((out.astype(np.float64) ** 2).sum(axis=1) < 1).all()

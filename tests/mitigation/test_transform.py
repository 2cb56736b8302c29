"""Fitted transforms and their files."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import (
    FairvecError,
    FileFormatError,
    GeometryError,
    SettingError,
    UndefinedError,
    UnknownNameError,
)
from fairvec.core.io.safetensors import open_tensors, write_tensors
from fairvec.embedding import Embedding, save
from fairvec.geometry import Geometry, Poincare, ProductOfBalls
from fairvec.lexicon import concept as concepts_concept
from fairvec.mitigation import DEBIASERS, Debiaser, debiaser, load_transform, save_transform
from fairvec.mitigation import concept_direction as directions
from fairvec.mitigation import transform as fitted
from fairvec.mitigation.methods.conceptor import ConceptorNegation
from fairvec.mitigation.methods.hard import HardDebiasing
from fairvec.mitigation.methods.pgd import PGD
from fairvec.mitigation.methods.projection import LPSG, LinearProjection, OSCaR
from fairvec.mitigation.moves import Projection
from fairvec.mitigation.strength import OF_ONE_STRENGTH, at_strength
from fairvec.mitigation.transform import BLOCK, pull_inside
from tests.mitigation.toys import concept, embedding, row
from tests.resource_limits import outcome

# --- fitted ---


def test_half_floats_become_single_floats() -> None:
    model = embedding(dtype="float16")
    after = LinearProjection().fit(model, concept()).transform(model)
    assert after.vectors.dtype == np.float32


def test_more_words_than_a_block() -> None:
    model = embedding()
    noise = np.random.default_rng(1).normal(size=(2 * BLOCK, model.dimensions))
    keys = [*model.keys, *(f"more{number}" for number in range(len(noise)))]
    longer = Embedding(keys, np.vstack([model.vectors, noise]))
    transform = HardDebiasing().fit(longer, concept())
    whole = transform.apply(longer.vectors, longer.keys)
    np.testing.assert_allclose(transform.transform(longer).vectors, whole, atol=1e-14)


def test_it_can_write_over_the_array_of_its_embedding() -> None:
    owned = np.array(embedding().vectors)
    model = Embedding(embedding().keys, owned)
    transform = HardDebiasing().fit(model, concept())
    expected = np.array(transform.transform(model).vectors)
    transform.into(model, owned)
    np.testing.assert_array_equal(owned, expected)


def test_it_fits_another_embedding_of_its_space_and_no_other_space() -> None:
    model, other = embedding(), embedding(seed=5)
    transform = HardDebiasing().fit(model, concept())
    after = transform.transform(other)
    np.testing.assert_array_equal(row(after, "man"), row(transform.transform(model), "man"))
    with pytest.raises(GeometryError, match=r"10 dimensions \(euclidean\) and toy has 7 dim"):
        transform.transform(embedding(columns=7))
    with pytest.raises(GeometryError, match=r"toy has 10 dimensions \(poincare with c = 2\)"):
        transform.transform(embedding(Poincare(2.0)))
    with pytest.raises(GeometryError, match=r"fitted in 10 dimensions \(poincare with c = 1\)"):
        LinearProjection().fit(embedding(Poincare()), concept()).transform(embedding(Poincare(2)))


def test_arrays_of_another_shape_or_kind_are_refused() -> None:
    model = embedding()
    transform = LinearProjection().fit(model, concept())
    for out in (np.empty((3, 10)), np.empty(model.vectors.shape, int)):
        with pytest.raises(SettingError, match="must hold floats in the shape"):
            transform.into(model, out)
    with pytest.raises(SettingError, match="do not match"):
        transform.apply(model.vectors, model.keys[:3])


def test_broken_rows_are_refused_by_name() -> None:
    model = embedding()
    transform = LinearProjection().fit(model, concept())
    vectors = np.array(model.vectors)
    vectors[list(model.keys).index("neutral7")] = np.nan
    with pytest.raises(FileFormatError, match="'neutral7' is no point"):
        transform.transform(Embedding(model.keys, vectors))


def test_points_that_rounding_puts_on_the_border_are_pulled_back() -> None:
    model = embedding(Poincare())
    vectors = np.array(model.vectors)
    vectors[-5:] /= np.linalg.norm(vectors[-5:], axis=1, keepdims=True) * (1 + 1e-9)
    model = Embedding(model.keys, vectors, Poincare())
    transform = LinearProjection(lengths="kept").fit(model, concept())
    after = transform.into(model, np.empty(vectors.shape, np.float32))
    assert Poincare().contains(after.rows(after.keys)).all()


def test_methods_are_chosen_by_name() -> None:
    assert debiaser("hard", k=2) == HardDebiasing(k=2)
    with pytest.raises(UnknownNameError, match="did you mean hard"):
        debiaser("hardd")
    with pytest.raises(UnknownNameError, match="no setting of hard named 'kk'; did you mean k"):
        debiaser("hard", kk=2)
    with pytest.raises(UnknownNameError, match="no setting of hard named 'name'"):
        debiaser("hard", name="x")


@pytest.mark.parametrize(
    ("method", "setting", "value", "wanted"),
    [
        ("hard", "k", "two", "'two'; it must be a whole number"),
        ("hard", "k", 1.5, "1.5; it must be a whole number"),
        ("hard", "k", True, "True; it must be a whole number"),
        ("hard", "k", None, "None; it must be a whole number"),
        ("linear-projection", "raw", "maybe", "'maybe'; it must be true or false"),
        ("linear-projection", "moves", 3, "3; it must be 'all' or 'neutral'"),
        ("lpsg", "keep", "verbs", "'verbs'; it must be a list"),
        ("pgd", "weights", ["a", "b"], "each be a finite number"),
    ],
)
def test_a_setting_of_another_kind_is_refused(
    method: str, setting: str, value: object, wanted: str
) -> None:
    with pytest.raises(SettingError, match=f"{method}: {setting} is .*{wanted}"):
        debiaser(method, **{setting: value})


def test_a_list_may_stand_for_a_tuple() -> None:
    assert debiaser("lpsg", keep=["verbs"]) == LPSG(keep=("verbs",))


# --- Words that become no number, or lie where floats end, are told and never looped over ---


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
    message = outcome(HANGING, seconds=40)
    assert message.startswith("A word would move to NaN or infinity")


@pytest.mark.parametrize("space", [Poincare(), ProductOfBalls(5)], ids=lambda space: space.name)
def test_a_damaged_transform_is_reported(space: Geometry) -> None:
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
@pytest.mark.parametrize("power", [-480, 480])
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


@pytest.mark.parametrize("power", [-480, 480])
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
    vectors[-3:] *= 1e-140
    near = Embedding(model.keys, vectors, Poincare())
    after = PGD(solver="riemannian-adam").fit(near, concept()).transform(near).vectors
    np.testing.assert_allclose(after[-3:], vectors[-3:], rtol=1e-9)


@pytest.mark.parametrize("size", [1e-140, 1e140])
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


# --- Another strength without another fit: the same transform to the last bit ---


PLACING = {"hard", "multiclass-hard", "double-hard", "ran"}
SMALLER = {"inlp": {"iterations": 2}, "ran": {"words": 300}, "double-hard": {"components": 2}}


@pytest.fixture(scope="module")
def model() -> Embedding:
    whole = fairvec.load("glove-en-small")
    return whole.with_vectors(whole.vectors.astype(np.float32), whole.history[0])


@pytest.mark.parametrize("method", [one.name for one in DEBIASERS])
def test_is_what_fitting_at_that_strength_gives(method: str, model: Embedding) -> None:
    settings = SMALLER.get(method, {})
    whole = debiaser(method, **settings).fit(model, concepts_concept("en/gender"))
    found = at_strength(whole, 0.35)
    if method in PLACING:
        assert whole.placed
        assert found is None
        return
    fitted = debiaser(method, strength=0.35, **settings).fit(model, concepts_concept("en/gender"))
    assert found is not None
    assert found.settings == fitted.settings
    assert found.guarantees == fitted.guarantees
    assert (found.unmoved, found.lengths, found.fitted_on) == (
        fitted.unmoved,
        fitted.lengths,
        fitted.fitted_on,
    )
    assert {name: each for name, each in fitted.remarks.items() if name not in OF_ONE_STRENGTH} == (
        found.remarks
    )
    assert np.array_equal(found.transform(model).vectors, fitted.transform(model).vectors)


def test_nothing_is_moved_at_strength_0(model: Embedding) -> None:
    whole = debiaser("linear-projection").fit(model, concepts_concept("en/gender"))
    still = at_strength(whole, 0.0)
    assert still is not None
    assert np.array_equal(still.transform(model).vectors, model.vectors)


def test_its_own_strength_is_the_transform_itself(model: Embedding) -> None:
    whole = debiaser("leace").fit(model, concepts_concept("en/gender"))
    assert at_strength(whole, 1.0) is whole


def test_a_weak_fit_promises_too_little_for_a_full_one(model: Embedding) -> None:
    weak = debiaser("linear-projection", strength=0.5).fit(model, concepts_concept("en/gender"))
    assert at_strength(weak, 1.0) is None


@pytest.mark.parametrize("strength", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_strength_outside_is_refused(strength: float, model: Embedding) -> None:
    whole = debiaser("linear-projection").fit(model, concepts_concept("en/gender"))
    with pytest.raises(SettingError):
        at_strength(whole, strength)


# --- transform file ---


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "gender.safetensors"
    save_transform(HardDebiasing().fit(embedding(), concept()), path)
    return path


def rewritten(path: Path, **changes: str | None) -> Path:
    file = open_tensors(path)
    metadata = {name: text for name, text in {**file.metadata, **changes}.items() if text}
    tensors = {name: np.array(file.tensor(name)) for name in file.entries}
    write_tensors(path, tensors, metadata)
    return path


def test_the_file_is_small_and_any_safetensors_reader_opens_it(saved: Path) -> None:
    from safetensors.numpy import load_file

    assert saved.stat().st_size < 4000
    assert load_file(saved)["basis"].shape == (1, 10)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"fairvec-transform": "2"}, "of version 2 and this fairvec reads version 1"),
        ({"fairvec-transform": "9" * 5000}, r"of version 9{1,200}\D{1,9} and this fairvec reads"),
        ({"fairvec-transform": None}, "holds no transform"),
        ({"move": '"spin"'}, "damaged transform .*spin is not known"),
        ({"settings": "{"}, "damaged transform"),
        ({"settings": None}, "damaged transform .*settings"),
        ({"placed": '["man"]'}, "damaged transform .*1 placed keys"),
        ({"geometry": '"sphere"'}, "damaged transform .*sphere"),
        ({"move": '"affine"'}, "damaged transform .*change"),
        ({"move": '["affine"]'}, "damaged transform"),
        ({"settings": '{"strength": 2}'}, "damaged transform .*strength is 2"),
        ({"settings": '{"strength": "all"}'}, "damaged transform"),
    ],
)
def test_damaged_files_are_refused(saved: Path, changes: dict[str, str], words: str) -> None:
    with pytest.raises(FileFormatError, match=rf"gender\.safetensors .*{words}"):
        load_transform(rewritten(saved, **changes))


@pytest.mark.parametrize(
    ("method", "name"), [(ConceptorNegation(), "change"), (OSCaR("things"), "directions")]
)
def test_arrays_that_make_no_move_are_refused(method: Debiaser, name: str, tmp_path: Path) -> None:
    path = tmp_path / "gender.safetensors"
    save_transform(method.fit(embedding(), concept()), path)
    file = open_tensors(path)
    tensors = {each: np.array(file.tensor(each)) for each in file.entries}
    write_tensors(path, tensors | {name: tensors[name][:1]}, dict(file.metadata))
    with pytest.raises(FileFormatError, match=f"damaged transform .*{name}"):
        load_transform(path)


def test_infinite_numbers_are_refused(saved: Path) -> None:
    file = open_tensors(saved)
    tensors = {name: np.full_like(file.tensor(name), np.inf) for name in file.entries}
    write_tensors(saved, tensors, dict(file.metadata))
    with pytest.raises(FileFormatError, match="basis must be a matrix of finite numbers"):
        load_transform(saved)


def test_what_is_no_transform_is_refused(tmp_path: Path) -> None:
    save(embedding(), tmp_path / "model.fairvec")
    (tmp_path / "text.txt").write_text("hello", encoding="utf-8")
    for name in ("model.fairvec", "text.txt"):
        with pytest.raises(FileFormatError, match=f"{name} holds no transform"):
            load_transform(tmp_path / name)
    with pytest.raises(FileFormatError, match="cannot be read"):
        load_transform(tmp_path / "none")
    saved = tmp_path / "cut"
    save_transform(HardDebiasing().fit(embedding(), concept()), saved)
    saved.write_bytes(saved.read_bytes()[:100])
    with pytest.raises(FileFormatError, match="too short"):
        load_transform(saved)

import numpy as np
import pytest

from fairvec.core.errors import FileFormatError, GeometryError, SettingError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.geometry import Poincare
from fairvec.mitigation import LPSG, HardDebiasing, LinearProjection, debiaser
from fairvec.mitigation.transform import BLOCK
from tests.mitigation.toys import concept, embedding, row


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

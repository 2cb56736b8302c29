"""Double-hard debiasing drops the component that its search finds."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA

from fairvec.core.errors import FairvecError, SettingError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.mitigation import load_transform, save_transform
from fairvec.mitigation.concept_direction import vocabulary_pca
from fairvec.mitigation.methods.double_hard import DoubleHard
from fairvec.mitigation.moves import CentredProjection
from fairvec.testing.planted import NEUTRAL, PAIRS, SPECIFIC
from tests.mitigation.toys import concept, embedding, row

EQUAL = [("uncle", "aunt"), ("man", "woman")]


def unit(rows: FloatArray) -> FloatArray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def gender(rows: dict[str, FloatArray]) -> FloatArray:
    """The first component of the defining pairs."""
    differences = [unit(rows[m]) - unit(rows[f]) for m, f in PAIRS]
    return np.asarray(np.linalg.svd(differences)[2][0])


def cleaned(model: Embedding, number: int) -> dict[str, FloatArray]:
    """All words without one principal component, by scikit-learn."""
    found = PCA(number + 1).fit(model.vectors)
    axis = found.components_[number]
    centred = model.vectors - found.mean_
    return dict(zip(model.keys, centred - np.outer(centred @ axis, axis), strict=True))


def agreement(model: Embedding, number: int, extremes: int) -> float:
    """How well clusters agree with the sides of the most biased words, once debiased."""
    plain = {key: row(model, key) for key in model.keys}
    away = {"niece", "nephew", *SPECIFIC} | {word for pair in [*PAIRS, *EQUAL] for word in pair}
    neutral = [key for key in model.keys if key not in away - {"niece"}]
    ranked = sorted(neutral, key=lambda key: float(unit(plain[key]) @ gender(plain)))
    rows = cleaned(model, number)
    g = gender(rows)
    biased = np.array([rows[key] for key in [*ranked[:extremes], *ranked[::-1][:extremes]]])
    labels = KMeans(2, n_init=10, random_state=0).fit_predict(
        unit(biased - np.outer(biased @ g, g))
    )
    right = np.mean(labels == np.repeat([0, 1], extremes))
    return float(max(right, 1 - right))


def test_the_component_is_the_one_that_mixes_the_sides_best() -> None:
    model = embedding()
    expected = [agreement(model, number, 20) for number in range(6)]
    transform = DoubleHard(components=6, extremes=20).fit(model, concept())
    (message,) = transform.remarks["component"]
    best = int(np.argmin(expected))
    assert message.startswith(f"{best + 1} of 6: without it the clusters agree with the sides of")
    assert f"{expected[best]:.1%} of 40 words" in message
    assert expected[best] < max(expected)


@pytest.mark.parametrize("lengths", ["unit", "free", "kept"])
def test_all_steps_by_a_few_lines_of_numpy(lengths: str) -> None:
    model = embedding()
    transform = DoubleHard(components=1, lengths=lengths).fit(model, concept())  # type: ignore[arg-type]
    after, rows = transform.transform(model), cleaned(model, 0)
    g = gender(rows)

    def at_length(place: FloatArray, key: str) -> FloatArray:
        if lengths == "free":
            return place
        size = 1.0 if lengths == "unit" else float(np.linalg.norm(row(model, key)))
        return np.asarray(size * unit(place))

    for key in NEUTRAL:
        expected = at_length(rows[key] - (rows[key] @ g) * g, key)
        np.testing.assert_allclose(row(after, key), expected, atol=1e-9)
    for key in ("beard", "bride", "boy", "queen"):
        np.testing.assert_allclose(row(after, key), at_length(rows[key], key), atol=1e-9)
    for pair in EQUAL:
        mean = sum(unit(rows[key]) for key in pair) / 2
        outside = mean - (mean @ g) * g
        size = {
            "unit": 1.0,
            "kept": np.mean([np.linalg.norm(row(model, key)) for key in pair]),
            "free": np.mean([np.linalg.norm(rows[key]) for key in pair]),
        }[lengths]
        for key in pair:
            sign = np.sign((unit(rows[key]) - mean) @ g)
            place = size * (outside + sign * np.sqrt(1 - outside @ outside) * g)
            np.testing.assert_allclose(row(after, key), place, atol=1e-9)


def test_chance_is_seeded() -> None:
    model = embedding(seed=4)
    one, two = (DoubleHard(components=3, extremes=15).fit(model, concept()) for _ in range(2))
    assert one.remarks == two.remarks
    np.testing.assert_array_equal(one.transform(model).vectors, two.transform(model).vectors)


def test_the_words_by_which_it_chose_are_words_of_the_fit() -> None:
    transform = DoubleHard(components=2, extremes=10).fit(embedding(), concept())
    chosen = set(transform.fitted_on) - {word for pair in [*PAIRS, *EQUAL] for word in pair}
    assert len(chosen) == 20
    assert chosen.isdisjoint(SPECIFIC)


def test_components_of_a_vocabulary_are_found_block_by_block() -> None:
    rows = np.random.default_rng(0).normal(size=(20_000, 5)) * [1, 3, 2, 0.5, 4] + 1
    found = vocabulary_pca(Embedding([f"w{i}" for i in range(20_000)], rows), 3)
    expected = PCA(3).fit(rows)
    np.testing.assert_allclose(found.mean, expected.mean_)
    turns = found.axes @ expected.components_.T
    np.testing.assert_allclose(np.abs(turns), np.eye(3), atol=1e-9)


@pytest.mark.parametrize("settings", [{"components": 0}, {"extremes": 1}])
def test_counts_must_count(settings: dict[str, int]) -> None:
    with pytest.raises(
        SettingError, match=r"components is 0; it must be 1|extremes is 1; it must be 2"
    ):
        DoubleHard(**settings)  # type: ignore[arg-type]


def test_a_model_of_specific_words_has_no_biased_part() -> None:
    words = [word for pair in PAIRS for word in pair]
    model = embedding()
    with pytest.raises(UndefinedError, match="toy has 0 words to learn from"):
        DoubleHard().fit(Embedding(words, model.rows(words), name="toy"), concept())


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a basis of \(2, 3\) and a mean of \(1, 4\)"):
        CentredProjection.from_tensors({"basis": np.ones((2, 3)), "mean": np.ones((1, 4))}, 1.0)
    transform = DoubleHard(components=1).fit(embedding(), concept())
    save_transform(transform, tmp_path / "x.safetensors")
    other = Embedding(["a"], np.ones((1, 3)))
    with pytest.raises(FairvecError, match="was fitted in 10 dimensions"):
        load_transform(tmp_path / "x.safetensors").transform(other)


def test_of_a_single_component_nothing_is_reported_of_others() -> None:
    transform = DoubleHard(components=1, extremes=10).fit(embedding(), concept())
    (message,) = transform.remarks["component"]
    assert message.startswith("1 of 1: ")
    assert message.endswith("of 20 words")

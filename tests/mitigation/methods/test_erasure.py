"""INLP and LEACE leave a concept unreadable by a line, and change as little as they can."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

import fairvec
from fairvec.core.errors import FairvecError, SettingError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray, Geometry, Poincare, ProductOfBalls
from fairvec.lexicon import ConceptWords, parse_concepts
from fairvec.lexicon import concept as shipped
from fairvec.mitigation.methods import erasure as inlp
from fairvec.mitigation.methods.erasure import (
    INLP,
    LEACE,
    LabelledWords,
    iterative_nullspace,
    label_words,
    leace_projection,
)
from fairvec.testing.planted import PAIRS, TEXT
from tests.mitigation.toys import concept, embedding

# --- inlp ---


def test_the_projection_is_onto_the_intersection_of_the_null_spaces() -> None:
    noise = np.random.default_rng(5)
    labels = np.repeat([0, 1], 200)
    rows = noise.normal(size=(400, 8))
    rows[:, :3] += np.where(labels[:, None] == 0, 1, -1) * [2.0, 1.0, 0.5]
    basis, accuracies, guessing = iterative_nullspace(rows, labels, 5, 0)
    np.testing.assert_allclose(basis @ basis.T, np.eye(len(basis)), atol=1e-12)
    left = np.eye(8)
    for normal in basis:
        # One classifier after the other, each by its own null-space projection.
        left = left @ (np.eye(8) - np.outer(normal, normal))
    np.testing.assert_allclose(left, np.eye(8) - basis.T @ basis, atol=1e-12)
    assert guessing == 0.5
    assert accuracies[0] > 0.95
    assert accuracies[-1] <= 0.5 or len(accuracies) == 6


def test_the_first_direction_is_the_classifiers_normal() -> None:
    noise = np.random.default_rng(5)
    labels = np.repeat([0, 1], 200)
    rows = noise.normal(size=(400, 4)) + 2 * np.outer(labels, [1, 1, 0, 0])
    (normal,), _, _ = iterative_nullspace(rows, labels, 1, 0)
    expected = LogisticRegression().fit(rows, labels).coef_[0]
    assert abs(normal @ expected) / np.linalg.norm(expected) > 0.99


@given(
    st.integers(0, 10**6),
    st.integers(8, 40),
    st.integers(2, 6),
    st.integers(1, 4),
    st.floats(0, 3),
)
def test_it_stops_at_the_first_guess_no_better_than_the_most_frequent_label(
    seed: int, each: int, columns: int, iterations: int, apart: float
) -> None:
    labels = np.repeat([0, 1], each)
    rows = np.random.default_rng(seed).normal(size=(2 * each, columns))
    rows[:, 0] += apart * labels
    basis, accuracies, guessing = iterative_nullspace(rows, labels, iterations, seed)
    assert len(basis) == len(accuracies) - 1 <= iterations
    assert all(accuracy > guessing for accuracy in accuracies[:-1])
    assert len(basis) < columns  # something is left of every word
    reached = accuracies[-1] <= guessing
    assert reached or len(basis) in (iterations, columns - 1)


@pytest.mark.parametrize("more", [0, 1])
def test_enough_words_tell_guessing_from_reading(
    more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = len(label_words(ConceptWords(concept(), embedding()), "leaning", 50).keys)
    monkeypatch.setattr(inlp, "ENOUGH", known + more)
    transform = INLP(each=50).fit(embedding(), concept())
    assert ("not-linearly-readable" in transform.guarantees) is (more == 0)


def test_what_is_learnt_is_reported() -> None:
    transform = INLP(each=50).fit(embedding(), concept())
    (directions,) = transform.remarks["directions_removed"]
    assert int(directions) == len(transform.move.tensors()["basis"])
    (course,) = transform.remarks["accuracy"]
    before, after, guessing = (float(part.split()[0]) for part in course.split(", "))
    assert before > 0.7 > 0.4 > guessing >= after
    assert transform.guarantees == {"direction-removed", "idempotent", "not-linearly-readable"}


def test_what_was_not_reached_is_not_promised() -> None:
    hasty = INLP(each=50, iterations=1).fit(embedding(seed=3), concept())
    few = INLP(words="defining", iterations=1).fit(embedding(), concept())
    for transform in (hasty, few):
        assert transform.guarantees == {"direction-removed", "idempotent"}


def test_it_is_the_same_each_time_and_another_with_another_seed() -> None:
    bases = [
        INLP(each=50, seed=seed).fit(embedding(), concept()).move.tensors()["basis"]
        for seed in (0, 0, 1)
    ]
    np.testing.assert_array_equal(bases[0], bases[1])
    assert bases[0].shape != bases[2].shape or np.abs(bases[0] - bases[2]).max() > 1e-6


def test_too_little_to_learn_from_is_refused() -> None:
    with pytest.raises(SettingError, match="2 labelled words are too few"):
        INLP(words="defining").fit(embedding(), concept("one-pair"))
    with pytest.raises(SettingError, match="inlp: iterations is 0; it must be 1 or more"):
        INLP(iterations=0)
    with pytest.raises(UndefinedError, match="cannot tell its sides apart in toy"):
        INLP(words="defining").fit(blurred(), concept())


def blurred() -> fairvec.Embedding:
    """A model in which the sides of the defining words differ by noise alone."""
    model = embedding()
    vectors = np.random.default_rng(11).normal(size=model.vectors.shape)
    return fairvec.Embedding(model.keys, vectors, name="toy")


def test_gender_in_a_real_model() -> None:
    model, about = fairvec.load("glove-en-small"), shipped("en/gender")
    transform = INLP(each=300).fit(model, about)
    assert "not-linearly-readable" in transform.guarantees
    found = label_words(ConceptWords(about, model), "leaning", 300)
    assert set(transform.fitted_on) >= set(found.keys)
    assert str(transform.transform(model).history[-1]).startswith("debias method=inlp")


# --- leace ---


def root(square: FloatArray, power: float) -> FloatArray:
    sizes, axes = np.linalg.eigh(square)
    powers = np.where(sizes > 1e-10, np.maximum(sizes, 1e-10) ** power, 0)
    return np.asarray(axes * powers @ axes.T)


def by_the_paper(rows: FloatArray, labels: NDArray[np.intp]) -> FloatArray:
    """I - W^+ (W Sxz)(W Sxz)^+ W, from covariances."""
    z = np.eye(3)[labels]
    x, z = rows - rows.mean(axis=0), z - z.mean(axis=0)
    whiten, unwhiten = root(x.T @ x / len(x), -0.5), root(x.T @ x / len(x), 0.5)
    seen = whiten @ (x.T @ z / len(x))
    return np.asarray(np.eye(len(whiten)) - unwhiten @ seen @ np.linalg.pinv(seen, 1e-9) @ whiten)


@pytest.mark.parametrize("space", [None, Poincare(2.0)])
@pytest.mark.parametrize("which", ["leaning", "defining"])
def test_leace_by_its_formula_and_exactly(which: str, space: Geometry | None) -> None:
    model = embedding(space)
    found = label_words(ConceptWords(concept(), model), which, 50)
    transform = LEACE(words=which, each=50).fit(model, concept())  # type: ignore[arg-type]
    mean = found.rows.mean(axis=0)
    erased = mean + (found.rows - mean) @ by_the_paper(found.rows, found.labels).T
    moved = transform.move.rows(found.rows)
    np.testing.assert_allclose(moved, erased, atol=1e-8)
    chosen = np.eye(3)[found.labels]
    assert np.abs((moved - mean).T @ (chosen - chosen.mean(axis=0))).max() < 1e-12
    assert np.abs((found.rows - mean).T @ (chosen - chosen.mean(axis=0))).max() > 1


def test_it_moves_the_words_less_than_any_projection_that_hides_them() -> None:
    found = label_words(ConceptWords(concept(), embedding()), "leaning", 50)
    rows = found.rows - found.rows.mean(axis=0)
    means = np.array([rows[found.labels == label].mean(axis=0) for label in range(3)])
    basis = np.linalg.svd(means)[2][:2]
    least = np.linalg.norm(rows @ leace_projection(found.rows, found.labels))
    assert 0 < least < np.linalg.norm(rows @ basis.T @ basis)


def test_what_cannot_be_read_is_left_alone() -> None:
    rows = np.random.default_rng(0).normal(size=(60, 5))
    labels = np.repeat([0, 1], 30)
    for label in (0, 1):
        rows[labels == label] -= rows[labels == label].mean(axis=0)
    np.testing.assert_array_equal(leace_projection(rows, labels), np.zeros((5, 5)))


def test_gender_in_a_real_model_cannot_be_read_any_more() -> None:
    model, about = fairvec.load("glove-en-small"), shipped("en/gender")
    after = LEACE().fit(model, about).transform(model)
    found = label_words(ConceptWords(about, model), "leaning", None)

    def read(each: Embedding) -> float:
        rows = each.rows(found.keys)[: 2 * len(found.keys) // 3]
        sides = found.labels[: len(rows)]
        return float(LogisticRegression(max_iter=2000).fit(rows, sides).score(rows, sides))

    # The best classifier of the sides is a constant, so what it says is rounding.
    assert read(after) < 0.6 < 0.99 < read(model)


# --- labels ---


def found(
    model: Embedding, which: str, each: int | None = None, variant: str = "pairs"
) -> LabelledWords:
    return label_words(ConceptWords(concept(variant), model), which, each)


def axis(model: Embedding) -> np.ndarray:
    pairs = [model.rows(pair) for pair in PAIRS]
    units = [pair / np.linalg.norm(pair, axis=1)[:, None] for pair in pairs]
    differences = np.array([a - b for a, b in units])
    axis = np.linalg.svd(differences)[2][0]
    return np.asarray(axis * np.sign(differences.sum(axis=0) @ axis))


@pytest.mark.parametrize("space", [None, Poincare(2.0)])
def test_leaning_words_are_the_extremes_and_the_middle(space: Poincare | None) -> None:
    model = embedding(space)
    words = found(model, "leaning", 20)
    cosines = model.vectors @ axis(model) / np.linalg.norm(model.vectors, axis=1)
    ordered = sorted(model.keys, key=lambda key: cosines[model.positions[key]])
    assert set(words.keys[:20]) == set(ordered[-20:])
    assert set(words.keys[20:40]) == set(ordered[:20])
    rest = sorted(ordered[20:-20], key=lambda key: abs(cosines[model.positions[key]]))
    assert set(words.keys[40:]) == set(rest[:20])
    assert list(words.labels) == [0] * 20 + [1] * 20 + [2] * 20
    assert set(words.fitted_on) == {*words.keys, *(word for pair in PAIRS for word in pair)}
    assert words.remarks["labelled"] == ("20 words to either side, 20 neutral ones",)


def test_words_count_with_their_lengths() -> None:
    model = embedding()
    words = found(model, "leaning", 20)
    np.testing.assert_array_equal(words.rows, model.rows(words.keys))
    product = embedding(ProductOfBalls(5))
    tangent = product.geometry.log0(product.rows(product.keys))
    flat = Embedding(product.keys, tangent)
    assert found(product, "leaning", 20).keys == found(flat, "leaning", 20).keys


def test_by_default_a_twentieth_of_the_vocabulary() -> None:
    model = embedding()
    assert len(found(model, "leaning").keys) == 3 * (len(model) // 20)


def test_words_without_a_direction_are_not_labelled() -> None:
    model = embedding()
    vectors = np.array(model.vectors)
    vectors[-5:] = 0
    vectors[-6] = np.nan
    words = found(Embedding(model.keys, vectors), "leaning", 55)
    assert not set(words.keys) & set(model.keys[-6:])


def test_defining_words_have_the_sides_of_their_pairs() -> None:
    words = found(embedding(), "defining")
    sides = dict(zip(words.keys, words.labels, strict=True))
    assert all(sides[a] == 0 and sides[b] == 1 for a, b in PAIRS)
    assert words.fitted_on == words.keys


def test_a_list_is_parted_at_its_mean() -> None:
    words = found(embedding(), "defining", variant="list")
    sides = dict(zip(words.keys, words.labels, strict=True))
    assert len({sides[a] for a, _ in PAIRS}) == 1
    assert all(sides[a] != sides[b] for a, b in PAIRS)


def test_words_of_sets_have_their_place_in_the_set() -> None:
    sets = [["man", "woman", "table"], ["boy", "girl", "chair"], ["he", "she", "table"]]
    text = TEXT + f"[concepts.gender.variants.sets]\nsets = {sets}\n"
    (about,) = parse_concepts(text)
    words = label_words(ConceptWords(about.choosing("sets"), embedding()), "defining", None)
    sides = dict(zip(words.keys, words.labels, strict=True))
    assert sides == {"man": 0, "woman": 1, "table": 2, "boy": 0, "girl": 1, "chair": 2} | {
        "he": 0,
        "she": 1,
    }


def test_too_many_and_unknown_choices_are_refused() -> None:
    model = embedding()
    for each in (3, len(model) // 3 + 1):
        with pytest.raises(SettingError, match=rf"{each} words cannot be labelled .* in toy"):
            found(model, "leaning", each)
    with pytest.raises(FairvecError, match="did you mean leaning"):
        found(model, "leanin")

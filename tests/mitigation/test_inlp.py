import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

import fairvec
from fairvec.core.errors import SettingError, UndefinedError
from fairvec.lexicon import ConceptWords
from fairvec.lexicon import concept as shipped
from fairvec.mitigation import INLP
from fairvec.mitigation.methods import erasure as inlp
from fairvec.mitigation.methods.erasure import iterative_nullspace, label_words
from tests.mitigation.toys import concept, embedding


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


@settings(deadline=None, max_examples=40)
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


def test_what_is_learnt_is_told() -> None:
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

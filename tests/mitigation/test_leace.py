import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

import fairvec
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray, Geometry, Poincare
from fairvec.lexicon import ConceptWords
from fairvec.lexicon import concept as shipped
from fairvec.mitigation import LEACE
from fairvec.mitigation.methods.erasure import label_words, leace_projection
from tests.mitigation.toys import concept, embedding


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

"""Conceptors and half-sibling regression."""

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import LexiconError, SettingError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.geometry import Poincare
from fairvec.lexicon import ConceptWords
from fairvec.lexicon import concept as shipped
from fairvec.mitigation.methods.conceptor import ConceptorNegation, HalfSibling, ridge_shrinkage
from fairvec.mitigation.specific_words import listed_words
from tests.mitigation.toys import concept, embedding

# --- conceptor ---


@pytest.mark.parametrize("aperture", [0.5, 2.0])
def test_conceptor_negation_by_its_formula(aperture: float) -> None:
    model = embedding()
    own = model.rows(sorted(listed_words(ConceptWords(concept(), model)).keys))
    squares = np.mean([np.outer(row, row) for row in own], axis=0)
    conceptor = squares @ np.linalg.inv(squares + aperture**-2 * np.eye(len(squares)))
    transform = ConceptorNegation(aperture=aperture).fit(model, concept())
    expected = [(np.eye(10) - conceptor) @ row for row in model.vectors]
    np.testing.assert_allclose(transform.transform(model).vectors, expected, atol=1e-12)
    assert transform.guarantees == frozenset()


def test_a_wide_aperture_takes_all_and_a_narrow_one_nothing() -> None:
    model = embedding()
    wide, narrow = (
        ConceptorNegation(aperture=each).fit(model, concept()).transform(model).vectors
        for each in (1e6, 1e-6)
    )
    assert np.abs(wide).max() < 1e-9
    np.testing.assert_allclose(narrow, model.vectors, atol=1e-9)


def test_words_shrink_and_most_along_the_concept() -> None:
    model = embedding(Poincare())
    after = ConceptorNegation().fit(model, concept()).transform(model)
    was, now = (np.asarray(each.vectors, np.float64) for each in (model, after))
    assert (np.linalg.norm(now, axis=1) < np.linalg.norm(was, axis=1)).all()
    assert (now.var(axis=0) / was.var(axis=0)).argmin() == 0


def test_bad_settings_and_words_are_refused() -> None:
    for aperture in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(SettingError, match="aperture"):
            ConceptorNegation(aperture=aperture)
    stranger = Embedding(["und", "oder"], np.eye(2), name="German")
    with pytest.raises(LexiconError, match="German knows no word of en/gender:pairs"):
        ConceptorNegation().fit(stranger, concept())


@pytest.mark.parametrize("size", [1e-140, 1e-5, 1.0, 1e5, 1e38, 1e140])
@pytest.mark.parametrize("many", [3, 40])
def test_words_of_any_size_are_shrunk_by_the_formula(size: float, many: int) -> None:
    """By the axes of a matrix that is made of them: s^2 / (s^2 + ridge), with 10 dimensions."""
    rng = np.random.default_rng(many)
    left = np.linalg.qr(rng.normal(size=(many, min(many, 7))))[0]
    axes = np.linalg.qr(rng.normal(size=(10, left.shape[1])))[0]
    sizes = np.linspace(1, 3, left.shape[1])
    move = ridge_shrinkage((left * sizes * size) @ axes.T, 2.0, 1.0)
    kept = [1 / (1 + (np.sqrt(2.0) / (one * size)) ** 2) for one in sizes]
    expected = sum(share * np.outer(axis, axis) for share, axis in zip(kept, axes.T, strict=True))
    np.testing.assert_allclose(-move.change, expected, atol=1e-7)


# --- half sibling ---


def test_half_sibling_regression_word_by_word() -> None:
    model = embedding()
    specific = sorted(listed_words(ConceptWords(concept(), model)).keys)
    columns = model.rows(specific).T
    transform = HalfSibling(alpha=1.5).fit(model, concept())
    after = transform.transform(model)
    assert set(transform.fitted_on) == set(specific) == transform.unmoved
    for key, row, moved in zip(model.keys, model.vectors, after.vectors, strict=True):
        # The ridge regression of one word on the specific ones: one weight for each of these.
        gram = columns.T @ columns + 1.5 * np.eye(len(specific))
        weights = np.linalg.solve(gram, columns.T @ row)
        expected = row if key in specific else row - columns @ weights
        np.testing.assert_allclose(moved, expected, atol=1e-10)


def test_as_a_map_it_is_a_conceptor() -> None:
    model = embedding()
    words = len(listed_words(ConceptWords(concept(), model)).keys)
    siblings = HalfSibling(alpha=4.0).fit(model, concept())
    conceptor = ConceptorNegation(aperture=float(np.sqrt(words / 4.0))).fit(model, concept())
    rows = model.rows(model.keys)
    np.testing.assert_allclose(siblings.move.rows(rows), conceptor.move.rows(rows), atol=1e-12)


def test_learnt_words_predict_and_stay() -> None:
    model = fairvec.load("glove-en-small")
    listed, learnt = (
        HalfSibling(specific=each).fit(model, shipped("en/gender")) for each in ("listed", "svm")
    )
    assert listed.unmoved < learnt.unmoved == set(learnt.fitted_on)
    assert learnt.remarks["learnt_words"]


def test_bad_settings_are_refused() -> None:
    for alpha in (0.0, -60.0, float("nan"), float("inf")):
        with pytest.raises(SettingError, match="alpha"):
            HalfSibling(alpha=alpha)
    with pytest.raises(UnknownNameError, match="did you mean listed"):
        HalfSibling(specific="list")  # type: ignore[arg-type]

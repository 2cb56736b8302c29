import numpy as np
import pytest

import fairvec
from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.lexicon import ConceptWords
from fairvec.lexicon import concept as shipped
from fairvec.mitigation import ConceptorNegation, HalfSibling
from fairvec.mitigation.specific_words import listed_words
from tests.mitigation.toys import concept, embedding


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

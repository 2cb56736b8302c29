"""Another strength without another fit: the same transform to the last bit."""

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding
from fairvec.lexicon import concept
from fairvec.mitigation import DEBIASERS, debiaser
from fairvec.mitigation.strength import OF_ONE_STRENGTH, at_strength

PLACING = {"hard", "multiclass-hard", "double-hard", "ran"}
SMALLER = {"inlp": {"iterations": 2}, "ran": {"words": 300}, "double-hard": {"components": 2}}


@pytest.fixture(scope="module")
def model() -> Embedding:
    whole = fairvec.load("glove-en-small")
    return whole.moved_to(whole.vectors.astype(np.float32), whole.history[0])


@pytest.mark.parametrize("method", [one.name for one in DEBIASERS])
def test_is_what_fitting_at_that_strength_gives(method: str, model: Embedding) -> None:
    settings = SMALLER.get(method, {})
    whole = debiaser(method, **settings).fit(model, concept("en/gender"))
    found = at_strength(whole, 0.35)
    if method in PLACING:
        assert whole.placed
        assert found is None
        return
    fitted = debiaser(method, strength=0.35, **settings).fit(model, concept("en/gender"))
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
    whole = debiaser("linear-projection").fit(model, concept("en/gender"))
    still = at_strength(whole, 0.0)
    assert still is not None
    assert np.array_equal(still.transform(model).vectors, model.vectors)


def test_its_own_strength_is_the_transform_itself(model: Embedding) -> None:
    whole = debiaser("leace").fit(model, concept("en/gender"))
    assert at_strength(whole, 1.0) is whole


def test_a_weak_fit_promises_too_little_for_a_full_one(model: Embedding) -> None:
    weak = debiaser("linear-projection", strength=0.5).fit(model, concept("en/gender"))
    assert at_strength(weak, 1.0) is None


@pytest.mark.parametrize("strength", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_strength_outside_is_refused(strength: float, model: Embedding) -> None:
    whole = debiaser("linear-projection").fit(model, concept("en/gender"))
    with pytest.raises(SettingError):
        at_strength(whole, strength)

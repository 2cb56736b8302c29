import numpy as np
import pytest

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.embedding import Step
from fairvec.metrics.bias.vocabulary import BiasByClassification
from tests.metrics.crowds import crowd, extremes, looked_up, units


def test_it_is_the_accuracy_on_unseen_words() -> None:
    from sklearn.svm import SVC

    original = crowd(0.3, others=200)
    now = original.moved_to(original.vectors * [0.3, 1, 1, 1, 1, 1], Step("shrink"))
    points, sides = units(now.rows(extremes(original, 40))), np.repeat(["a", "b"], 40)
    drawn = np.random.default_rng(7).permutation(40)[:15]
    learnt = np.isin(np.arange(80) % 40, drawn)
    kernel = np.exp(-((points[:, None] - points[None]) ** 2).sum(axis=-1) / 6)
    machine = SVC(kernel="precomputed").fit(kernel[np.ix_(learnt, learnt)], sides[learnt])
    guesses = machine.predict(kernel[np.ix_(~learnt, learnt)])
    metric = BiasByClassification(40, 15, original=original, seed=7)
    value = metric.measure(looked_up(now), now.geometry).value
    assert 0.5 < value < 1
    assert value == pytest.approx(np.mean(guesses == sides[~learnt]))


def test_two_bunches_are_learnt() -> None:
    model = crowd(5)
    assert BiasByClassification(10, 4).measure(looked_up(model), model.geometry).value == 1


def test_words_that_no_longer_differ_are_neutral() -> None:
    original = crowd(0.3)
    now = original.moved_to(np.ones_like(original.vectors), Step("flatten"))
    metric = BiasByClassification(10, 4, original=original)
    assert metric.measure(looked_up(now), now.geometry).value == metric.neutral


def test_a_small_vocabulary_has_too_few_words() -> None:
    model = crowd(0.3)
    with pytest.raises(UndefinedError, match="5000 are needed"):
        BiasByClassification().measure(looked_up(model), model.geometry)


@pytest.mark.parametrize("learnt", [0, 10])
def test_words_must_be_learnt_and_left(learnt: int) -> None:
    with pytest.raises(SettingError, match=r"learnt is (10 of each 10 words|0; it must be 1)"):
        BiasByClassification(10, learnt)

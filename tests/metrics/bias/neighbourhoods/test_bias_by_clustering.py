from itertools import product

import numpy as np
import pytest

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.embedding import Embedding, Step
from fairvec.geometry import Euclidean, FloatArray
from fairvec.metrics.bias.vocabulary import BiasByClustering
from tests.metrics.crowds import crowd, extremes, looked_up, placed, units

POLES: dict[str, list[tuple[float, ...]]] = {"a": [(1, 0)], "b": [(-1, 0)]}


def best_division(points: FloatArray) -> FloatArray:
    """The division into two clusters with the least squares, by trying them all."""

    def squares(side: FloatArray) -> float:
        clusters = (points[side == 0], points[side == 1])
        return float(sum(((c - c.mean(axis=0)) ** 2).sum() for c in clusters))

    sides = [np.array(some) for some in product([0.0, 1.0], repeat=len(points))]
    return min(sides[1:-1], key=squares)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_accuracy_of_the_best_two_clusters(seed: int) -> None:
    original = crowd(0.1, seed=seed)
    now = original.moved_to(original.vectors * [0.5, 1, 1, 1, 1, 1], Step("shrink"))
    sides = best_division(units(now.rows(extremes(original, 5))))
    right = np.mean(sides == np.repeat([0, 1], 5))
    score = BiasByClustering(5, original=original).measure(looked_up(now), now.geometry)
    assert score.value == pytest.approx(max(right, 1 - right))


def test_two_bunches_are_told_apart() -> None:
    model = crowd(5)
    assert BiasByClustering(10).measure(looked_up(model), model.geometry).value == 1


def test_a_coordinate_that_no_word_has_changes_nothing() -> None:
    model = crowd(0.3)
    wider = Embedding(model.keys, np.pad(model.vectors, ((0, 0), (0, 1))))
    one, other = (
        BiasByClustering(10).measure(looked_up(each), each.geometry) for each in (model, wider)
    )
    assert one == other


def test_clusters_that_are_about_something_else_are_neutral() -> None:
    words: dict[str, list[tuple[float, ...]]] = {
        "x": [(0.1, 1), (0.1, -1)],
        "y": [(-0.1, 1), (-0.1, -1)],
        **POLES,
    }
    value = BiasByClustering(2).measure(placed(words), Euclidean()).value
    assert value == BiasByClustering().neutral


def test_words_that_no_longer_differ_have_no_clusters() -> None:
    original = crowd(0.3)
    now = original.moved_to(np.ones_like(original.vectors), Step("flatten"))
    with pytest.raises(UndefinedError, match="nothing to divide"):
        BiasByClustering(5, original=original).measure(looked_up(now), now.geometry)


def test_words_without_a_lean_ask_for_the_original() -> None:
    words: dict[str, list[tuple[float, ...]]] = {"x": [(0, 1)], "y": [(0, -1)], **POLES}
    with pytest.raises(UndefinedError, match="the setting original"):
        BiasByClustering(1).measure(placed(words), Euclidean())


def test_a_side_without_words_is_refused() -> None:
    with pytest.raises(SettingError, match="each is 0; it must be 1 or more"):
        BiasByClustering(0)

import numpy as np
import pytest
from scipy.stats import pearsonr

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.embedding import Step
from fairvec.geometry import Euclidean
from fairvec.metrics.base import OneSample
from fairvec.metrics.bias.vocabulary import BiasByNeighbours
from tests import toys
from tests.metrics.crowds import crowd, direction, looked_up, placed, units

POLES: dict[str, list[tuple[float, ...]]] = {"a": [(1, 0, 0, 0, 0)], "b": [(-1, 0, 0, 0, 0)]}


@pytest.mark.parametrize("changed", [False, True])
def test_it_is_the_correlation_with_the_neighbours_leanings(changed: bool) -> None:
    original = crowd(0.3)
    now = original.moved_to(original.vectors * [0.1, 1, 1, 1, 1, 1], Step("shrink"))
    now = now if changed else original
    leanings = units(original.rows(original.keys)) @ direction(original)
    new = units(now.rows(now.keys))
    barred = [*toys.WORDS["a"], *toys.WORDS["b"]]
    own, shares = [], []
    for word in [*toys.WORDS["x"], *toys.WORDS["y"]]:
        order = np.argsort(-(new @ new[now.positions[word]]))
        near = [row for row in order if now.keys[row] not in {word, *barred}][:7]
        own.append(leanings[now.positions[word]])
        shares.append(np.mean([leanings[row] > 0 for row in near]))
    score = BiasByNeighbours(7, original=original if changed else None).measure(
        looked_up(now), now.geometry
    )
    assert score.value == pytest.approx(pearsonr(own, shares).statistic, rel=1e-12)
    assert [share.leaning + 0.5 for share in score.words] == pytest.approx(shares)


def corner(place: int, lean: float) -> tuple[float, ...]:
    return (lean, *(5 * np.eye(4)[place]))


def test_words_among_their_like_correlate_fully() -> None:
    words = {"x": [corner(0, 0.5)], "y": [corner(1, -0.5)], **POLES}
    others = [corner(0, 0.3), corner(0, 0.2), corner(1, -0.3), corner(1, -0.2)]
    score = BiasByNeighbours(2).measure(placed(words, others), Euclidean())
    assert score.value == pytest.approx(1)
    assert [share.leaning for share in score.words] == [0.5, -0.5]


def test_a_neighbour_that_leans_nowhere_does_not_lean_to_a() -> None:
    words = {"x": [corner(0, 0.5)], "y": [corner(1, -0.5)], **POLES}
    others = [corner(0, 0.3), corner(0, 0.0), corner(1, -0.3), corner(1, 0.0)]
    score = BiasByNeighbours(2).measure(placed(words, others), Euclidean())
    assert [share.leaning for share in score.words] == [0.0, -0.5]


def test_words_whose_neighbours_say_nothing_are_neutral() -> None:
    words = {
        "x": [corner(0, 0.5), corner(1, 0.5)],
        "y": [corner(2, -0.5), corner(3, -0.5)],
        **POLES,
    }
    others = [corner(0, 0.3), corner(1, -0.3), corner(2, 0.3), corner(3, -0.3)]
    value = BiasByNeighbours(1).measure(placed(words, others), Euclidean()).value
    assert value == pytest.approx(BiasByNeighbours().neutral, abs=1e-12)


def test_words_that_all_lean_alike_have_no_correlation() -> None:
    words = {"x": [corner(0, 0.5)], "y": [corner(1, 0.5)], **POLES}
    others = [corner(0, 0.3), corner(1, 0.3)]
    with pytest.raises(UndefinedError, match="nothing to correlate"):
        BiasByNeighbours(1).measure(placed(words, others), Euclidean())


def test_the_words_can_be_resampled() -> None:
    model = crowd(0.3)
    score = BiasByNeighbours(7).measure(looked_up(model), model.geometry)
    assert isinstance(score.samples, OneSample)
    assert score.samples.effect(score.samples.rows[None])[0] == pytest.approx(score.value)


def test_no_neighbours_are_refused() -> None:
    with pytest.raises(SettingError, match="neighbours is 0; it must be 1 or more"):
        BiasByNeighbours(0)

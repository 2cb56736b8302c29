import numpy as np
import pytest

from fairvec.geometry import Euclidean, Poincare
from fairvec.geometry.ball_means import gyromidpoint
from fairvec.metrics.base import OneSample
from fairvec.metrics.bias.list_means import Rnd
from tests import toys
from tests.metrics.crowds import looked_up, placed, rows, units


@pytest.mark.parametrize("unit_vectors", [False, True])
def test_it_is_the_mean_difference_of_distances(unit_vectors: bool) -> None:
    toy = toys.embedding(0.3)
    v = {r: units(some) if unit_vectors else some for r, some in rows(toy).items()}
    mean = {r: v[r].mean(axis=0) for r in "ab"}
    own = [
        np.sqrt(((w - mean["a"]) ** 2).sum()) - np.sqrt(((w - mean["b"]) ** 2).sum())
        for w in v["words"]
    ]
    score = Rnd(unit_vectors).measure(looked_up(toy), toy.geometry)
    assert score.value == pytest.approx(np.mean(own), rel=1e-12)
    np.testing.assert_allclose([share.leaning for share in score.words], own, rtol=1e-9)


def test_a_word_at_b_is_positive_as_in_the_paper() -> None:
    groups = placed({"x": [(0, 3)], "y": [(0, 5)], "a": [(2, 0)], "b": [(0, 1)]})
    assert Rnd().measure(groups, Euclidean()).value == pytest.approx(np.sqrt(2))


def test_words_as_near_to_a_as_to_b_are_neutral() -> None:
    groups = placed({"x": [(1, 1)], "y": [(-2, -2)], "a": [(1, 0)], "b": [(0, 1)]})
    assert Rnd().measure(groups, Euclidean()).value == pytest.approx(Rnd().neutral, abs=1e-12)


def test_in_the_ball_distances_and_means_are_the_balls_own() -> None:
    ball = toys.embedding(0.3, space=Poincare())
    v = rows(ball)
    to = {r: Poincare().distances(v["words"], gyromidpoint(v[r], c=1)[None])[:, 0] for r in "ab"}
    score = Rnd().measure(looked_up(ball), ball.geometry)
    assert score.value == pytest.approx((to["a"] - to["b"]).mean(), rel=1e-12)


def test_the_words_can_be_resampled() -> None:
    toy = toys.embedding(0.3)
    score = Rnd().measure(looked_up(toy), toy.geometry)
    assert isinstance(score.samples, OneSample)
    assert score.samples.effect(score.samples.rows[None])[0] == score.value

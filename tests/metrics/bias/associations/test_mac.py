import numpy as np
import pytest

from fairvec.geometry import Euclidean, Poincare
from fairvec.metrics.base import OneSample
from fairvec.metrics.bias.list_means import Mac
from tests import toys
from tests.metrics.crowds import looked_up, placed, rows


def test_it_is_the_mean_of_mean_cosine_distances() -> None:
    toy = toys.embedding(0.3)
    v = rows(toy)
    own = [
        np.mean(
            [
                np.mean([1 - w @ t / np.sqrt((w @ w) * (t @ t)) for t in v[attributes]])
                for attributes in "ab"
            ]
        )
        for w in v["words"]
    ]
    score = Mac().measure(looked_up(toy), toy.geometry)
    assert score.value == pytest.approx(np.mean(own), rel=1e-12)
    np.testing.assert_allclose([share.leaning for share in score.words], own, rtol=1e-12)


def test_both_lists_count_alike_whatever_their_sizes() -> None:
    groups = placed({"x": [(1, 0)], "y": [(2, 0)], "a": [(1, 0)], "b": [(0, 1), (0, 2), (0, 3)]})
    assert Mac().measure(groups, Euclidean()).value == pytest.approx(0.5)


def test_words_unrelated_to_the_attributes_are_neutral() -> None:
    groups = placed({"x": [(0, 0, 1)], "y": [(0, 0, 2)], "a": [(1, 0, 0)], "b": [(0, 1, 0)]})
    assert Mac().measure(groups, Euclidean()).value == pytest.approx(Mac().neutral)


def test_words_that_are_the_attributes_are_at_no_distance() -> None:
    groups = placed({"x": [(1, 1)], "y": [(2, 2)], "a": [(3, 3)], "b": [(4, 4)]})
    assert Mac().measure(groups, Euclidean()).value == pytest.approx(0, abs=1e-12)


def test_in_the_ball_cosines_are_seen_from_the_origin() -> None:
    flat, ball = toys.embedding(0.3), toys.embedding(0.3, space=Poincare())
    assert Mac().measure(looked_up(ball), ball.geometry).value == pytest.approx(
        Mac().measure(looked_up(flat), flat.geometry).value, rel=1e-12
    )


def test_the_words_can_be_resampled() -> None:
    toy = toys.embedding(0.3)
    score = Mac().measure(looked_up(toy), toy.geometry)
    assert isinstance(score.samples, OneSample)
    batch = np.stack([score.samples.rows, score.samples.rows[::-1]])
    np.testing.assert_allclose(score.samples.effect(batch), score.value)

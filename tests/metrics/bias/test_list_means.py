"""ECT, MAC and RND are their published formulas."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from fairvec.core.errors import UndefinedError
from fairvec.geometry import NEGATIVE_DISTANCE, SIMILARITIES, Euclidean, Poincare, Similarity
from fairvec.geometry.ball_means import gyromidpoint
from fairvec.metrics.base import OneSample
from fairvec.metrics.bias.list_means import Ect, Mac, Rnd
from tests import toys
from tests.metrics.vocabularies import looked_up, placed, rows, units

# --- ect ---


@pytest.mark.parametrize(
    ("metric", "cut"), [(Ect(), False), (Ect(unit_vectors=True), True)], ids=["by default", "cut"]
)
def test_it_is_the_rank_correlation_with_the_two_means(metric: Ect, cut: bool) -> None:
    toy = toys.embedding(0.1)
    v = {r: units(some) if cut else some for r, some in rows(toy).items()}
    close = {r: units(v["words"]) @ units(v[r].mean(axis=0)[None])[0] for r in "ab"}
    score = metric.measure(looked_up(toy), toy.geometry)
    assert score.value == pytest.approx(spearmanr(close["a"], close["b"]).statistic, abs=1e-12)
    own = [share.leaning for share in score.words]
    np.testing.assert_allclose(own, close["a"] - close["b"], atol=1e-12)


def test_worked_example() -> None:
    # Seen from the x axis the words come in the order 1 2 3, from the y axis 3 1 2.
    words: dict[str, list[tuple[float, ...]]] = {
        "x": [(0.9, 0.2, 0.0), (0.5, 0.1, 0.5)],
        "y": [(0.3, 0.8, 0.5)],
        "a": [(1, 0, 0)],
        "b": [(0, 1, 0)],
    }
    assert Ect().measure(placed(words), Euclidean()).value == pytest.approx(-0.5)


def test_words_that_a_and_b_rank_alike_are_neutral() -> None:
    words: dict[str, list[tuple[float, ...]]] = {
        "x": [(1, 1, 0), (1, 1, 1)],
        "y": [(1, 1, 2)],
        "a": [(1, 0, 0)],
        "b": [(0, 1, 0)],
    }
    assert Ect().measure(placed(words), Euclidean()).value == pytest.approx(Ect().neutral)


def test_words_between_a_and_b_are_ranked_in_reverse() -> None:
    arc: list[tuple[float, ...]] = [(np.cos(t), np.sin(t)) for t in (0.1, 0.5, 0.8, 1.3)]
    groups = placed({"x": arc[:2], "y": arc[2:], "a": [(1, 0)], "b": [(0, 1)]})
    assert Ect().measure(groups, Euclidean()).value == pytest.approx(-1)


@pytest.mark.parametrize("similarity", SIMILARITIES, ids=lambda s: s.name)
def test_every_similarity_runs_in_the_ball(similarity: Similarity) -> None:
    ball = toys.embedding(0.3, space=Poincare())
    value = Ect(similarity).measure(looked_up(ball), ball.geometry).value
    assert value < 0.5


def test_in_the_ball_lengths_are_never_cut() -> None:
    ball = toys.embedding(0.3, space=Poincare())
    one, other = (
        Ect(NEGATIVE_DISTANCE, unit_vectors=cut).measure(looked_up(ball), ball.geometry)
        for cut in (False, True)
    )
    assert one.words == other.words


def test_the_words_can_be_resampled() -> None:
    toy = toys.embedding(0.3)
    score = Ect().measure(looked_up(toy), toy.geometry)
    assert isinstance(score.samples, OneSample)
    assert score.samples.effect(score.samples.rows[None])[0] == score.value


def test_words_without_ranks_have_no_correlation() -> None:
    words: dict[str, list[tuple[float, ...]]] = {
        "x": [(0, 1)],
        "y": [(0, 2)],
        "a": [(1, 0)],
        "b": [(0, 1)],
    }
    with pytest.raises(UndefinedError, match="no ranks to compare"):
        Ect().measure(placed(words), Euclidean())


# --- mac ---


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


def test_the_words_can_be_resampled_mac() -> None:
    toy = toys.embedding(0.3)
    score = Mac().measure(looked_up(toy), toy.geometry)
    assert isinstance(score.samples, OneSample)
    batch = np.stack([score.samples.rows, score.samples.rows[::-1]])
    np.testing.assert_allclose(score.samples.effect(batch), score.value)


# --- rnd ---


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


def test_the_words_can_be_resampled_rnd() -> None:
    toy = toys.embedding(0.3)
    score = Rnd().measure(looked_up(toy), toy.geometry)
    assert isinstance(score.samples, OneSample)
    assert score.samples.effect(score.samples.rows[None])[0] == score.value

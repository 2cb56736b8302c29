import numpy as np
import pytest
from scipy.stats import spearmanr

from fairvec.core.errors import UndefinedError
from fairvec.geometry import NEGATIVE_DISTANCE, SIMILARITIES, Euclidean, Poincare, Similarity
from fairvec.metrics.base import OneSample
from fairvec.metrics.bias.list_means import Ect
from tests import toys
from tests.metrics.crowds import looked_up, placed, rows, units


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

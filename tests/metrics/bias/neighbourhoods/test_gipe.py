from collections import defaultdict

import numpy as np
import pytest

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.embedding import Embedding, Step
from fairvec.geometry import Euclidean, FloatArray
from fairvec.metrics.base import OneSample
from fairvec.metrics.bias.indirect import Gipe
from tests import toys
from tests.metrics.crowds import crowd, direction, looked_up, placed, units

N, THETA = 6, 0.05


def beta(w: FloatArray, v: FloatArray, g: FloatArray) -> float:
    """Bolukbasi's indirect bias of two unit vectors; none where they are not alike."""
    if w @ v <= 0:
        return 0.0
    left_w, left_v = w - (w @ g) * g, v - (v @ g) * g
    without = left_w @ left_v / np.sqrt((left_w @ left_w) * (left_v @ left_v))
    return float((w @ v - without) / (w @ v))


def textbook(now: Embedding, before: Embedding) -> tuple[list[float], float]:
    """The graph of the paper in plain loops: neighbours of now, edges weighed as before."""
    vectors = units(now.rows(now.keys))
    old, g = dict(zip(before.keys, units(before.rows(before.keys)), strict=True)), direction(before)
    eta, reaching = {}, defaultdict(list)
    words = [*toys.WORDS["x"], *toys.WORDS["y"]]
    for word in words:
        cosines = (vectors @ vectors[now.positions[word]]).round(12)
        order = np.argsort(-cosines, kind="stable")  # words with one vector in their order
        near = [now.keys[row] for row in order if now.keys[row] != word][:N]
        edges = [beta(old[word], old[other], g) > THETA for other in near]
        eta[word] = sum(edges) / N
        for other, edge in zip(near, edges, strict=True):
            reaching[other].append(edge)
    gamma = {w: 1 + (np.mean(reaching[w]) if reaching[w] else 0) for w in words}
    total = sum(gamma[w] * eta[w] for w in words) / sum(gamma.values())
    return [eta[w] for w in words], float(total)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_weighted_share_of_illicit_neighbours(seed: int) -> None:
    model = crowd(0.5, seed=seed)
    score = Gipe(N, THETA).measure(looked_up(model), model.geometry)
    eta, total = textbook(model, model)
    assert 0 < total < 1
    assert score.value == pytest.approx(total, rel=1e-12)
    assert [share.leaning for share in score.words] == pytest.approx(eta)


def test_a_debiased_embedding_keeps_the_edges_of_the_original() -> None:
    original = crowd(0.5)
    g = direction(original)
    now = original.moved_to(
        original.vectors - 0.9 * np.outer(original.vectors @ g, g), Step("shrink")
    )
    score = Gipe(N, THETA, original=original).measure(looked_up(now), now.geometry)
    assert score.value == pytest.approx(textbook(now, original)[1], rel=1e-12)
    assert textbook(now, original)[1] != textbook(now, now)[1]


def star(lean: float) -> list[tuple[float, ...]]:
    """Eight words with nothing in common but their lean along the first axis."""
    return [(lean, *row) for row in np.eye(8).tolist()]


def test_words_that_are_alike_by_their_lean_alone_are_all_illicit() -> None:
    words, others = star(1.0)[:4], star(1.0)[4:]
    pole = (0.0,) * 8
    groups = placed({"x": words[:2], "y": words[2:], "a": [(1, *pole)], "b": [(-1, *pole)]}, others)
    assert Gipe(5).measure(groups, Euclidean()).value == 1


@pytest.mark.parametrize("threshold", [0.05, 0.0])
def test_words_that_do_not_lean_are_neutral(threshold: float) -> None:
    arc: list[tuple[float, ...]] = [(0, np.cos(t), np.sin(t)) for t in np.linspace(0, 1, 12)]
    groups = placed({"x": arc[:2], "y": arc[2:4], "a": [(1, 0, 0)], "b": [(-1, 0, 0)]}, arc[4:])
    assert Gipe(5, threshold).measure(groups, Euclidean()).value == Gipe().neutral


def test_a_neighbour_at_a_right_angle_owes_nothing() -> None:
    groups = placed(
        {"x": [(0, 1, 0)], "y": [(0, 0, 1)], "a": [(1, 0, 0)], "b": [(-1, 0, 0)]}, [(0, -1, -1)]
    )
    assert Gipe(4).measure(groups, Euclidean()).value == 0


def test_the_words_can_be_resampled() -> None:
    model = crowd(0.5)
    score = Gipe(N).measure(looked_up(model), model.geometry)
    assert isinstance(score.samples, OneSample)
    batch = np.stack([score.samples.rows, score.samples.rows[::-1]])
    np.testing.assert_allclose(score.samples.effect(batch), score.value)


def test_no_neighbours_are_refused() -> None:
    with pytest.raises(SettingError, match="neighbours is 0; it must be 1 or more"):
        Gipe(0)


def test_a_small_vocabulary_has_too_few_neighbours() -> None:
    model = crowd(0.5)
    with pytest.raises(UndefinedError, match="fewer than 100"):
        Gipe().measure(looked_up(model), model.geometry)

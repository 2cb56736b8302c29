from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.geometry import Euclidean, Poincare
from fairvec.lexicon import resolve, select_tests
from fairvec.metrics.bias.direction import GyrocosineBias
from tests.metrics.along import looked_up

LISTS = {
    "words": {"one": (0.2, 0.1, 0.3), "two": (-0.3, 0.2, 0.0)},
    "a": {"he": (0.3, 0.4, 0.0), "man": (0.5, 0.0, 0.12)},
    "b": {"she": (-0.3, 0.4, 0.1), "woman": (-0.5, 0.0, 0.12)},
}


@pytest.mark.parametrize("c", [1.0, 0.5])
def test_the_formula_step_by_step(c: float) -> None:
    ball = Poincare(c)
    m, f = (ball.mean(np.array([*LISTS[role].values()])).point for role in "ab")

    def cosine(u: np.ndarray, v: np.ndarray) -> float:
        return float(u @ v / np.sqrt((u @ u) * (v @ v)))

    g_mf, g_fm = ball.add(-m, f), ball.add(-f, m)
    expected = [
        (cosine(np.array(w), g_mf) - cosine(np.array(w), g_fm)) / 2 for w in LISTS["words"].values()
    ]
    score = GyrocosineBias().measure(looked_up(LISTS, space=ball), ball)
    assert [share.leaning for share in score.words] == pytest.approx(expected, rel=1e-12)
    assert score.value == pytest.approx(np.mean(expected), rel=1e-12)


def test_positive_leans_to_b() -> None:
    score = GyrocosineBias().measure(looked_up(LISTS, space=Poincare()), Poincare())
    one, two = (share.leaning for share in score.words)
    assert one < 0 < two


def test_in_flat_space_it_is_the_cosine_with_the_difference_of_the_means() -> None:
    score = GyrocosineBias().measure(looked_up(LISTS), Euclidean())
    lists = {role: np.array([*words.values()]) for role, words in LISTS.items()}
    g = lists["b"].mean(axis=0) - lists["a"].mean(axis=0)
    expected = lists["words"] @ g / np.linalg.norm(lists["words"], axis=1) / np.linalg.norm(g)
    assert [share.leaning for share in score.words] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("how", "expected"), [("pairs-pca", 0.9123), ("mean-difference", 0.9131)])
def test_it_agrees_with_the_direct_bias_of_the_twin(
    shared_data: Path, how: str, expected: float
) -> None:
    """Kumar et al. (2020), Figure 1, print r = .952 on their two models."""
    folder = shared_data / "emb_glove_and_poincare_glove_en"
    twin = fairvec.load(folder / "glove_enwiki2_50k_100d.npz")
    ball = fairvec.load(folder / "poincare_glove_enwiki2_50k_100d.npz", geometry="poincare")
    test = select_tests(["bolukbasi2016/professions"])[0].test
    direct = fairvec.metrics.metric("signed-direct-bias", direction=how)
    flat = direct.measure(resolve(test, twin), twin.geometry)
    curved = GyrocosineBias().measure(resolve(test, ball), ball.geometry)
    leanings = [
        {share.found.key: share.leaning for share in score.words} for score in (flat, curved)
    ]
    shared = [key for key in leanings[0] if key in leanings[1]]
    # Direct bias is positive towards he, gyrocosine bias towards she.
    r = -np.corrcoef([[one[key] for key in shared] for one in leanings])[0, 1]
    assert len(shared) > 250
    assert r == pytest.approx(expected, abs=2e-4)

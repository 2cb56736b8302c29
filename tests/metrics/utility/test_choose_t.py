import numpy as np
import pytest

from fairvec.core.errors import UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import COSINE, FloatArray, Poincare
from fairvec.metrics.utility.analogy import TS, Analogies, choose_t

PAIRS = [(f"m{n}", f"f{n}") for n in range(8)]


def model() -> Embedding:
    """Pairs that differ by about one translation, among other words."""
    generator = np.random.default_rng(0)
    men: FloatArray = generator.normal(size=(8, 5)) * 0.25
    women = men + 0.12 + generator.normal(size=men.shape) * 0.05
    others = generator.normal(size=(60, 5)) * 0.25
    keys = [word for side in zip(*PAIRS, strict=True) for word in side]
    keys += [f"w{n}" for n in range(len(others))]
    points = Poincare().project(np.concatenate([men, women, others]) * 0.8).points
    return Embedding(keys, points, Poincare(), "pairs")


def test_the_best_t_on_average_is_chosen() -> None:
    chosen = choose_t(PAIRS, model())
    assert tuple(chosen.scores) == TS
    assert chosen.scores[chosen.t] == max(chosen.scores.values()) > 0
    assert min(chosen.scores.values()) < chosen.scores[chosen.t]


def test_the_halves_share_no_pair_and_know_the_other_ones_choice() -> None:
    chosen = choose_t(PAIRS, model(), similarity=COSINE, seed=3)
    one, other = chosen.folds
    assert {*one.pairs} | {*other.pairs} == {*PAIRS}
    assert not {*one.pairs} & {*other.pairs}
    embedding = model()
    metric = Analogies("gyro-translation", similarity=COSINE)
    scores = []
    for fold in chosen.folds:
        asked = np.array(
            [
                [embedding.positions[word] for word in (*first, *second)]
                for first in fold.pairs
                for second in fold.pairs
                if first != second
            ]
        )
        right = metric.answers(asked[:, :3], embedding, TS) == asked[:, 3]
        scores.append(right.mean(axis=1))
    assert one.t == TS[int(np.argmax(scores[1]))]
    assert one.score == scores[0][TS.index(one.t)]
    assert other.t == TS[int(np.argmax(scores[0]))]
    assert list(chosen.scores.values()) == pytest.approx(list(np.mean(scores, axis=0)))


def test_the_seed_makes_the_halves() -> None:
    assert choose_t(PAIRS, model(), seed=1) == choose_t(PAIRS, model(), seed=1)
    assert choose_t(PAIRS, model(), seed=1).folds != choose_t(PAIRS, model(), seed=2).folds


def test_too_few_pairs_are_counted() -> None:
    with pytest.raises(UndefinedError, match="both words of 3 of the 4 pairs"):
        choose_t([*PAIRS[:3], ("he", "she")], model())
    with pytest.raises(UndefinedError, match="share their words"):
        choose_t([("m0", "f0"), ("m0", "f1"), ("m0", "f2"), ("m0", "f3")], model())

"""Laws of the measures by group and neighbourhood: what must not matter, and what must."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import ortho_group

from fairvec.embedding import Embedding, Step
from fairvec.geometry import NEGATIVE_DISTANCE, FloatArray, Geometry, Poincare
from fairvec.lexicon import resolve
from fairvec.metrics import Metric, Score
from fairvec.metrics.bias.indirect import Gipe
from fairvec.metrics.bias.list_means import Ect, Mac, Rnd
from fairvec.metrics.bias.rnsb import Rnsb
from fairvec.metrics.bias.vocabulary import BiasByClassification, BiasByClustering, BiasByNeighbours
from tests import toys
from tests.metrics.crowds import crowd

BY_GROUP: list[Metric] = [Mac(), Ect(), Ect(NEGATIVE_DISTANCE), Rnd(), Rnd(False), Rnsb()]
BY_VOCABULARY: list[Metric] = [
    Gipe(neighbours=8),
    BiasByNeighbours(neighbours=8),
    BiasByClustering(each=12),
    BiasByClassification(each=12, learnt=6),
]
EVERY = BY_GROUP + BY_VOCABULARY
IN_THE_BALL: list[Metric] = [Mac(), Ect(NEGATIVE_DISTANCE), Rnd()]

seeds = st.integers(0, 10_000)
few = settings(max_examples=12, deadline=None)


def every(metrics: list[Metric]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("metric", metrics, ids=lambda m: m.name)


def score(metric: Metric, embedding: Embedding, **roles: list[str]) -> Score:
    """The metric on the toy's test, with other lists for some roles."""
    groups = resolve(toys.suite(words={**toys.WORDS, **roles}).tests[0], embedding)
    return metric.measure(groups, embedding.geometry)


def moved(embedding: Embedding, change: Callable[[FloatArray], FloatArray]) -> Embedding:
    return embedding.moved_to(change(np.asarray(embedding.vectors)), Step("move"))


@every([metric for metric in EVERY if not isinstance(metric, Rnd | Rnsb)])
@few
@given(seed=seeds)
@example(seed=2048)  # where the order of the points once decided between two clusterings
def test_swapping_a_and_b_changes_nothing(metric: Metric, seed: int) -> None:
    model = crowd(0.3, seed=seed)
    swapped = score(metric, model, a=toys.WORDS["b"], b=toys.WORDS["a"]).value
    assert swapped == pytest.approx(score(metric, model).value, abs=1e-9)


@pytest.mark.parametrize("space", [None, Poincare()], ids=["flat", "ball"])
@few
@given(seed=seeds)
def test_swapping_a_and_b_turns_the_relative_norm_distance(
    space: Geometry | None, seed: int
) -> None:
    model = crowd(0.3, seed=seed, space=space)
    swapped = score(Rnd(), model, a=toys.WORDS["b"], b=toys.WORDS["a"]).value
    assert swapped == pytest.approx(-score(Rnd(), model).value, abs=1e-12)


@few
@given(seed=seeds)
def test_a_word_belongs_to_a_or_to_b(seed: int) -> None:
    model = crowd(0.3, seed=seed)
    b = score(Rnsb(), model).words
    a = score(Rnsb(), model, a=toys.WORDS["b"], b=toys.WORDS["a"]).words
    for one, other in zip(a, b, strict=True):
        assert one.leaning + other.leaning == pytest.approx(1, abs=1e-5)


@every(EVERY)
@few
@given(seed=seeds, order=st.randoms(use_true_random=False))
def test_the_order_of_words_is_irrelevant(metric: Metric, seed: int, order: object) -> None:
    model = crowd(0.3, seed=seed)
    shuffled = {role: list(words) for role, words in toys.WORDS.items()}
    for words in shuffled.values():
        order.shuffle(words)  # type: ignore[attr-defined]
    other = score(metric, model, **shuffled).value
    assert other == pytest.approx(score(metric, model).value, rel=1e-5, abs=1e-9)


@every(EVERY)
@few
@given(seed=seeds)
def test_the_lists_x_and_y_are_one_list_of_words(metric: Metric, seed: int) -> None:
    model = crowd(0.3, seed=seed)
    swapped = score(metric, model, x=toys.WORDS["y"], y=toys.WORDS["x"]).value
    assert swapped == pytest.approx(score(metric, model).value, rel=1e-9)


@every(EVERY)
@few
@given(seed=seeds)
def test_turning_the_space_changes_nothing(metric: Metric, seed: int) -> None:
    model = crowd(0.3, seed=seed)
    turn = ortho_group.rvs(6, random_state=seed)
    turned = score(metric, moved(model, lambda v: v @ turn)).value
    assert turned == pytest.approx(score(metric, model).value, rel=1e-5, abs=1e-9)


@every(IN_THE_BALL)
@few
@given(seed=seeds)
def test_turning_the_ball_changes_nothing(metric: Metric, seed: int) -> None:
    model = crowd(0.3, seed=seed, space=Poincare())
    turn = ortho_group.rvs(6, random_state=seed)
    turned = score(metric, moved(model, lambda v: v @ turn)).value
    assert turned == pytest.approx(score(metric, model).value, rel=1e-9, abs=1e-12)


@every([metric for metric in EVERY if metric not in (Rnsb(), Rnd(False))])
@few
@given(seed=seeds, scale=st.floats(0.01, 100))
def test_the_unit_of_length_is_irrelevant(metric: Metric, seed: int, scale: float) -> None:
    model = crowd(0.3, seed=seed)
    scaled = score(metric, moved(model, lambda v: v * scale)).value
    assert scaled == pytest.approx(score(metric, model).value, rel=1e-9, abs=1e-12)


BOUNDS: dict[str, tuple[float, float]] = {
    "mac": (0, 2),
    "ect": (-1, 1),
    "rnd": (-2, 2),
    "rnsb": (0, np.log(10)),
    "gipe": (0, 1),
    "bias-by-neighbours": (-1, 1),
    "bias-by-clustering": (0.5, 1),
    "bias-by-classification": (0, 1),
}


@every(EVERY)
@few
@given(seed=seeds, bias=st.floats(0.1, 3))
def test_values_keep_their_bounds_and_every_word_has_its_number(
    metric: Metric, seed: int, bias: float
) -> None:
    found = score(metric, crowd(bias, seed=seed))
    low, high = BOUNDS[metric.name]
    assert low <= found.value <= high
    words = [*toys.WORDS["x"], *toys.WORDS["y"]] if "words" in metric.needs else []
    assert [share.found.key for share in found.words] == words


@few
@given(seed=seeds)
def test_a_relative_norm_distance_is_at_most_that_of_the_means(seed: int) -> None:
    model = crowd(0.3, seed=seed)
    means = [model.rows(toys.WORDS[role]).mean(axis=0) for role in "ab"]
    for share in score(Rnd(False), model).words:
        assert abs(share.leaning) <= np.linalg.norm(means[0] - means[1]) + 1e-12


@every(BY_VOCABULARY)
@few
@given(seed=seeds)
def test_a_changed_embedding_is_measured_by_its_own_vectors(metric: Metric, seed: int) -> None:
    original = crowd(0.3, seed=seed)
    with_original = replace(metric, original=original)  # type: ignore[type-var]
    same = score(with_original, moved(original, lambda v: v * 2)).value
    assert same == pytest.approx(score(metric, original).value, abs=1e-12)


@pytest.mark.parametrize("metric", BY_VOCABULARY[1:], ids=lambda m: m.name)
def test_vectors_dealt_out_anew_forget_how_words_leant(metric: Metric) -> None:
    kept, dealt = [], []
    for seed in range(12):
        original = crowd(1.0, seed=seed)
        order = np.random.default_rng(seed).permutation(len(original))
        with_original = replace(metric, original=original)  # type: ignore[type-var]
        kept.append(score(metric, original).value)
        dealt.append(score(with_original, moved(original, lambda v, o=order: v[o])).value)  # type: ignore[misc]
    assert metric.neutral is not None
    assert np.mean(kept) > 0.95
    assert abs(np.mean(dealt) - metric.neutral) < 0.15


def test_lists_of_random_words_score_as_high() -> None:
    """The words are chosen by their lean, so a high figure alone is no evidence of bias."""
    unbiased = crowd(0.0, others=400)
    lists = {"a": ["w1", "w2", "w3"], "b": ["w4", "w5", "w6"]}
    assert score(BiasByClustering(each=30), unbiased, **lists).value > 0.9
    assert score(BiasByClassification(each=60, learnt=20), unbiased, **lists).value > 0.9
    assert score(BiasByNeighbours(neighbours=20), unbiased, **lists).value > 0.5

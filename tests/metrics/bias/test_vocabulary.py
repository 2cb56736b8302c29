"""Metrics over the vocabulary: neighbours, clustering, classification."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.stats import pearsonr

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.embedding import Embedding, Step
from fairvec.geometry import Euclidean, FloatArray
from fairvec.metrics.base import OneSample
from fairvec.metrics.bias import vocabulary
from fairvec.metrics.bias.vocabulary import (
    BiasByClassification,
    BiasByClustering,
    BiasByNeighbours,
    cosines_with,
    groups_in_original,
    most_extreme,
    nearest_words,
    unit_blocks,
)
from tests import toys
from tests.metrics.vocabularies import crowd, direction, extremes, looked_up, placed, units

# --- vocabulary ---


AXIS = np.eye(6)[0]


def test_blocks_hold_every_word_once() -> None:
    model = crowd(0.3, others=600)
    starts, blocks = zip(*unit_blocks(model, 300), strict=True)
    assert starts == (0, 300, 600)
    np.testing.assert_allclose(np.concatenate(blocks), units(model.rows(model.keys)), rtol=1e-12)


def test_a_word_of_more_numbers_than_a_block_is_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "NUMBERS_AT_A_TIME", 5)
    assert [start for start, _ in unit_blocks(crowd(0.3, others=4), 300)][:3] == [0, 1, 2]


def test_leanings_are_cosines_whatever_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    model = crowd(0.3, others=600)
    monkeypatch.setattr(vocabulary, "NUMBERS_AT_A_TIME", 600)
    expected = units(model.rows(model.keys))[:, 0]
    np.testing.assert_allclose(cosines_with(AXIS, model), expected, rtol=1e-12)


@pytest.mark.parametrize(
    "step",
    [
        Step("subset", {"of": "glove-6b-100d", "most_frequent": 40}),
        Step("read", {"words_wanted": 60, "words_found": 50}),
        Step("read", {"file": "crowd.txt"}),
    ],
)
def test_a_cut_is_asked_among_its_words(step: Step) -> None:
    model = crowd(0.3)
    cut = replace(model, history=(step, Step("normalise")))
    np.testing.assert_array_equal(cosines_with(AXIS, cut), cosines_with(AXIS, model))
    found, expected = (nearest_words(m.rows(["man"]), ["man"], m, 3).rows for m in (cut, model))
    np.testing.assert_array_equal(found, expected)
    assert cut.is_cut == ("file" not in step.details)


@pytest.mark.parametrize("words", ["those of tests", "those of all corpora"])
def test_words_that_a_task_chose_have_no_neighbours(words: str) -> None:
    model = crowd(0.3)
    part = replace(model, history=(Step("subset", {"of": "crowd", "words": words}),))
    for ask in (
        lambda: cosines_with(AXIS, part),
        lambda: nearest_words(part.rows(["man"]), ["man"], part, 2),
    ):
        with pytest.raises(UndefinedError, match=f"of crowd only {words} are here"):
            ask()


def test_a_vector_of_length_zero_leans_nowhere() -> None:
    model = Embedding(["one", "none"], np.array([[3.0, 4.0], [0.0, 0.0]]))
    np.testing.assert_allclose(cosines_with(np.array([1.0, 0.0]), model), [0.6, 0])


def test_the_most_leaning_words_are_the_ends_of_the_order_without_a_and_b() -> None:
    model = crowd(0.3)
    leanings = cosines_with(AXIS, model)
    a, b = most_extreme(leanings, looked_up(model), 5)
    attributes = {*toys.WORDS["a"], *toys.WORDS["b"]}
    order = sorted(
        (lean, key) for lean, key in zip(leanings, model.keys, strict=True) if key not in attributes
    )
    assert [model.keys[row] for row in b] == [key for _, key in order[:5]]
    assert [model.keys[row] for row in a] == [key for _, key in reversed(order[-5:])]


def test_too_few_words_are_reported() -> None:
    model = crowd(0.3)
    with pytest.raises(UndefinedError, match="50 words besides A and B and 52 are needed"):
        most_extreme(cosines_with(AXIS, model), looked_up(model), 26)
    ends = most_extreme(cosines_with(AXIS, model), looked_up(model), 25)
    assert len({*ends.a, *ends.b}) == 50


@pytest.mark.parametrize("apart", [0.0, vocabulary.NOTICEABLE])
def test_words_that_lean_no_more_than_rounding_are_reported(apart: float) -> None:
    model = crowd(0.3)
    leanings = np.zeros(len(model))
    leanings[-1] = apart
    with pytest.raises(UndefinedError, match="the setting original"):
        most_extreme(leanings, looked_up(model), 5)
    leanings[-1] = 2 * vocabulary.NOTICEABLE
    assert most_extreme(leanings, looked_up(model), 5).a[0] == len(model) - 1


def test_without_an_original_the_words_are_those_of_now() -> None:
    groups = looked_up(crowd(0.3))
    assert groups_in_original(groups, None) is groups


def test_the_original_gives_the_same_words_with_their_old_vectors() -> None:
    original = crowd(0.3)
    now = original.with_vectors(-original.vectors, Step("turn around"))
    before = groups_in_original(looked_up(now), original)
    assert before.source is original
    np.testing.assert_array_equal(before["x"].vectors, -looked_up(now)["x"].vectors)


def test_an_original_with_other_keys_is_refused() -> None:
    with pytest.raises(SettingError, match="do not hold the same keys"):
        groups_in_original(looked_up(crowd(0.3)), crowd(0.3, others=3))


def test_a_word_that_only_the_original_knows_is_reported() -> None:
    original = crowd(0.3)
    vectors = original.vectors.copy()
    vectors[0] = 0
    now = original.with_vectors(vectors, Step("lose a word"))
    with pytest.raises(UndefinedError, match="Not the same words"):
        groups_in_original(looked_up(now), original)


# --- neighbourhood ---


def brute_force(embedding: Embedding, key: str, count: int, without: set[str]) -> list[str]:
    cosines = units(embedding.rows(embedding.keys)) @ units(embedding.rows([key]))[0]
    order = [embedding.keys[row] for row in np.argsort(-cosines.round(12), kind="stable")]
    return [other for other in order if other not in {key, *without}][:count]


def test_the_nearest_words_are_those_of_brute_force() -> None:
    model = crowd(0.3, others=700)
    keys, without = ["office", "w3", "man"], {"woman", "w7", "not there"}
    near = nearest_words(model.rows(keys), keys, model, 9, without=without)
    for key, rows, cosines in zip(keys, near.rows, near.cosines, strict=True):
        found = [model.keys[row] for row in rows]
        assert found == brute_force(model, key, 9, without)
        np.testing.assert_allclose(
            cosines, units(model.rows(found)) @ units(model.rows([key]))[0], rtol=1e-12
        )


def test_a_point_that_is_no_word_has_neighbours_too() -> None:
    model = crowd(0.3)
    point = model.rows(["man", "boy"]).mean(axis=0)[None]
    near = nearest_words(point, ["man + boy"], model, 2)
    assert {model.keys[row] for row in near.rows[0]} & {"man", "boy"}
    # No word is its own, so all of them may be its neighbours.
    every = nearest_words(point, ["man + boy"], model, len(model))
    assert sorted(every.rows[0]) == list(range(len(model)))


def test_a_vector_of_length_zero_is_no_neighbour() -> None:
    model = Embedding(["one", "two", "none", "three"], np.array([[1, 0], [1, 1], [0, 0], [-1, 1]]))
    near = nearest_words(model.rows(["one"]), ["one"], model, 2)
    np.testing.assert_array_equal(near.rows, [[1, 3]])


def test_too_few_words_to_be_neighbours_is_reported() -> None:
    model = crowd(0.3, others=0)
    with pytest.raises(UndefinedError, match="crowd has fewer than 18 other words"):
        nearest_words(model.rows(["man"]), ["man"], model, 18)
    assert nearest_words(model.rows(["man"]), ["man"], model, 17).rows.shape == (1, 17)


# --- neighbours ---


POLES: dict[str, list[tuple[float, ...]]] = {"a": [(1, 0, 0, 0, 0)], "b": [(-1, 0, 0, 0, 0)]}


@pytest.mark.parametrize("changed", [False, True])
def test_it_is_the_correlation_with_the_neighbours_leanings(changed: bool) -> None:
    original = crowd(0.3)
    now = original.with_vectors(original.vectors * [0.1, 1, 1, 1, 1, 1], Step("shrink"))
    now = now if changed else original
    leanings = units(original.rows(original.keys)) @ direction(original)
    new = units(now.rows(now.keys))
    excluded = [*toys.WORDS["a"], *toys.WORDS["b"]]
    own, shares = [], []
    for word in [*toys.WORDS["x"], *toys.WORDS["y"]]:
        order = np.argsort(-(new @ new[now.positions[word]]))
        near = [row for row in order if now.keys[row] not in {word, *excluded}][:7]
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


# --- clustering ---


POLES_CLUSTERING: dict[str, list[tuple[float, ...]]] = {"a": [(1, 0)], "b": [(-1, 0)]}


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
    now = original.with_vectors(original.vectors * [0.5, 1, 1, 1, 1, 1], Step("shrink"))
    sides = best_division(units(now.rows(extremes(original, 5))))
    right = np.mean(sides == np.repeat([0, 1], 5))
    score = BiasByClustering(5, original=original).measure(looked_up(now), now.geometry)
    assert score.value == pytest.approx(max(right, 1 - right))


def test_two_bunches_are_distinguished() -> None:
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
        **POLES_CLUSTERING,
    }
    value = BiasByClustering(2).measure(placed(words), Euclidean()).value
    assert value == BiasByClustering().neutral


def test_words_that_no_longer_differ_have_no_clusters() -> None:
    original = crowd(0.3)
    now = original.with_vectors(np.ones_like(original.vectors), Step("flatten"))
    with pytest.raises(UndefinedError, match="nothing to divide"):
        BiasByClustering(5, original=original).measure(looked_up(now), now.geometry)


def test_words_without_a_lean_ask_for_the_original() -> None:
    words: dict[str, list[tuple[float, ...]]] = {"x": [(0, 1)], "y": [(0, -1)], **POLES_CLUSTERING}
    with pytest.raises(UndefinedError, match="the setting original"):
        BiasByClustering(1).measure(placed(words), Euclidean())


def test_a_side_without_words_is_refused() -> None:
    with pytest.raises(SettingError, match="each is 0; it must be 1 or more"):
        BiasByClustering(0)


# --- classification ---


def test_it_is_the_accuracy_on_unseen_words() -> None:
    from sklearn.svm import SVC

    original = crowd(0.3, others=200)
    now = original.with_vectors(original.vectors * [0.3, 1, 1, 1, 1, 1], Step("shrink"))
    points, sides = units(now.rows(extremes(original, 40))), np.repeat(["a", "b"], 40)
    drawn = np.random.default_rng(7).permutation(40)[:15]
    learnt = np.isin(np.arange(80) % 40, drawn)
    kernel = np.exp(-((points[:, None] - points[None]) ** 2).sum(axis=-1) / 6)
    machine = SVC(kernel="precomputed").fit(kernel[np.ix_(learnt, learnt)], sides[learnt])
    guesses = machine.predict(kernel[np.ix_(~learnt, learnt)])
    metric = BiasByClassification(40, 15, original=original, seed=7)
    value = metric.measure(looked_up(now), now.geometry).value
    assert 0.5 < value < 1
    assert value == pytest.approx(np.mean(guesses == sides[~learnt]))


def test_two_bunches_are_learnt() -> None:
    model = crowd(5)
    assert BiasByClassification(10, 4).measure(looked_up(model), model.geometry).value == 1


def test_words_that_no_longer_differ_are_neutral() -> None:
    original = crowd(0.3)
    now = original.with_vectors(np.ones_like(original.vectors), Step("flatten"))
    metric = BiasByClassification(10, 4, original=original)
    assert metric.measure(looked_up(now), now.geometry).value == metric.neutral


def test_a_small_vocabulary_has_too_few_words() -> None:
    model = crowd(0.3)
    with pytest.raises(UndefinedError, match="5000 are needed"):
        BiasByClassification().measure(looked_up(model), model.geometry)


@pytest.mark.parametrize("learnt", [0, 10])
def test_words_must_be_learnt_and_left(learnt: int) -> None:
    with pytest.raises(SettingError, match=r"learnt is (10 of each 10 words|0; it must be 1)"):
        BiasByClassification(10, learnt)

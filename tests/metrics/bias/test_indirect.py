"""Indirect bias and GIPE."""

from collections import defaultdict

import numpy as np
import pytest

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.embedding import Embedding, Step
from fairvec.geometry import Euclidean, FloatArray
from fairvec.lexicon import resolve
from fairvec.metrics import OneSample
from fairvec.metrics.bias.direction import bias_direction
from fairvec.metrics.bias.indirect import Gipe, IndirectBias
from tests import toys
from tests.metrics.toys import cosine, looked_up, pairwise_beta
from tests.metrics.vocabularies import crowd, direction, placed, units
from tests.metrics.vocabularies import looked_up as looked_up_gipe

# --- indirect bias ---


G = np.array([1.0, 0.0, 0.0])
SIDES = {"a": {"he": (1, 0, 0)}, "b": {"she": (-1, 0, 0)}}


def beta(w: FloatArray, v: FloatArray, g: FloatArray) -> float:
    """Bolukbasi's formula, term by term."""
    w, v = w / np.sqrt(w @ w), v / np.sqrt(v @ v)
    w_rest, v_rest = w - (w @ g) * g, v - (v @ g) * g
    without = w_rest @ v_rest / (np.sqrt(w_rest @ w_rest) * np.sqrt(v_rest @ v_rest))
    return float((w @ v - without) / (w @ v))


def test_beta_by_hand() -> None:
    """(3,4,0) and (3,0,4): all likeness passes through g; (3,4,0) and (-3,4,0): less than none."""
    words = np.array([[3.0, 4.0, 0.0]])
    others = np.array([[3.0, 0.0, 4.0], [-3.0, 4.0, 0.0], [3.0, 4.0, 0.0]])
    # w.v = 9/25 and nothing without g; w.v = 7/25 and 1 without g; 1 and 1.
    np.testing.assert_allclose(pairwise_beta(words, others, G), [[1, -18 / 7, 0]], atol=1e-14)


@pytest.mark.parametrize("seed", range(3))
def test_beta_equals_its_formula(seed: int) -> None:
    noise = np.random.default_rng(seed)
    words, others, g = noise.normal(size=(4, 7)), noise.normal(size=(3, 7)), noise.normal(size=7)
    g /= np.sqrt(g @ g)
    expected = [[beta(w, v, g) if w @ v > 0 else 0 for v in others] for w in words]
    assert 0 < np.count_nonzero(expected) < 12
    np.testing.assert_allclose(pairwise_beta(words, others, g), expected, rtol=1e-10)


def test_the_share_by_hand() -> None:
    groups = looked_up({"words": {"one": (3, 4, 0), "two": (3, 0, 4), "three": (0, 4, 3)}, **SIDES})
    score = IndirectBias().measure(groups, Euclidean())
    # Likenesses 9/25, 16/25, 12/25; without the first axis 0, 4/5 and 3/5.
    alike, without = np.array([9, 16, 12]) / 25, np.array([0, 20, 15]) / 25
    assert score.value == pytest.approx((alike - without).sum() / alike.sum(), rel=1e-12)
    owed = [(9 - 4) / 50, (9 - 3) / 50, (-4 - 3) / 50]
    assert [share.leaning for share in score.words] == pytest.approx(owed, rel=1e-12)


def test_targets_of_two_lists_are_paired_across() -> None:
    toy = toys.embedding(0.3)
    embedding = toy.with_vectors(toy.vectors + np.array([0, 0, 0, 0, 0, 0.4]), Step("shift", {}))
    groups = resolve(toys.suite().tests[0], embedding)
    score = IndirectBias().measure(groups, Euclidean())
    g = bias_direction(groups)
    pairs = [
        (beta(w, v, g), cosine(w, v))
        for w in embedding.rows(toys.WORDS["x"])
        for v in embedding.rows(toys.WORDS["y"])
    ]
    expected = sum(b * alike for b, alike in pairs) / sum(alike for _, alike in pairs)
    assert score.value == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("lists", [("words",), ("x", "y")])
def test_a_resample_counts_each_pair_of_different_words_as_often_as_it_was_drawn(
    lists: tuple[str, ...],
) -> None:
    noise = np.random.default_rng(1)
    rows = noise.normal(size=(6, 3)) + 1
    names = [(role, f"{role}{i}") for i, role in enumerate(np.resize(lists, 6))]
    names.sort(key=lambda name: lists.index(name[0]))
    drawn: dict[str, dict[str, tuple[float, ...]]] = {role: {} for role in lists}
    for (role, name), row in zip(names, rows, strict=True):
        drawn[role][name] = tuple(row)
    score = IndirectBias().measure(looked_up({**drawn, **SIDES}), Euclidean())
    assert isinstance(score.samples, OneSample)
    cases = noise.integers(6, size=(4, 6))
    expected = []
    for case in cases:
        pairs = [
            (beta(rows[i], rows[j], G), cosine(rows[i], rows[j]))
            for i in case
            for j in case
            if i != j and (len(lists) == 1 or names[i][0] != names[j][0])
        ]
        expected.append(sum(b * alike for b, alike in pairs) / sum(alike for _, alike in pairs))
    found = score.samples.effect(score.samples.rows[cases])
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_a_resample_of_one_word_has_no_share() -> None:
    groups = looked_up({"words": {"one": (3, 4, 0), "two": (3, 0, 4)}, **SIDES})
    sample = IndirectBias().measure(groups, Euclidean()).samples
    assert isinstance(sample, OneSample)
    assert np.isnan(sample.effect(sample.rows[[[0, 0]]])).all()


def test_leaning_at_random_costs_about_the_mean_square_of_the_cosines() -> None:
    noise = np.random.default_rng(0)
    rows = np.column_stack([noise.normal(size=200) * 0.1, np.ones(200), noise.normal(size=200)])
    words = {f"w{i}": tuple(row) for i, row in enumerate(rows)}
    score = IndirectBias().measure(looked_up({"words": words, **SIDES}), Euclidean())
    cosines = rows[:, 0] / np.sqrt((rows**2).sum(axis=1))
    assert score.value == pytest.approx(-(cosines**2).mean(), rel=0.2)


def test_words_without_likeness_have_no_share_of_it() -> None:
    others = np.array([[0.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
    np.testing.assert_array_equal(pairwise_beta(np.array([[0.0, 1.0, 0.0]]), others, G), [[0, 0]])
    across = looked_up({"words": {"one": (0, 1, 0), "two": (0, 0, 1)}, **SIDES})
    with pytest.raises(UndefinedError, match="not alike"):
        IndirectBias().measure(across, Euclidean())


def test_words_that_are_unlike_on_the_whole_have_no_share_either() -> None:
    unlike = looked_up({"words": {"one": (1, 1, 0), "two": (1, -2, 0)}, **SIDES})
    with pytest.raises(UndefinedError, match="not alike"):
        IndirectBias().measure(unlike, Euclidean())


def test_one_word_makes_no_pair() -> None:
    with pytest.raises(UndefinedError, match="not alike"):
        IndirectBias().measure(looked_up({"words": {"one": (1, 1, 0)}, **SIDES}), Euclidean())


def test_a_word_on_the_direction_owes_all_its_likeness_to_it() -> None:
    g = np.array([1.0, 2.0, 3.0]) / np.sqrt(14)
    others = np.array([[1.0, 0.0, 1.0], [2.0, 4.0, 6.0]])
    np.testing.assert_array_equal(pairwise_beta(np.array([3 * g]), others, g), [[1, 1]])
    on_it = looked_up({"words": {"on": (2, 0, 0), "off": (3, 0, 4)}, **SIDES})
    assert IndirectBias().measure(on_it, Euclidean()).value == 1


# --- gipe ---


N, THETA = 6, 0.05


def beta_gipe(w: FloatArray, v: FloatArray, g: FloatArray) -> float:
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
        edges = [beta_gipe(old[word], old[other], g) > THETA for other in near]
        eta[word] = sum(edges) / N
        for other, edge in zip(near, edges, strict=True):
            reaching[other].append(edge)
    gamma = {w: 1 + (np.mean(reaching[w]) if reaching[w] else 0) for w in words}
    total = sum(gamma[w] * eta[w] for w in words) / sum(gamma.values())
    return [eta[w] for w in words], float(total)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_weighted_share_of_illicit_neighbours(seed: int) -> None:
    model = crowd(0.5, seed=seed)
    score = Gipe(N, THETA).measure(looked_up_gipe(model), model.geometry)
    eta, total = textbook(model, model)
    assert 0 < total < 1
    assert score.value == pytest.approx(total, rel=1e-12)
    assert [share.leaning for share in score.words] == pytest.approx(eta)


def test_a_debiased_embedding_keeps_the_edges_of_the_original() -> None:
    original = crowd(0.5)
    g = direction(original)
    now = original.with_vectors(
        original.vectors - 0.9 * np.outer(original.vectors @ g, g), Step("shrink")
    )
    score = Gipe(N, THETA, original=original).measure(looked_up_gipe(now), now.geometry)
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
    score = Gipe(N).measure(looked_up_gipe(model), model.geometry)
    assert isinstance(score.samples, OneSample)
    batch = np.stack([score.samples.rows, score.samples.rows[::-1]])
    np.testing.assert_allclose(score.samples.effect(batch), score.value)


def test_no_neighbours_are_refused() -> None:
    with pytest.raises(SettingError, match="neighbours is 0; it must be 1 or more"):
        Gipe(0)


def test_a_small_vocabulary_has_too_few_neighbours() -> None:
    model = crowd(0.5)
    with pytest.raises(UndefinedError, match="fewer than 100"):
        Gipe().measure(looked_up_gipe(model), model.geometry)

import numpy as np
import pytest

from fairvec.core.errors import UndefinedError
from fairvec.embedding import Step
from fairvec.geometry import Euclidean, FloatArray
from fairvec.lexicon import resolve
from fairvec.metrics import OneSample
from fairvec.metrics.bias.direction import bias_direction
from fairvec.metrics.bias.indirect import IndirectBias, indirect_bias
from tests import toys
from tests.metrics.along import cosine, looked_up

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
    np.testing.assert_allclose(indirect_bias(words, others, G), [[1, -18 / 7, 0]], atol=1e-14)


@pytest.mark.parametrize("seed", range(3))
def test_beta_equals_its_formula(seed: int) -> None:
    noise = np.random.default_rng(seed)
    words, others, g = noise.normal(size=(4, 7)), noise.normal(size=(3, 7)), noise.normal(size=7)
    g /= np.sqrt(g @ g)
    expected = [[beta(w, v, g) if w @ v > 0 else 0 for v in others] for w in words]
    assert 0 < np.count_nonzero(expected) < 12
    np.testing.assert_allclose(indirect_bias(words, others, g), expected, rtol=1e-10)


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
    embedding = toy.moved_to(toy.vectors + np.array([0, 0, 0, 0, 0, 0.4]), Step("shift", {}))
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
    np.testing.assert_array_equal(indirect_bias(np.array([[0.0, 1.0, 0.0]]), others, G), [[0, 0]])
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
    np.testing.assert_array_equal(indirect_bias(np.array([3 * g]), others, g), [[1, 1]])
    on_it = looked_up({"words": {"on": (2, 0, 0), "off": (3, 0, 4)}, **SIDES})
    assert IndirectBias().measure(on_it, Euclidean()).value == 1

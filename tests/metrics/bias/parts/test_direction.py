from collections.abc import Sequence

import numpy as np
import pytest

from fairvec.core.errors import UndefinedError, UnknownNameError
from fairvec.geometry import FloatArray
from fairvec.geometry.directions import first_component, mean_difference, pairs_pca
from fairvec.geometry.norms import normalize_rows
from fairvec.metrics.bias.direction import bias_direction, paired_attributes
from tests.metrics.along import PAIRS, looked_up


def random_pairs(seed: int) -> tuple[FloatArray, FloatArray]:
    noise = np.random.default_rng(seed)
    a, b = noise.normal(size=(2, 6, 5))
    a[:, 0] += 2
    return a, b


def test_the_mean_difference_by_hand() -> None:
    a, b = np.array([[2.0, 0.0]]), np.array([[0.0, 5.0]])
    np.testing.assert_allclose(mean_difference(a, b), [np.sqrt(0.5), -np.sqrt(0.5)], rtol=1e-15)


def test_the_pairs_component_by_hand() -> None:
    groups = looked_up(PAIRS, paired=True)
    np.testing.assert_allclose(bias_direction(groups), [1, 0, 0], atol=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_the_pairs_component_is_the_top_eigenvector_of_the_centred_pairs(seed: int) -> None:
    a, b = random_pairs(seed)
    centred = []
    for one, other in zip(a, b, strict=True):
        one, other = one / np.sqrt(one @ one), other / np.sqrt(other @ other)
        centred += [one - (one + other) / 2, other - (one + other) / 2]
    scatter = sum(np.outer(row, row) for row in centred)
    expected = np.ones(5)
    for _ in range(5000):
        expected = scatter @ expected
        expected /= np.sqrt(expected @ expected)
    g = pairs_pca(a, b)
    assert abs(g @ expected) == pytest.approx(1, abs=1e-9)
    assert (normalize_rows(a) @ g).sum() > (normalize_rows(b) @ g).sum()


def test_a_single_pair_gives_its_difference() -> None:
    a, b = np.array([[1.0, 2.0, 0.0]]), np.array([[1.0, 0.0, 1.0]])
    np.testing.assert_allclose(first_component(a, b), np.array([0, 2, -1]) / np.sqrt(5), atol=1e-15)


def test_one_pair_is_enough_where_no_direction_is_sought() -> None:
    lists = {role: dict(list(words.items())[:1]) for role, words in PAIRS.items()}
    groups = looked_up(lists, paired=True)
    a, b = paired_attributes(groups)
    np.testing.assert_array_equal(a, groups["a"].vectors)
    np.testing.assert_array_equal(b, groups["b"].vectors)
    assert a.shape == (1, 3)
    with pytest.raises(UndefinedError, match="1 can be used and 2 must be"):
        bias_direction(groups)


def test_auto_takes_pairs_only_where_a_test_has_them() -> None:
    a, b = random_pairs(0)
    vectors: dict[str, dict[str, Sequence[float]]] = {
        "words": {"w": (1, 0, 0, 0, 0)},
        "a": {f"a{i}": tuple(row) for i, row in enumerate(a)},
        "b": {f"b{i}": tuple(row) for i, row in enumerate(b)},
    }
    paired, loose = looked_up(vectors, paired=True), looked_up(vectors)
    np.testing.assert_array_equal(bias_direction(paired), pairs_pca(a, b))
    np.testing.assert_array_equal(bias_direction(loose), mean_difference(a, b))
    np.testing.assert_array_equal(bias_direction(paired, "mean-difference"), mean_difference(a, b))
    with pytest.raises(UndefinedError, match="paired = true"):
        bias_direction(loose, "pairs-pca")


def test_a_missing_word_takes_its_partner_with_it() -> None:
    lists = {role: dict(words) for role, words in PAIRS.items()}
    whole = looked_up(lists, paired=True)
    lists["a"]["king"], lists["b"]["queen"] = (0, 9, 1), (0, 0, 0)
    without = looked_up(lists, paired=True)
    assert without["a"].keys == ("he", "man", "king")
    np.testing.assert_array_equal(bias_direction(without), bias_direction(whole))
    loose = bias_direction(without, "mean-difference")
    assert not np.allclose(loose, bias_direction(whole, "mean-difference"))


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        (
            ("woman",),
            "Of the 2 pairs of the test toy/one 1 can be used and 2 must be; use a model ",
        ),
        (("he", "woman"), "a model that knows he, woman, or a direction or measure without pairs"),
    ],
)
def test_too_few_pairs_are_said_with_what_is_missing(gone: tuple[str, ...], said: str) -> None:
    lists = {
        role: {word: (0, 0, 0) if word in gone else vector for word, vector in words.items()}
        for role, words in PAIRS.items()
    }
    with pytest.raises(UndefinedError, match=said):
        bias_direction(looked_up(lists, paired=True))


def test_a_test_of_one_pair_has_no_component_of_pairs() -> None:
    one = {"words": {"w": (1, 1)}, "a": {"he": (1, 0)}, "b": {"she": (0, 1)}}
    with pytest.raises(UndefinedError, match="a test with more pairs"):
        bias_direction(looked_up(one, paired=True), "pairs-pca")


def test_a_misspelt_direction_gets_an_offer() -> None:
    with pytest.raises(UnknownNameError, match="mean-difference"):
        bias_direction(looked_up(PAIRS), "mean-diference")  # type: ignore[arg-type]


@pytest.mark.parametrize("direction", [mean_difference, pairs_pca, first_component])
def test_equal_lists_have_no_direction(direction: object) -> None:
    a, _ = random_pairs(0)
    with pytest.raises(UndefinedError, match="do not differ"):
        direction(a, a)  # type: ignore[operator]


def test_the_same_words_in_another_order_have_no_mean_difference() -> None:
    a, _ = random_pairs(0)
    with pytest.raises(UndefinedError, match="do not differ"):
        mean_difference(a, a[::-1])


def test_pairs_that_point_both_ways_have_no_sign() -> None:
    a, b = np.array([[1.0, 1.0], [-1.0, 1.0]]), np.array([[-1.0, 1.0], [1.0, 1.0]])
    with pytest.raises(UndefinedError, match="same order"):
        first_component(a, b)


def test_pairs_at_right_angles_have_no_first_component() -> None:
    with pytest.raises(UndefinedError, match="several directions equally"):
        first_component(np.eye(2), np.zeros((2, 2)))


def test_no_attribute_words_is_said() -> None:
    empty = {role: dict(words) for role, words in PAIRS.items()}
    empty["a"] = dict.fromkeys(empty["a"], (0, 0, 0))
    with pytest.raises(UndefinedError, match="No attribute word"):
        bias_direction(looked_up(empty))


def test_a_zero_vector_has_no_direction() -> None:
    with pytest.raises(UndefinedError, match="length zero"):
        normalize_rows(np.zeros((1, 3)))

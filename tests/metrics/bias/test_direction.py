"""Bias directions, direct bias, gyrocosine bias, SAME."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import SettingError, UndefinedError, UnknownNameError
from fairvec.geometry import Euclidean, FloatArray, Poincare
from fairvec.geometry.directions import first_component, mean_difference, pairs_pca
from fairvec.geometry.norms import normalize_rows
from fairvec.lexicon import resolve, select_tests
from fairvec.metrics.bias.direction import (
    DirectBias,
    GyrocosineBias,
    Part,
    Same,
    SignedDirectBias,
    bias_direction,
    paired_attributes,
)
from tests import toys
from tests.metrics.toys import PAIRS, cosine, looked_up

# --- direction ---


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
    ("gone", "message"),
    [
        (
            ("woman",),
            "Of the 2 pairs of the test toy/one 1 can be used and 2 must be; use a model ",
        ),
        (("he", "woman"), "a model that knows he, woman, or a direction or measure without pairs"),
    ],
)
def test_too_few_pairs_are_reported_with_what_is_missing(
    gone: tuple[str, ...], message: str
) -> None:
    lists = {
        role: {word: (0, 0, 0) if word in gone else vector for word, vector in words.items()}
        for role, words in PAIRS.items()
    }
    with pytest.raises(UndefinedError, match=message):
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


def test_no_attribute_words_is_reported() -> None:
    empty = {role: dict(words) for role, words in PAIRS.items()}
    empty["a"] = dict.fromkeys(empty["a"], (0, 0, 0))
    with pytest.raises(UndefinedError, match="No attribute word"):
        bias_direction(looked_up(empty))


def test_a_zero_vector_has_no_direction() -> None:
    with pytest.raises(UndefinedError, match="length zero"):
        normalize_rows(np.zeros((1, 3)))


# --- direct bias ---


ROOT = np.sqrt(0.5)
"""The cosine of `between` with the first axis is -ROOT, of `on` 1 and of `across` 0."""


@pytest.mark.parametrize(
    ("strictness", "expected"),
    [(1.0, (1 + ROOT) / 3), (2.0, (1 + 0.5) / 3), (0.5, (1 + np.sqrt(ROOT)) / 3)],
)
def test_the_direct_bias_by_hand(strictness: float, expected: float) -> None:
    score = DirectBias(strictness).measure(looked_up(PAIRS, paired=True), Euclidean())
    assert score.value == pytest.approx(expected, rel=1e-14)
    assert [share.leaning for share in score.words] == pytest.approx([1, -ROOT, 0], abs=1e-15)


def test_the_signed_bias_by_hand() -> None:
    score = SignedDirectBias().measure(looked_up(PAIRS, paired=True), Euclidean())
    assert score.value == pytest.approx((1 - ROOT) / 3, rel=1e-14)
    assert [share.found.key for share in score.words] == ["on", "between", "across"]


def test_x_and_y_are_the_words_where_there_is_no_list_of_them() -> None:
    embedding = toys.embedding(0.3)
    score = DirectBias().measure(resolve(toys.suite().tests[0], embedding), Euclidean())
    rows = {
        role: [row / np.sqrt(row @ row) for row in embedding.rows(words)]
        for role, words in toys.WORDS.items()
    }
    g = np.mean(rows["a"], axis=0) - np.mean(rows["b"], axis=0)
    expected = [abs(cosine(row, g)) for role in "xy" for row in rows[role]]
    assert score.value == pytest.approx(np.mean(expected), rel=1e-12)
    assert [share.role for share in score.words] == ["x"] * 5 + ["y"] * 5


@pytest.mark.parametrize("metric", [DirectBias(), SignedDirectBias()])
def test_the_ball_is_read_from_its_origin(metric: DirectBias | SignedDirectBias) -> None:
    test = toys.suite().tests[0]
    flat, ball = toys.embedding(0.3), toys.embedding(0.3, space=Poincare())
    in_flat = metric.measure(resolve(test, flat), flat.geometry)
    in_ball = metric.measure(resolve(test, ball), ball.geometry)
    assert in_flat.value == in_ball.value


def test_a_strictness_of_zero_is_refused() -> None:
    with pytest.raises(SettingError, match="above 0"):
        DirectBias(strictness=0)


def test_no_words_is_reported() -> None:
    none = {role: dict(words) for role, words in PAIRS.items()}
    none["words"] = {"gone": (0, 0, 0)}
    with pytest.raises(UndefinedError, match="No word"):
        DirectBias().measure(looked_up(none, paired=True), Euclidean())


# --- gyrocosine ---


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


# --- same ---


@pytest.mark.parametrize(
    ("part", "name", "expected"),
    [
        ("bias", "same", (1 + ROOT) / 3),
        ("skew", "same-skew", (1 - ROOT) / 3),
        ("stereotype", "same-stereotype", np.sqrt(1.5 / 3 - ((1 - ROOT) / 3) ** 2)),
    ],
)
def test_the_parts_by_hand(part: Part, name: str, expected: float) -> None:
    metric = Same(part)
    score = metric.measure(looked_up(PAIRS, paired=True), Euclidean())
    assert metric.name == name
    assert score.value == pytest.approx(expected, rel=1e-14)


def test_the_parts_equal_the_papers_formulas_on_the_toy() -> None:
    embedding = toys.embedding(0.3)
    groups = resolve(toys.suite().tests[0], embedding)
    means = {
        role: sum(row / np.sqrt(row @ row) for row in embedding.rows(toys.WORDS[role]))
        / len(toys.WORDS[role])
        for role in "ab"
    }
    b = [
        cosine(row, means["a"] - means["b"])
        for role in "xy"
        for row in embedding.rows(toys.WORDS[role])
    ]
    values = [
        Same(part).measure(groups, Euclidean()).value for part in ("bias", "skew", "stereotype")
    ]
    spread = np.sqrt(np.mean([(one - np.mean(b)) ** 2 for one in b]))
    assert values == pytest.approx([np.mean(np.abs(b)), np.mean(b), spread], rel=1e-12)


def test_an_unknown_part_gets_an_offer() -> None:
    with pytest.raises(UnknownNameError, match="stereotype"):
        Same("stereotypes")  # type: ignore[arg-type]

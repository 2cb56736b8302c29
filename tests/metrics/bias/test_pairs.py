"""Pair bias and RIPA."""

from collections.abc import Sequence

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import UndefinedError, UnknownNameError
from fairvec.geometry import NEGATIVE_DISTANCE, SIMILARITIES, Euclidean, FloatArray, Poincare
from fairvec.geometry.directions import pairs_pca
from fairvec.lexicon import Groups, resolve
from fairvec.metrics.bias.pairs import PairBias, Ripa
from tests.metrics.toys import PAIRS, cosine, looked_up, made_of

# --- pair bias ---


def test_the_pair_bias_by_hand() -> None:
    """Cosines with he and she: .6 and -.6 for `on`, .14 and .99 for `between`, .48 twice."""
    score = PairBias().measure(looked_up(PAIRS, paired=True), Euclidean())
    expected = {
        word: [
            cosine(vector, a) - cosine(vector, b)
            for a, b in zip(PAIRS["a"].values(), PAIRS["b"].values(), strict=True)
        ]
        for word, vector in PAIRS["words"].items()
    }
    assert expected["on"] == pytest.approx([6 / 5, 10 / 13])
    assert score.value == pytest.approx(np.mean(np.abs(list(expected.values()))), rel=1e-14)
    leanings = {share.found.key: share.leaning for share in score.words}
    assert leanings == pytest.approx({word: np.mean(d) for word, d in expected.items()}, abs=1e-15)
    assert score.value == pytest.approx((1 + np.sqrt(0.5)) / 3 * (6 / 5 + 10 / 13) / 2)


def test_pairs_that_pull_a_word_both_ways_do_not_cancel() -> None:
    groups = looked_up(
        {"words": {"w": (1, 0)}, "a": {"p": (1, 0), "q": (0, 1)}, "b": {"r": (0, 1), "s": (1, 0)}},
        paired=True,
    )
    score = PairBias().measure(groups, Euclidean())
    assert score.value == 1
    assert score.words[0].leaning == 0


@pytest.mark.parametrize("similarity", SIMILARITIES, ids=lambda s: s.name)
@pytest.mark.parametrize("seed", range(3))
def test_neutralise_and_equalise_leave_none(seed: int, similarity: object) -> None:
    """Bolukbasi et al. (2016), step 2a: w.a = w.b and |w - a| = |w - b|, "then PairBias = 0"."""
    noise = np.random.default_rng(seed)
    words, a, b = noise.normal(size=(3, 5, 8))
    a[:, 0] += 1.5
    metric = PairBias(similarity)  # type: ignore[arg-type]
    before = metric.measure(paired_lists(words, a, b), Euclidean())
    words, a, b = hard_debiased(words, a, b)
    after = metric.measure(paired_lists(words, a, b), Euclidean())
    assert before.value > 0.1
    assert after.value == pytest.approx(0, abs=1e-12)


def hard_debiased(
    words: FloatArray, a: FloatArray, b: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Neutralise the words and equalise the pairs, straight from the paper's formulas."""
    g = pairs_pca(a, b)
    words, a, b = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (words, a, b))
    words = words - np.outer(words @ g, g)
    words /= np.linalg.norm(words, axis=1, keepdims=True)
    middle = (a + b) / 2
    rest = middle - np.outer(middle @ g, g)
    reach = np.sqrt(1 - (rest**2).sum(axis=1)) * np.sign((a - middle) @ g)
    return words, rest + np.outer(reach, g), rest - np.outer(reach, g)


def paired_lists(words: FloatArray, a: FloatArray, b: FloatArray) -> Groups:
    lists: dict[str, dict[str, Sequence[float]]] = {
        role: {f"{role}{i}": tuple(row) for i, row in enumerate(rows)}
        for role, rows in (("words", words), ("a", a), ("b", b))
    }
    return looked_up(lists, paired=True)


def test_distances_of_the_ball_see_its_curvature() -> None:
    lists = {
        role: {word: tuple(np.array(v) / 15) for word, v in words.items()}
        for role, words in PAIRS.items()
    }
    groups = looked_up(lists, paired=True, space=Poincare())
    in_ball = PairBias(NEGATIVE_DISTANCE).measure(groups, Poincare())
    flat = PairBias(NEGATIVE_DISTANCE).measure(groups, Euclidean())
    expected = [
        abs(distance(w, a) - distance(w, b))
        for w in lists["words"].values()
        for a, b in zip(lists["a"].values(), lists["b"].values(), strict=True)
    ]
    assert in_ball.value == pytest.approx(np.mean(expected), rel=1e-12)
    assert in_ball.value > 2 * flat.value


def distance(u: Sequence[float], v: Sequence[float]) -> float:
    """The textbook arcosh formula of the unit ball."""
    x, y = np.array(u), np.array(v)
    return float(np.arccosh(1 + 2 * (x - y) @ (x - y) / ((1 - x @ x) * (1 - y @ y))))


def test_lists_that_are_no_pairs_are_refused() -> None:
    with pytest.raises(UndefinedError, match="pairs"):
        PairBias().measure(looked_up(PAIRS), Euclidean())


def test_half_a_pair_does_not_count_and_one_pair_is_enough() -> None:
    whole = {role: dict([*words.items()][:1]) for role, words in PAIRS.items()}
    half = {**whole, "a": PAIRS["a"], "b": {**whole["b"], "woman": (0, 0, 0)}}
    one, other = (
        PairBias().measure(looked_up(lists, paired=True), Euclidean()).value
        for lists in (whole, half)
    )
    assert one == other


def test_no_pair_is_reported() -> None:
    none = {role: dict(words) for role, words in PAIRS.items()}
    none["b"] = dict.fromkeys(none["b"], (0, 0, 0))
    with pytest.raises(UndefinedError, match="use a model that knows she, woman"):
        PairBias().measure(looked_up(none, paired=True), Euclidean())


# --- ripa ---


WEFE = {
    "executive": 0.780276,
    "management": 1.085977,
    "professional": 0.29452,
    "corporation": 0.622999,
    "salary": 0.674709,
    "office": 0.077009,
    "business": 0.176887,
    "career": 0.486688,
    "home": 0.205717,
    "parents": -0.987549,
    "children": -1.22706,
    "family": 0.005315,
    "cousins": -0.089692,
    "marriage": -1.031814,
    "wedding": -1.163964,
    "relatives": -0.486261,
}
"""RIPA().run_query(...)["word_values"] of WEFE 1.0.1 on the vectors of glove-en-small as float64
in a KeyedVectors, target sets = the pairs below, normalize=False; its result is -0.0360152398."""

MALE = ["man", "boy", "he", "father", "son", "male", "his", "himself"]
FEMALE = ["woman", "girl", "she", "mother", "daughter", "female", "her", "herself"]


def test_per_pair_is_what_wefe_computes() -> None:
    test = made_of({"words": list(WEFE), "a": MALE, "b": FEMALE}, paired=True)
    groups = resolve(test, fairvec.load("glove-en-small"))
    score = Ripa("per-pair").measure(groups, Euclidean())
    assert score.value == pytest.approx(-0.03601523983150527, rel=1e-9)
    own = {share.found.key: share.leaning for share in score.words}
    assert own == pytest.approx(WEFE, abs=6e-7)


def test_the_relation_by_hand() -> None:
    """Both differences, 6 and 10 long, lie on the first axis; lengths count."""
    groups = looked_up(PAIRS, paired=True)
    for metric in (Ripa(), Ripa("per-pair")):
        score = metric.measure(groups, Euclidean())
        assert [share.leaning for share in score.words] == pytest.approx([2, -1, 0], abs=1e-14)
        assert score.value == pytest.approx(1 / 3, rel=1e-13)


def test_the_first_component_maximises_the_squared_products_with_the_differences() -> None:
    noise = np.random.default_rng(3)
    a, b, words = noise.normal(size=(3, 4, 3))
    a[:, 0] += 3
    groups = looked_up(
        {
            role: {f"{role}{i}": tuple(row) for i, row in enumerate(rows)}
            for role, rows in (("words", words), ("a", a), ("b", b))
        },
        paired=True,
    )
    score = Ripa().measure(groups, Euclidean())
    # The words are a basis of the space, so their products give the relation vector back.
    own = [share.leaning for share in score.words]
    relation = np.linalg.lstsq(words, np.array(own), rcond=None)[0]
    assert relation @ relation == pytest.approx(1, rel=1e-9)
    assert ((a - b) @ relation).sum() > 0
    others = noise.normal(size=(20_000, 3))
    others /= np.sqrt((others**2).sum(axis=1, keepdims=True))
    reach = (((a - b) @ others.T) ** 2).sum(axis=0)
    assert (((a - b) @ relation) ** 2).sum() >= reach.max()


def test_the_ball_has_no_ripa() -> None:
    small = {
        role: {word: tuple(np.array(v) / 15) for word, v in words.items()}
        for role, words in PAIRS.items()
    }
    groups = looked_up(small, paired=True, space=Poincare())
    with pytest.raises(UndefinedError, match="signed-direct-bias"):
        Ripa().measure(groups, Poincare())


def test_lists_that_are_no_pairs_are_refused_ripa() -> None:
    with pytest.raises(UndefinedError, match="pairs"):
        Ripa().measure(looked_up(PAIRS), Euclidean())


def test_a_pair_of_equal_vectors_has_no_relation() -> None:
    same = {role: dict(words) for role, words in PAIRS.items()}
    same["b"]["woman"] = same["a"]["man"]
    groups = looked_up(same, paired=True)
    with pytest.raises(UndefinedError, match="leave that pair out"):
        Ripa("per-pair").measure(groups, Euclidean())
    assert Ripa().measure(groups, Euclidean()).value == pytest.approx(1 / 3, rel=1e-13)


def test_a_misspelt_relation_gets_an_offer() -> None:
    with pytest.raises(UnknownNameError, match="per-pair"):
        Ripa("per-pairs")  # type: ignore[arg-type]


def test_half_a_pair_does_not_count_and_one_pair_is_enough_ripa() -> None:
    whole = {role: dict([*words.items()][:1]) for role, words in PAIRS.items()}
    half = {**whole, "a": PAIRS["a"], "b": {**whole["b"], "woman": (0, 0, 0)}}
    one, other = (
        Ripa().measure(looked_up(lists, paired=True), Euclidean()).value for lists in (whole, half)
    )
    assert one == other


def test_no_pair_is_reported_ripa() -> None:
    none = {role: dict(words) for role, words in PAIRS.items()}
    none["b"] = dict.fromkeys(none["b"], (0, 0, 0))
    with pytest.raises(UndefinedError, match="use a model that knows she, woman"):
        Ripa().measure(looked_up(none, paired=True), Euclidean())

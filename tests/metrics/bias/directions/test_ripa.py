import numpy as np
import pytest

import fairvec
from fairvec.core.errors import UndefinedError, UnknownNameError
from fairvec.geometry import Euclidean, Poincare
from fairvec.lexicon import resolve
from fairvec.metrics.bias.pairs import Ripa
from tests.metrics.along import PAIRS, looked_up, made_of

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
    relation = np.linalg.lstsq(words, np.array(own))[0]
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


def test_lists_that_are_no_pairs_are_refused() -> None:
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


def test_half_a_pair_does_not_count_and_one_pair_is_enough() -> None:
    whole = {role: dict([*words.items()][:1]) for role, words in PAIRS.items()}
    half = {**whole, "a": PAIRS["a"], "b": {**whole["b"], "woman": (0, 0, 0)}}
    one, other = (
        Ripa().measure(looked_up(lists, paired=True), Euclidean()).value for lists in (whole, half)
    )
    assert one == other


def test_no_pair_is_said() -> None:
    none = {role: dict(words) for role, words in PAIRS.items()}
    none["b"] = dict.fromkeys(none["b"], (0, 0, 0))
    with pytest.raises(UndefinedError, match="use a model that knows she, woman"):
        Ripa().measure(looked_up(none, paired=True), Euclidean())

"""Word similarity is the rank correlation with the ratings of people."""

import numpy as np
import pytest

from fairvec.benchmarks import RatedPair, SimilaritySet
from fairvec.core.errors import UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import COSINE, NEGATIVE_DISTANCE, NEGATIVE_SQUARED_DISTANCE, Poincare
from fairvec.metrics.utility import WordSimilarity

ANGLES = {"east": 0, "near": 10, "half": 45, "north": 90, "west": 180}
VECTORS = np.array([[np.cos(np.radians(a)), np.sin(np.radians(a))] for a in ANGLES.values()])
FLAT = Embedding([*ANGLES], VECTORS)


def asked(*pairs: tuple[str, str, float]) -> SimilaritySet:
    return SimilaritySet("toy", "Toy", "en", "-", "-", tuple(RatedPair(*pair) for pair in pairs))


def test_the_order_of_people_gives_one_and_its_reverse_minus_one() -> None:
    others = ["near", "half", "north", "west"]
    for sign in (1, -1):
        pairs = asked(*(("east", other, -sign * place) for place, other in enumerate(others)))
        (found,) = WordSimilarity().measure(pairs, FLAT)
        assert found.value == pytest.approx(sign)


def test_ties_share_their_mean_rank() -> None:
    pairs = asked(
        ("east", "near", 5), ("east", "half", 5), ("east", "north", 2), ("east", "west", 1)
    )
    (found,) = WordSimilarity().measure(pairs, FLAT)
    ranks = np.array([[3.5, 4], [3.5, 3], [2, 2], [1, 1]])
    assert found.value == pytest.approx(np.corrcoef(ranks.T)[0, 1])


def test_pairs_with_a_missing_word_are_left_out_and_named() -> None:
    pairs = asked(
        ("East", "near", 3), ("east", "zero", 2), ("up", "north", 9), ("east", "half", 1),
        ("east", "west", 0),
    )  # fmt: skip
    model = Embedding([*ANGLES, "zero"], np.vstack([VECTORS, [0, 0]]))
    (found,) = WordSimilarity().measure(pairs, model)
    assert found.items == (0, 3, 4)
    assert found.missing == ("zero", "up")
    assert found.coverage == 3 / 5
    assert found.samples.rows[:, 0].tolist() == [3, 1, 0]
    assert found.samples.rows[:, 1] == pytest.approx([np.cos(np.pi / 18), np.sqrt(0.5), -1])


def test_the_similarity_follows_the_geometry_unless_it_is_named() -> None:
    points = np.array([[0.1, 0], [0.9, 0], [0, 0.2]])
    ball = Embedding(["a", "b", "c"], points, Poincare())
    pairs = asked(("a", "b", 3), ("a", "c", 2), ("b", "c", 1))
    distances = ball.geometry.distances(points, points)
    natural, near, alike = (
        WordSimilarity(choice).measure(pairs, ball)[0]
        for choice in (None, NEGATIVE_DISTANCE, COSINE)
    )
    assert natural.samples.rows[:, 1] == pytest.approx(-distances[[0, 0, 1], [1, 2, 2]])
    assert natural.value == near.value == pytest.approx(0.5)
    assert alike.samples.rows[:, 1] == pytest.approx([1, 0, 0])


def test_too_few_pairs_have_no_order() -> None:
    with pytest.raises(UndefinedError, match="knows both words of 2 of the 3 pairs of Toy"):
        WordSimilarity().measure(asked(*[("east", "west", 1)] * 2, ("up", "west", 2)), FLAT)


@pytest.mark.parametrize(
    "pairs",
    [
        [("east", "near", 1), ("east", "half", 1), ("east", "north", 1)],
        [("east", "near", 1), ("east", "near", 2), ("east", "near", 3)],
    ],
)
def test_where_all_are_alike_there_is_no_correlation(pairs: list[tuple[str, str, float]]) -> None:
    with pytest.raises(UndefinedError, match="are all the same, so that they have no order"):
        WordSimilarity().measure(asked(*pairs), FLAT)


@pytest.mark.parametrize("power", [-480, 0, 480])
def test_the_order_by_squared_distance_is_that_of_distance_at_any_size(power: int) -> None:
    words = [f"w{number}" for number in range(8)]
    vectors = np.random.default_rng(1).normal(size=(8, 3))
    pairs = asked(*((words[at], words[at + 1], float(at * 7 % 5)) for at in range(7)))
    usual = WordSimilarity(NEGATIVE_DISTANCE).measure(pairs, Embedding(words, vectors))
    model = Embedding(words, np.ldexp(vectors, power))
    (found,) = WordSimilarity(NEGATIVE_SQUARED_DISTANCE).measure(pairs, model)
    assert found.value == usual[0].value

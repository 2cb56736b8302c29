"""The difference in sentiment between persons, and its test: the unit is the pair of persons."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.geometry import FloatArray
from fairvec.languages.equity import FEELINGS, SentencePair
from fairvec.stats import paired_test
from fairvec.tasks.sentiment.equity import SentimentDifference, sentiment_difference
from tests.laws.helpers import law

SEEDS = 3


def sentences(pairs: int, each: int) -> list[SentencePair]:
    """So many sentences about each pair, of the three feelings in turn."""
    return [
        SentencePair(pair, FEELINGS[place % 3], f"a{pair} {place}", f"b{pair} {place}")
        for pair in range(pairs)
        for place in range(each)
    ]


def chances(rows: int, seed: int) -> FloatArray:
    return np.random.default_rng(seed).uniform(size=(rows, SEEDS))


@law
@given(st.integers(1, 8), st.integers(3, 9), st.integers(0, 99))
def test_it_is_the_mean_over_pairs_of_the_mean_over_sentences(
    pairs: int, each: int, seed: int
) -> None:
    asked = sentences(pairs, each)
    a, b = chances(len(asked), seed), chances(len(asked), seed + 1)
    found = sentiment_difference(asked, a, b)
    by_hand = [
        [
            sum(a[row, s] - b[row, s] for row, one in enumerate(asked) if one.pair == pair) / each
            for s in range(SEEDS)
        ]
        for pair in range(pairs)
    ]
    np.testing.assert_allclose(found.by_pair, by_hand, atol=1e-12)
    assert found.value == pytest.approx(np.mean(by_hand))
    np.testing.assert_allclose(found.trainings, np.mean(by_hand, axis=0), atol=1e-12)
    other = sentiment_difference(asked, b, a)
    assert other.value == pytest.approx(-found.value)
    assert other.test().value == found.test().value
    assert -1 <= found.value <= 1


@law
@given(st.integers(1, 7), st.integers(0, 99))
def test_its_p_counts_every_swap_of_the_persons_of_a_pair(pairs: int, seed: int) -> None:
    asked = sentences(pairs, 3)
    a, b = chances(len(asked), seed), chances(len(asked), seed + 1)
    found = sentiment_difference(asked, a, b)
    own = found.pairs
    flipped = [abs(np.dot(signs, own)) for signs in product((-1, 1), repeat=pairs)]
    assert found.test().value == np.mean([one >= abs(own.sum()) - 1e-12 for one in flipped])


def test_a_feeling_is_described_by_its_own_sentences() -> None:
    asked = sentences(2, 3)
    a = np.full((6, 2), 0.5)
    b = a.copy()
    a[1] += 0.2  # the negative sentence of the first pair
    found = sentiment_difference(asked, a, b)
    assert found.by_feeling == pytest.approx({"positive": 0, "negative": 0.1, "neutral": 0})
    assert found.value == pytest.approx(0.2 / 6)


def test_trainings_are_counted_by_the_side_to_which_they_lean() -> None:
    found = SentimentDifference(np.array([[0.3, 0.1, -0.1], [0.1, 0.1, 0.05]]), {})
    assert found.trainings == pytest.approx([0.2, 0.1, -0.025])
    assert found.agreeing_trainings == 2


def test_trainings_that_all_give_one_answer_have_no_luck_in_them() -> None:
    assert SentimentDifference(np.array([[0.3, 0.3, 0.3], [0.1, 0.1, 0.1]]), {}).is_deterministic
    assert not SentimentDifference(np.array([[0.3, 0.3], [0.1, 0.2]]), {}).is_deterministic
    assert not SentimentDifference(np.array([[0.3], [0.1]]), {}).is_deterministic


@pytest.mark.parametrize(
    ("a", "message"),
    [
        (np.zeros(6), r"shape \(6,\)"),
        (np.zeros((5, 2)), r"shape \(5, 2\)"),
        (np.zeros((6, 0)), r"shape \(6, 0\)"),
        (np.full((6, 2), np.nan), "from 0 to 1"),
        (np.full((6, 2), 1.5), "from 0 to 1"),
        (np.zeros((6, 3)), "same trainings"),
    ],
    ids=["flat", "short", "untrained", "nan", "large", "uneven"],
)
def test_what_is_no_table_of_probabilities_is_refused(a: FloatArray, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        sentiment_difference(sentences(2, 3), a, np.zeros((6, 2)))


class RandomReader:
    """A logistic regression of random weights on the mean of a person's and a context's vector."""

    def __init__(self, generator: np.random.Generator, persons: int, contexts: int) -> None:
        self.persons = generator.normal(size=(persons, 8))
        self.contexts = generator.normal(size=(contexts, 8))
        self.weights = generator.normal(size=(8, 2))

    def of(self, person: int, context: int) -> FloatArray:
        scores = (self.persons[person] + self.contexts[context]) @ self.weights
        read: FloatArray = 1 / (1 + np.exp(-scores))
        return read


def test_persons_that_differ_in_nothing_but_luck_are_significant_in_five_of_a_hundred() -> None:
    generator = np.random.default_rng(20)
    trials, pairs, contexts = 600, 10, 9
    asked = sentences(pairs, contexts)
    by_pairs = by_sentences = 0
    for _ in range(trials):
        reader = RandomReader(generator, 2 * pairs, contexts)
        rows = [(one.pair, place % contexts) for place, one in enumerate(asked)]
        a, b = (
            np.array([reader.of(2 * pair + side, context) for pair, context in rows])
            for side in (0, 1)
        )
        by_pairs += sentiment_difference(asked, a, b).test().value <= 0.05
        each = (a - b).mean(axis=1)
        by_sentences += paired_test(np.zeros(len(each)), each, samples=400).value <= 0.05
    # Three standard errors of 600 trials are 2.7 %.
    assert by_pairs / trials == pytest.approx(0.05, abs=0.027)
    # What the unit is not: the sentences of a pair lean together.
    assert by_sentences / trials > 0.4

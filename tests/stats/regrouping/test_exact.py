import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.stats.permutation import meet_in_the_middle as exact
from fairvec.stats.permutation.subset_sums import TailQuestion
from tests.stats.brute_force import subsets_in_tails

SIZES = [(words, size) for words in range(2, 12) for size in range(1, words)]


@pytest.mark.parametrize(("words", "size"), SIZES)
@pytest.mark.parametrize(("above", "below"), [(4, None), (None, -2), (3, -5), (-2, -3)])
def test_counts_equal_those_of_trying_every_subset(
    words: int, size: int, above: int | None, below: int | None
) -> None:
    scores = np.random.default_rng(words * size).integers(-4, 5, words)
    question = TailQuestion(scores, size, above, below)
    assert exact.count(question) == subsets_in_tails(scores.tolist(), size, above, below)


@pytest.mark.parametrize("words", [2, 4, 8, 10])
def test_symmetric_tails_are_counted_once_and_doubled(words: int) -> None:
    scores = np.random.default_rng(words).integers(-9, 10, words)
    above = int(scores.sum()) // 2 + 2
    question = TailQuestion(scores, words // 2, above, int(scores.sum()) - above)
    assert question.symmetric
    expected = subsets_in_tails(scores.tolist(), question.size, question.above, question.below)
    assert exact.count(question) == expected


@pytest.mark.parametrize(
    ("words", "size", "affordable"),
    [(50, 25, True), (51, 25, False), (64, 32, False), (65, 5, True), (65, 60, True)],
)
def test_exactness_is_decided_by_cost(words: int, size: int, affordable: bool) -> None:
    question = TailQuestion(np.arange(words), size, above=0)
    assert exact.affordable(question) is affordable
    if not affordable:
        with pytest.raises(SettingError, match="choose the method auto or certified"):
            exact.count(question)

import numpy as np
import pytest

from fairvec.stats.permutation.subset_sums import TailQuestion, to_integer_grid
from tests.stats.brute_force import subsets_in_tails


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-9, 1.0, 3e7, 1e308])
def test_scores_keep_their_proportions_on_the_grid(scale: float) -> None:
    scores = np.array([1.0, -0.5, 0.25, 0.0]) * scale
    grid = to_integer_grid(scores)
    assert (grid == np.rint(scores / scale * int(grid[0]))).all()


@pytest.mark.parametrize("words", [2, 50, 5000])
def test_no_sum_of_grid_scores_overflows(words: int) -> None:
    grid = to_integer_grid(np.full(words, 0.999))
    assert words * int(grid.max()) <= 2**60


def test_the_grid_is_about_as_fine_as_the_rounding_of_the_largest_score() -> None:
    scores = np.array([1.0, np.nextafter(1.0, 0.0), *np.zeros(61)])
    assert len(set(to_integer_grid(scores).tolist())) == 3


@pytest.mark.parametrize("size", range(1, 8))
def test_asking_of_the_smaller_side_keeps_the_answer(size: int) -> None:
    question = TailQuestion(np.array([-3, 1, 1, 4, 7, -9, 2, 2]), size, above=5, below=-4)
    asked = question.of_the_smaller_side()
    assert asked.size == min(size, 8 - size)
    counts = [
        subsets_in_tails(q.scores.tolist(), q.size, q.above, q.below) for q in (question, asked)
    ]
    assert counts[0] == counts[1] > 0


@pytest.mark.parametrize("step", [1, 3, 2**40])
def test_lowest_terms_keep_the_answer(step: int) -> None:
    scores = np.array([-3, 1, 1, 4, 7, -9, 2, 2]) * step + 5
    for off in (-step // 2, 0, step // 2):
        question = TailQuestion(scores, 3, above=5 * step + 15 + off, below=15 - 4 * step + off)
        asked = question.in_lowest_terms()
        assert asked.scores.tolist() == [6, 10, 10, 13, 16, 0, 11, 11]
        counts = [
            subsets_in_tails(q.scores.tolist(), q.size, q.above, q.below) for q in (question, asked)
        ]
        assert counts[0] == counts[1] > 0


def test_equal_scores_are_all_zero_in_lowest_terms() -> None:
    asked = TailQuestion(np.full(4, 7), 2, above=14, below=13).in_lowest_terms()
    assert (asked.scores.tolist(), asked.above, asked.below) == ([0] * 4, 0, -1)


def test_tails_are_symmetric_only_when_the_sides_are_equal_and_mirror_each_other() -> None:
    scores = np.array([1, 2, 3, 4])
    assert TailQuestion(scores, 2, above=7, below=3).symmetric
    assert not TailQuestion(scores, 2, above=7, below=2).symmetric
    assert not TailQuestion(scores, 2, above=7).symmetric
    assert not TailQuestion(scores, 1, above=7, below=3).symmetric

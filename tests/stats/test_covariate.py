import numpy as np
import pytest

from fairvec.geometry import FloatArray
from fairvec.stats import adjusted_difference

Lists = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


def drawn(gap: float, effect: float = 0.0, *, seed: int, words: int = 8) -> Lists:
    """Scores that follow the covariate with slope 1/2; the lists lie `gap` apart in it."""
    generator = np.random.default_rng(seed)
    often = [generator.normal(shift, size=words) for shift in (gap, 0.0)]
    scores = [0.5 * each + generator.normal(size=words) for each in often]
    return scores[0] + effect, scores[1], often[0], often[1]


def test_the_difference_is_that_of_least_squares() -> None:
    x, y, f, g = drawn(1.0, 2.0, seed=1)
    design = np.column_stack([np.ones(16), np.repeat([1, 0], 8), np.concatenate([f, g])])
    expected = np.linalg.lstsq(design, np.concatenate([x, y]), rcond=None)[0][1]
    found = adjusted_difference(x, y, f, g)
    assert found is not None
    assert found.difference == pytest.approx(expected, rel=1e-10)


def test_without_a_slope_it_is_the_plain_difference() -> None:
    x, y = np.array([3.0, 4.0, 5.0, 6.0]), np.array([1.0, 2.0, 3.0, 4.0])
    balanced = np.array([1.0, -1.0, -1.0, 1.0])
    found = adjusted_difference(x, y, balanced, balanced)
    assert found is not None
    assert found.difference == pytest.approx(2.0)


@pytest.mark.parametrize("gap", [0.0, 1.0, 3.0])
def test_it_holds_its_level_however_far_apart_the_lists_are(gap: float) -> None:
    """400 studies in which the covariate is the only cause; 5 % +- 3.7 standard errors."""
    found = [adjusted_difference(*drawn(gap, seed=seed), draws=199) for seed in range(400)]
    alarms = np.mean([one is not None and one.p <= 0.05 for one in found])
    assert 0.01 <= alarms <= 0.09


def test_a_true_difference_is_still_found() -> None:
    found = [adjusted_difference(*drawn(1.0, 3.0, seed=seed), draws=199) for seed in range(50)]
    assert np.mean([one is not None and one.p <= 0.05 for one in found]) > 0.9


def test_the_same_seed_gives_the_same_p() -> None:
    assert adjusted_difference(*drawn(1.0, seed=2)) == adjusted_difference(*drawn(1.0, seed=2))


def test_a_covariate_that_is_the_grouping_leaves_nothing_to_see() -> None:
    x, y = np.array([1.0, 2.0, 4.0]), np.array([0.0, 1.0, 3.0])
    assert adjusted_difference(x, y, np.ones(3), np.zeros(3)) is None


def test_scores_that_the_covariate_explains_whole_leave_nothing_either() -> None:
    f, g = np.array([1.0, 2.0, 4.0]), np.array([0.0, 1.0, 3.0])
    assert adjusted_difference(2 * f, 2 * g, f, g) is None


def test_one_that_is_the_same_for_all_words_takes_nothing_away() -> None:
    x, y, *_ = drawn(0.0, 1.0, seed=3)
    for often in (0.0, 0.1, 7.3):
        same = np.full(8, often)
        found = adjusted_difference(x, y, same, same, draws=99)
        assert found is not None
        assert found.difference == pytest.approx(x.mean() - y.mean(), rel=1e-12)

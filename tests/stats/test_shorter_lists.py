import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.geometry import FloatArray
from fairvec.stats import expected_significant_share, permutation_test
from tests.laws.test_stats_laws import law


def normal_lists(apart: float, words: int, seed: int) -> tuple[FloatArray, FloatArray]:
    generator = np.random.default_rng(seed)
    return generator.normal(apart, 1, words), generator.normal(0, 1, words)


def share_seen(x: FloatArray, y: FloatArray, kept: int, draws: int = 200) -> float:
    """Draw shorter lists, and count those whose exact p is at most 5 %."""
    generator = np.random.default_rng(0)
    shorter = (
        (generator.choice(x, kept, replace=False), generator.choice(y, kept, replace=False))
        for _ in range(draws)
    )
    return float(np.mean([permutation_test(*each).value <= 0.05 for each in shorter]))


@pytest.mark.parametrize("apart", [0.5, 0.9, 1.3])
def test_it_is_the_share_that_drawing_finds_on_average(apart: float) -> None:
    off = []
    for seed in range(12):
        x, y = normal_lists(apart, 12, seed)
        share = expected_significant_share(x, y, kept=(10, 10))
        assert share is not None
        off.append(share_seen(x, y, 10) - share)
    assert abs(np.mean(off)) < 0.05
    assert np.abs(off).max() < 0.25


@law
@given(st.floats(0, 3), st.floats(0.01, 1), st.integers(0, 50))
def test_it_grows_with_the_difference_and_knows_no_unit_and_no_sign(
    apart: float, more: float, seed: int
) -> None:
    x, y = normal_lists(0.0, 10, seed)
    x = x - x.mean() + y.mean() + apart
    share, larger = (expected_significant_share(x + by, y, kept=(8, 8)) for by in (0.0, more))
    assert share is not None
    assert larger is not None
    assert 0 <= share <= larger <= 1
    assert expected_significant_share(y, x, kept=(8, 8)) == pytest.approx(share)
    assert expected_significant_share(5 * x + 1, 5 * y + 1, kept=(8, 8)) == pytest.approx(share)


def test_lists_that_say_nothing_have_no_share() -> None:
    x, y = normal_lists(1.0, 8, 0)
    assert expected_significant_share(x, y, kept=(5, 5)) is None
    assert expected_significant_share(x, y, kept=(6, 6), alpha=1e-4) is None
    assert expected_significant_share(np.zeros(8), np.ones(8), kept=(6, 6)) is None


def test_lists_that_keep_all_are_significant_or_not() -> None:
    x, y = normal_lists(0.0, 8, 0)
    assert expected_significant_share(x + 9, y, kept=(8, 8)) == 1
    assert expected_significant_share(x - x.mean() + y.mean(), y, kept=(8, 8)) == 0


@pytest.mark.parametrize("kept", [(9, 8), (0, 8), (8, -1)])
def test_more_words_than_there_are_cannot_be_kept(kept: tuple[int, int]) -> None:
    with pytest.raises(SettingError, match="Shorter lists keep some of 8 and 8 words"):
        expected_significant_share(*normal_lists(1.0, 8, 0), kept=kept)

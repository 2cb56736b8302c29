"""Power, and shorter lists."""

from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import norm, ttest_ind
from scipy.stats import t as student

from fairvec.core.errors import SettingError
from fairvec.geometry import FloatArray
from fairvec.stats import (
    attained_level,
    attained_level_of_pairs,
    expected_significant_share,
    paired_test,
    permutation_test,
    required_words,
    smallest_detectable,
    smallest_detectable_of_pairs,
)
from tests.laws.helpers import law

# --- power ---


@pytest.mark.parametrize(("nx", "ny"), [(5, 5), (8, 8), (4, 9)])
def test_the_permutation_test_shows_that_effect_with_that_power(nx: int, ny: int) -> None:
    d = smallest_detectable(nx, ny)
    assert d is not None
    delta = d / sqrt(1 - d**2 * nx * ny / (nx + ny) ** 2)
    generator = np.random.default_rng(0)
    shown = [
        permutation_test(generator.normal(delta, size=nx), generator.normal(size=ny)).value <= 0.05
        for _ in range(1500)
    ]
    # Three standard errors of 1,500 studies (3.1 %) and 2 % for the approximation by t.
    assert np.mean(shown) == pytest.approx(0.8, abs=0.05)


def test_it_agrees_with_the_table_of_sample_sizes() -> None:
    # Cohen (1988), table 2.4.1: 26 words a side show delta = 0.8 with power 0.8 at 0.05, two-sided.
    d = smallest_detectable(26, 26)
    assert d == pytest.approx(0.8 / sqrt(1.16), abs=0.01)


def test_more_words_show_smaller_effects_and_none_reaches_the_limit_of_the_scale() -> None:
    found = [smallest_detectable(n, n) for n in (4, 6, 8, 15, 25, 100, 700)]
    values = [d for d in found if d is not None]
    assert len(values) == 7
    assert values == sorted(values, reverse=True)
    assert max(values) < 2


def test_more_power_and_a_stricter_level_need_larger_effects() -> None:
    usual = smallest_detectable(8, 8)
    assert usual is not None
    assert usual < (smallest_detectable(8, 8, power=0.95) or 0)
    assert usual < (smallest_detectable(8, 8, alpha=0.01) or 0)


@pytest.mark.parametrize(("nx", "ny"), [(1, 1), (1, 18), (3, 3), (2, 4)])
def test_too_few_words_can_show_nothing(nx: int, ny: int) -> None:
    assert smallest_detectable(nx, ny) is None
    assert permutation_test(np.ones(nx), np.zeros(ny)).smallest > 0.05


@pytest.mark.parametrize(("nx", "ny"), [(1, 19), (2, 6), (4, 4), (3, 5)])
def test_the_fewest_words_that_can_show_something(nx: int, ny: int) -> None:
    assert smallest_detectable(nx, ny) is not None
    assert permutation_test(np.ones(nx), np.zeros(ny)).smallest <= 0.05


@pytest.mark.parametrize("setting", [{"alpha": 0.0}, {"power": 1.0}, {"alpha": 0.9}])
def test_impossible_settings_are_refused(setting: dict[str, float]) -> None:
    with pytest.raises(SettingError, match="0 < alpha < power < 1"):
        smallest_detectable(8, 8, **setting)  # type: ignore[arg-type]


def test_an_empty_list_is_refused() -> None:
    with pytest.raises(SettingError, match="0 and 8 words"):
        smallest_detectable(0, 8)


@given(
    st.integers(1, 7),
    st.integers(1, 12),
    st.sampled_from(("0.1", "0.05", "0.01", "0.3")),
    st.integers(1, 40),
)
@example(3, 7, "0.05", 6)
@example(3, 3, "0.1", 1)
@example(2, 14, "0.05", 6)
@example(3, 3, "0.3", 1)
def test_the_attained_level_is_the_largest_p_up_to_the_level(
    nx: int, ny: int, alpha: str, tests: int
) -> None:
    """Of scores whose sums all differ p takes every whole number of splits, or of pairs of them."""
    splits, each = comb(nx + ny, nx), 2 if nx == ny else 1
    attainable = (Fraction(k, splits) for k in range(0, splits + 1, each))
    largest = max(p for p in attainable if p * tests <= Fraction(alpha))
    assert attained_level(nx, ny, alpha=float(alpha), tests=tests) == float(largest)
    if float(alpha) < 0.8 and nx + ny > 2:
        found = smallest_detectable(nx, ny, alpha=float(alpha), tests=tests)
        assert (found is None) is (largest == 0)


@pytest.mark.parametrize("pairs", [6, 7, 8, 10, 19])
def test_the_sign_flip_test_shows_that_mean_with_that_power(pairs: int) -> None:
    delta = smallest_detectable_of_pairs(pairs)
    assert delta is not None
    generator = np.random.default_rng(0)
    shown = [
        paired_test(np.zeros(pairs), generator.normal(delta, size=pairs)).value <= 0.05
        for _ in range(1500)
    ]
    assert np.mean(shown) == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize(("pairs", "tests", "level"), [(5, 1, 0), (6, 1, 1 / 32), (6, 2, 0)])
def test_so_many_pairs_attain_this_level(pairs: int, tests: int, level: float) -> None:
    assert attained_level_of_pairs(pairs, tests=tests) == level
    assert (smallest_detectable_of_pairs(pairs, tests=tests) is None) is (level == 0)


@pytest.mark.parametrize(("pairs", "alpha"), [(0, 0.05), (8, 0.0), (8, 0.9)])
def test_power_of_no_pairs_or_at_no_level_is_refused(pairs: int, alpha: float) -> None:
    with pytest.raises(SettingError, match="0 < alpha < power < 1"):
        smallest_detectable_of_pairs(pairs, alpha=alpha)


@given(st.floats(0.2, 1.99), st.sampled_from([0.5, 0.8, 0.95]))
def test_the_fewest_words_show_an_effect_and_one_less_does_not(d: float, power: float) -> None:
    words = required_words(-d, power=power)
    assert words is not None
    smallest = smallest_detectable(words, words, power=power)
    assert smallest is not None
    assert smallest <= d
    fewer = smallest_detectable(words - 1, words - 1, power=power)
    assert fewer is None or fewer > d


def test_words_to_detect_agree_with_the_table_and_no_effect_needs_more_than_any() -> None:
    # Cohen (1988), table 2.4.1, as above, and 64 a side for delta = 0.5.
    assert required_words(0.8 / sqrt(1 + 0.64 / 4)) == 26
    assert required_words(0.5 / sqrt(1 + 0.25 / 4)) == 64
    assert required_words(0.0) is None
    assert required_words(0.5, most=50) is None
    with pytest.raises(SettingError, match="at least one word, not 0"):
        required_words(0.5, most=0)


# --- shorter lists ---


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


@pytest.mark.parametrize("kept", [(8, 8), (6, 9), (9, 3)])
@pytest.mark.parametrize("apart", [0.3, 1.0, 2.5])
def test_the_share_is_that_of_its_formula(apart: float, kept: tuple[int, int]) -> None:
    x, y = normal_lists(apart, 10, 3)
    kx, ky = kept
    t = float(ttest_ind(x, y).statistic)
    centre = abs(t) * sqrt(kx * ky / (kx + ky)) / sqrt(100 / 20)
    spread = sqrt((1 - (kx + ky) / 20) * (1 + centre**2 / (2 * (kx + ky - 2))))
    critical = student.ppf(1 - attained_level(kx, ky, alpha=0.05) / 2, kx + ky - 2)
    expected = norm.cdf((centre - critical) / spread)
    assert expected_significant_share(x, y, kept=kept) == pytest.approx(expected, rel=1e-9)


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

"""Bootstrap intervals and influence."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairvec.core.errors import SettingError
from fairvec.core.numeric import FloatArray
from fairvec.stats import bootstrap, bootstrap_interval, leave_one_out
from tests.stats.brute_force import caliskan_d

# --- bootstrap ---


def drawn(nx: int, ny: int, delta: float, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    generator = np.random.default_rng(seed)
    return generator.normal(delta, size=(nx, 1)), generator.normal(size=(ny, 1))


def test_it_is_a_bca_interval_at_a_wider_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "OUTERMOST", 0.0)
    x, y = drawn(8, 11, 1.0)
    ours = bootstrap_interval([x, y], caliskan_d, resamples=40_000)
    wider = 2 * stats.norm.cdf(sqrt(8 / 7) * stats.t.ppf(0.975, 7)) - 1
    peer = stats.bootstrap(
        (x[:, 0], y[:, 0]),
        lambda a, b, axis: (
            (a.mean(axis) - b.mean(axis)) / np.concatenate([a, b], axis).std(axis, ddof=1)
        ),
        method="BCa",
        confidence_level=wider,
        n_resamples=40_000,
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert ours is not None
    # Quantiles at 0.6 % of 40,000 resamples carry a Monte Carlo error of about 0.02.
    assert ours.low == pytest.approx(peer.low, abs=0.06)
    assert ours.high == pytest.approx(peer.high, abs=0.06)


def test_no_end_is_sought_where_few_resamples_lie() -> None:
    x, y = drawn(8, 11, 1.0)  # the plain rule asks for the lowest 0.03 % here
    lows = []
    for seed in range(6):
        found = bootstrap_interval([x, y], caliskan_d, seed=seed)
        assert found is not None
        lows.append(found.low)
    assert max(lows) - min(lows) < 0.1


@pytest.mark.parametrize("true_d", [0.0, 1.2])
def test_it_covers_the_true_effect_about_as_often_as_it_says(true_d: float) -> None:
    delta, covered = true_d / sqrt(1 - true_d**2 / 4), 0
    for seed in range(300):
        x, y = drawn(8, 8, delta, seed)
        found = bootstrap_interval([x, y], caliskan_d, resamples=600, seed=seed)
        assert found is not None
        covered += found.low <= true_d <= found.high
    # 95 % nominal; three standard errors of 300 studies are 3.8 %.
    assert 0.91 <= covered / 300 <= 1


def test_a_higher_level_and_fewer_words_widen_it() -> None:
    x, y = drawn(6, 6, 0.5)
    widths = []
    for copies, level in ((3, 0.9), (3, 0.95), (1, 0.95)):
        found = bootstrap_interval(
            [np.tile(x, (copies, 1)), np.tile(y, (copies, 1))], caliskan_d, level=level
        )
        assert found is not None
        widths.append(found.high - found.low)
    assert widths == sorted(widths)


def test_the_seed_decides_and_swapping_the_lists_mirrors() -> None:
    x, y = drawn(6, 6, 0.5)
    first = bootstrap_interval([x, y], caliskan_d, seed=1)
    assert (
        first
        == bootstrap_interval([x, y], caliskan_d, seed=1)
        != bootstrap_interval([x, y], caliskan_d, seed=2)
    )
    mirrored = bootstrap_interval([y, x], caliskan_d, seed=1)
    assert first is not None
    assert mirrored is not None
    assert mirrored.low == pytest.approx(-first.high, abs=0.15)
    assert mirrored.high == pytest.approx(-first.low, abs=0.15)


def test_words_are_resampled_within_their_list_and_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "NUMBERS_AT_A_TIME", 1000)
    x = np.column_stack([np.arange(5.0), 10 * np.arange(5.0)])
    y = np.column_stack([np.arange(5.0) + 5, 10 * np.arange(5.0) + 50])
    sizes = []

    def effect(some: FloatArray, others: FloatArray) -> FloatArray:
        assert (some[..., 1] == 10 * some[..., 0]).all()
        assert some.max() <= 40
        assert others[..., 0].min() >= 5
        sizes.append(len(some))
        difference: FloatArray = some[..., 0].mean(1) - others[..., 0].mean(1)
        return difference

    assert bootstrap_interval([x, y], effect, resamples=999) is not None
    assert sizes[0] == 1
    assert max(sizes) <= 50
    assert sum(sizes) == 999 + 1 + 5 + 5


def test_there_is_none_for_too_few_words_or_an_undefined_effect() -> None:
    x, y = drawn(8, 8, 0.0)
    assert bootstrap_interval([x[:2], y], caliskan_d) is None
    assert bootstrap_interval([x, y[:2]], caliskan_d) is None
    assert bootstrap_interval([np.ones((5, 1)), np.ones((5, 1))], caliskan_d) is None
    nearly_constant = np.array([[0.0], [0.0], [1.0]])  # 9 % of the resamples are all 0
    assert bootstrap_interval([nearly_constant, np.zeros((3, 1))], caliskan_d) is None


def test_equal_scores_in_each_list_give_a_point() -> None:
    found = bootstrap_interval([np.ones((4, 1)), np.zeros((4, 1))], caliskan_d)
    assert found is not None
    assert found.low == pytest.approx(found.high)


def test_an_interval_says_how_many_resamples_were_drawn() -> None:
    found = bootstrap_interval(drawn(5, 5, 0.0), caliskan_d, resamples=100, seed=7)
    assert found is not None
    assert (found.resamples, found.seed) == (100, 7)


@pytest.mark.parametrize("setting", [{"level": 0.0}, {"level": 1.0}, {"resamples": 0}])
def test_impossible_settings_are_refused(setting: dict[str, float]) -> None:
    with pytest.raises(SettingError, match="at least one resample"):
        bootstrap_interval(drawn(5, 5, 0.0), caliskan_d, **setting)  # type: ignore[arg-type]


def test_one_list_is_as_good_as_two() -> None:
    rows = np.random.default_rng(3).normal(2.0, size=(40, 1))
    found = bootstrap_interval([rows], lambda batch: batch.mean(axis=(-2, -1)), resamples=20_000)
    assert found is not None
    half = 2.02 * rows.std(ddof=1) / np.sqrt(40)
    assert found.low == pytest.approx(rows.mean() - half, abs=half / 8)
    assert found.high == pytest.approx(rows.mean() + half, abs=half / 8)


def mean(rows: FloatArray) -> FloatArray:
    means: FloatArray = rows.mean(axis=(1, 2))
    return means


@given(st.lists(st.integers(0, 3), min_size=3, max_size=8), st.integers(0, 10**6))
def test_the_opposite_effect_has_the_mirrored_interval(scores: list[int], seed: int) -> None:
    """Also where many resamples tie with what was observed: half of them lie below it."""
    rows = np.array(scores, np.float64)[:, None]
    one = bootstrap_interval([rows], mean, resamples=300, seed=seed)
    other = bootstrap_interval([rows], lambda batch: -mean(batch), resamples=300, seed=seed)
    assert one is not None
    assert other is not None
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low), abs=1e-12)


def test_resamples_that_tie_say_nothing_of_a_bias(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of scores of 0 and 1 alike in number, BCa is the percentile interval at a wider level."""
    monkeypatch.setattr(bootstrap, "OUTERMOST", 0.0)
    rows = np.repeat([0.0, 1.0], 50)[:, None]
    found = bootstrap_interval([rows], mean, resamples=40_000)
    assert found is not None
    tail = stats.norm.cdf(-sqrt(100 / 99) * stats.t.ppf(0.975, 99))
    # The mean of a hundred coins: its own quantiles are known.
    assert found.low == stats.binom.ppf(tail, 100, 0.5) / 100
    assert found.high == stats.binom.ppf(1 - tail, 100, 0.5) / 100


def test_few_words_reach_as_far_as_their_t_says() -> None:
    """Of three words z = sqrt(3/2) t(2): half the studies ask for the lowest 15.9 %.

    The sums of three draws of -1, 0 and 1 lie at -2 or below in 4 of 27 cases, 14.8 %.
    """
    found = bootstrap_interval(
        [np.array([[-1.0], [0.0], [1.0]])], mean, level=0.5, resamples=200_000
    )
    assert found is not None
    assert (found.low, found.high) == pytest.approx((-1 / 3, 1 / 3))


# --- influence ---


def test_each_value_is_the_effect_without_that_word() -> None:
    generator = np.random.default_rng(0)
    x, y = generator.normal(size=(5, 1)), generator.normal(size=(4, 1))
    for_x, for_y = leave_one_out([x, y], caliskan_d)
    for i in range(5):
        left = np.delete(x, i, axis=0)
        assert for_x[i] == (left.mean() - y.mean()) / np.std([*left, *y], ddof=1)
    for i in range(4):
        left = np.delete(y, i, axis=0)
        assert for_y[i] == (x.mean() - left.mean()) / np.std([*x, *left], ddof=1)


def test_columns_of_a_word_stay_together() -> None:
    x, y = np.arange(6.0).reshape(3, 2), np.zeros((2, 2))
    for_x, for_y = leave_one_out(
        [x, y], lambda a, b: (a[..., 0] * a[..., 1]).sum(1) - b.sum((1, 2))
    )
    assert for_x.tolist() == [26, 20, 6]
    assert for_y.tolist() == [26, 26]


def test_without_its_only_word_a_list_has_no_effect() -> None:
    for_x, for_y = leave_one_out([np.ones((1, 1)), np.zeros((3, 1))], caliskan_d)
    assert np.isnan(for_x).all()
    assert len(for_x) == 1
    assert np.isfinite(for_y).all()

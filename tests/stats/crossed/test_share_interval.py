import numpy as np
import pytest

from fairvec.stats import anova_table, omega2_intervals

MEANS = (
    np.array([-0.5, 0.5])[:, None, None]
    + 0.5 * np.array([-0.6, 0.1, 0.5])[None, :, None]
    + 0.3 * np.array([-0.5, 0.5])[None, None, :]
)[..., None]


def true_shares(noise: float) -> dict[tuple[int, ...], float]:
    nearly = np.concatenate([MEANS - 1e-9, MEANS + 1e-9], axis=-1)
    whole = MEANS.var() + noise**2
    return {
        term.axes: term.sum_of_squares / nearly.size / whole for term in anova_table(nearly).terms
    }


@pytest.mark.parametrize("noise", [0.2, 0.5], ids=["little noise", "much noise"])
def test_intervals_cover_the_true_shares(noise: float) -> None:
    generator = np.random.default_rng(1)
    true, repeats = true_shares(noise), 300
    covered = dict.fromkeys(true, 0)
    for _ in range(repeats):
        table = MEANS + noise * generator.normal(size=(2, 3, 2, 3))
        for term, (low, high) in omega2_intervals(table, draws=300).items():
            covered[term] += low - 1e-9 <= true[term] <= high + 1e-9
    assert min(covered.values()) / repeats > 0.9
    assert np.mean(list(covered.values())) / repeats > 0.935


def test_the_same_seed_gives_the_same_ends_around_the_share() -> None:
    table = MEANS + 0.2 * np.random.default_rng(2).normal(size=(2, 3, 2, 3))
    first = omega2_intervals(table)
    assert first == omega2_intervals(table)
    for term in anova_table(table).terms:
        low, high = first[term.axes]
        assert 0 <= low <= max(term.omega2, 0) <= high + 0.02 <= 1.02


def test_little_noise_leaves_no_doubt_and_none_at_all_no_width() -> None:
    table = MEANS + 1e-4 * np.random.default_rng(3).normal(size=(2, 3, 2, 3))
    low, high = omega2_intervals(table)[0,]
    assert high - low < 1e-3
    low, high = omega2_intervals(np.repeat(MEANS, 2, axis=-1))[0,]
    assert low == high == pytest.approx(0.25 / MEANS.var())

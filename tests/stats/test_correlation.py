import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from fairvec.stats.correlation import pearson, spearman


def test_each_batch_has_its_own_correlation() -> None:
    pairs = np.random.default_rng(0).normal(size=(4, 12, 2))
    np.testing.assert_allclose(pearson(pairs), [pearsonr(*p.T).statistic for p in pairs])
    np.testing.assert_allclose(spearman(pairs), [spearmanr(*p.T).statistic for p in pairs])


def test_equal_values_share_their_rank() -> None:
    pairs = np.array([[1.0, 3.0], [1.0, 1.0], [2.0, 2.0], [4.0, 2.0], [5.0, 9.0]])
    np.testing.assert_allclose(spearman(pairs), spearmanr(*pairs.T).statistic)


def test_a_batch_without_spread_is_undefined_and_the_rest_is_not() -> None:
    pairs = np.array([[[0.1, 1], [0.1, 2], [0.1, 4]], [[1.0, 1], [2.0, 2], [3.0, 3]]])
    first, second = pearson(pairs)
    assert np.isnan(first)
    assert second == pytest.approx(1)

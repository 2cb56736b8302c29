import numpy as np

from fairvec.stats import leave_one_out
from tests.stats.effects import caliskan_d


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

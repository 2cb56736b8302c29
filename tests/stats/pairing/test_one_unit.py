from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.stats.correlation import normal_scores, standard_scores

spread_out = st.lists(st.integers(-300, 300), min_size=2, max_size=40).map(
    lambda whole: np.array(whole) / 100
)


@given(spread_out, st.sampled_from([np.exp, np.cbrt, np.sinh, lambda s: 5 * s - 40]))
def test_ranks_do_not_see_an_increasing_function(scores: np.ndarray, function: object) -> None:
    assert callable(function)
    assert normal_scores(function(scores)).tolist() == normal_scores(scores).tolist()


@given(spread_out, st.floats(0.01, 100), st.floats(-10, 10))
def test_neither_unit_sees_scale_or_shift(scores: np.ndarray, scale: float, shift: float) -> None:
    for unit in (normal_scores, standard_scores):
        np.testing.assert_allclose(unit(scale * scores + shift), unit(scores), atol=1e-9)
        np.testing.assert_allclose(unit(-scores), -unit(scores), atol=1e-9)


@given(spread_out)
def test_scores_have_mean_0_and_deviation_1_or_none_at_all(scores: np.ndarray) -> None:
    for unit in (normal_scores, standard_scores):
        found = unit(scores)
        assert found.mean() == pytest.approx(0, abs=1e-9)
        if len({*scores.tolist()}) > 1:
            assert found.std(ddof=1) == pytest.approx(1)
        else:
            assert not found.any()


def test_normal_scores_are_the_deviates_of_ranks() -> None:
    deviate = NormalDist().inv_cdf
    by_hand = np.array([deviate(4 / 5), deviate(1 / 5), deviate(2.5 / 5), deviate(2.5 / 5)])
    found = normal_scores(np.array([9.0, -3.0, 0.5, 0.5 + 1e-15]))
    np.testing.assert_allclose(found, by_hand / by_hand.std(ddof=1), atol=1e-12)


def test_standard_scores_see_what_ranks_do_not() -> None:
    scores = np.linspace(-2, 2, 9)
    assert not np.allclose(standard_scores(np.exp(scores)), standard_scores(scores))


@pytest.mark.parametrize("scores", [[], [[1.0, 2.0]], [1.0, np.nan], [np.inf, 0.0]])
def test_what_is_no_list_of_numbers_is_refused(scores: list[float]) -> None:
    for unit in (normal_scores, standard_scores):
        with pytest.raises(SettingError, match="plain list of finite ones"):
            unit(np.array(scores))

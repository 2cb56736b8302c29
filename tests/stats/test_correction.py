import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.stats import benjamini_hochberg, holm


def test_published_example() -> None:
    # Benjamini and Hochberg (1995), section 3: Bonferroni-type rules keep 3, theirs keeps 4.
    printed = [1, 4, 19, 95, 201, 278, 298, 344, 459, 3240, 4262, 5719, 6528, 7590, 10000]
    p = np.array(printed) / 10000
    assert (holm(p) <= 0.05).sum() == 3
    assert (benjamini_hochberg(p) <= 0.05).sum() == 4


def test_by_hand() -> None:
    p = np.array([0.04, 0.01, 0.03])
    np.testing.assert_allclose(holm(p), [0.06, 0.03, 0.06])
    np.testing.assert_allclose(benjamini_hochberg(p), [0.04, 0.03, 0.04])


def test_one_p_and_no_p_stay_as_they_are() -> None:
    for correct in (holm, benjamini_hochberg):
        assert correct(np.array([0.3])).tolist() == [0.3]
        assert correct(np.array([])).tolist() == []


@pytest.mark.parametrize("bad", [[0.1, np.nan], [-0.1], [1.1], [[0.1]]])
def test_what_is_no_p_is_refused(bad: list[float]) -> None:
    for correct in (holm, benjamini_hochberg):
        with pytest.raises(SettingError, match="between 0 and 1"):
            correct(np.array(bad))

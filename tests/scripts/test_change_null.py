"""The simulations of the test of a change keep their level, power and coverage."""

import pytest
from scipy.stats import binom

from scripts.change_null import CASES, Case, rates

STUDIES = 200
MOST = binom.ppf(0.99, STUDIES, 0.05) / STUDIES
LEAST_COVERED = binom.ppf(0.01, STUDIES, 0.95) / STUDIES


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}-{case.before}")
def test_a_change_is_found_where_there_is_one_and_seldom_else(case: Case) -> None:
    """For unequal lists, pooled tests and encoders too: 5 % at most, and its luck, without one."""
    found = rates(case, STUDIES, seed=1)
    if case.before == case.after:
        assert found.permuted <= MOST
    elif case.after == 0:
        assert found.permuted >= 0.75
    assert found.covers >= LEAST_COVERED


def test_what_all_words_share_takes_no_power_of_the_permuted_changes() -> None:
    """It takes two thirds of that of flipped signs, the control."""
    gone = {case.name: rates(case, STUDIES, seed=1) for case in CASES if case.after == 0}
    plain, offset = gone["gone"], gone["gone, with an offset"]
    assert offset.permuted == plain.permuted
    assert offset.flipped < plain.flipped / 2

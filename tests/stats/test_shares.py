from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.stats.proportions import wilson


@given(st.integers(1, 500).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_the_ends_are_the_shares_just_not_rejected(counts: tuple[int, int]) -> None:
    found, of = counts
    low, high = wilson(found, of)
    assert 0 <= low <= found / of <= high <= 1
    for end in (low, high):
        if 0 < end < 1:
            distance = abs(found / of - end)
            assert distance == pytest.approx(1.959963985 * sqrt(end * (1 - end) / of), abs=1e-7)


def test_a_published_example() -> None:
    # Newcombe (1998), table I: 81 of 263 and 0 of 20.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)


@pytest.mark.parametrize(("found", "of"), [(0, 0), (3, 2), (-1, 4)])
def test_what_is_no_share_is_refused(found: int, of: int) -> None:
    with pytest.raises(SettingError, match=f"{found} of {of} is no share"):
        wilson(found, of)

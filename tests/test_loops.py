"""A loop in a test calls it with every value and hides no failure."""

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.loops import cover_pairs, loop_over


def test_every_value_is_tried_and_all_that_fail_are_listed() -> None:
    tried = []

    @loop_over("one, other", [(1, 1), (1, 2), (3, 3), (3, 4)])
    def test(one: int, other: int) -> None:
        tried.append((one, other))
        assert one == other

    with pytest.raises(AssertionError, match=r"2 of 4 failed\none=1, other=2: .*") as failed:
        test()
    assert "one=3, other=4: AssertionError: assert 3 == 4" in str(failed.value)
    assert tried == [(1, 1), (1, 2), (3, 3), (3, 4)]


@pytest.mark.parametrize("end", [pytest.fail, pytest.skip])
def test_a_skip_is_a_failure_as_it_would_hide_the_rest(end: object) -> None:
    @loop_over("value", [0, 1])
    def test(value: int) -> None:
        if not value:
            end("so")  # type: ignore[operator]

    with pytest.raises(AssertionError, match=r"1 of 2 failed\nvalue=0: .*: so"):
        test()


def test_without_values_nothing_would_be_tested() -> None:
    with pytest.raises(ValueError, match="nothing"):
        loop_over("value", [])


@loop_over("one", [1, 2])
@loop_over(("two", "three"), [(3, 4), (5, 6)])
def test_loops_are_stacked_and_leave_fixtures_to_pytest(
    one: int, two: int, three: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert three == two + 1 > one
    monkeypatch.setenv("FAIRVEC_LOOP", "set")


def test_a_law_breaks_in_a_loop() -> None:
    @loop_over("limit", [10, -1])
    @given(number=st.integers(0, 3))
    def test(limit: int, number: int) -> None:
        assert number <= limit

    with pytest.raises(AssertionError, match="1 of 2 failed\nlimit=-1: "):
        test()


def test_rows_that_cover_pairs_are_few_and_have_every_two_values() -> None:
    factors = ["abc", (1, 2, 3), "xyz", (True, False)]
    rows = cover_pairs(*factors)
    for (one, first), (other, second) in combinations(enumerate(factors), 2):
        assert {(row[one], row[other]) for row in rows} == {*product(first, second)}
    assert len(rows) <= 12 < len([*product(*factors)])

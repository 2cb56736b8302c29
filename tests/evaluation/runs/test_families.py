from fractions import Fraction
from math import comb

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from fairvec.core.format import is_significant
from fairvec.experiments.audit import verdicts as families
from fairvec.experiments.audit.verdicts import correct_families, decidable
from fairvec.stats import smallest_attainable_p
from tests.laws.test_stats_laws import law
from tests.results.make import TEST

LEVELS = ("0.1", "0.05", "0.025", "0.01", "0.005")
sizes = st.tuples(st.integers(1, 14), st.integers(1, 20))


def at_the_level() -> list[tuple[tuple[int, int], int, str]]:
    """All sizes and numbers of tests whose smallest corrected p is the level itself."""
    return [
        ((nx, ny), tests, level)
        for nx in range(1, 8)
        for ny in range(nx, 20)
        for tests in range(1, 30)
        for level in LEVELS
        if tests * Fraction(1 + (nx == ny), comb(nx + ny, nx)) == Fraction(level)
    ]


@law
@given(sizes, st.integers(1, 30), st.sampled_from(LEVELS))
def test_a_test_is_decidable_just_where_its_smallest_p_can_be_significant(
    lists: tuple[int, int], tests: int, level: str
) -> None:
    smallest = Fraction(1 + (lists[0] == lists[1]), comb(sum(lists), lists[0]))
    expected = tests * smallest <= Fraction(level)
    assert decidable(lists, tests, float(level)) is expected
    p = smallest_attainable_p(*lists)
    found = correct_families([families.FamilyMember("m", TEST, p, p, lists)] * tests, float(level))
    assert {one.candidates for one in found} == {tests}
    for one in found:
        assert one.family == (tests if expected else 0)
        assert (one.holm_two_sided is not None) is expected
        assert one.holm_two_sided is None or is_significant(one.holm_two_sided, float(level))


def test_a_smallest_p_at_its_level_is_significant_whatever_floats_make_of_it() -> None:
    exactly = at_the_level()
    assert len(exactly) > 15
    for lists, tests, level in exactly:
        p = smallest_attainable_p(*lists)
        (first, *_) = correct_families(
            [families.FamilyMember("m", TEST, p, p, lists)] * tests, float(level)
        )
        assert first.holm_two_sided is not None
        assert is_significant(first.holm_two_sided, float(level))
        assert not decidable(lists, tests + 1, float(level))


@law
@given(st.fractions(0, 1), st.floats(1e-9, 0.5))
@example(Fraction(1, 20), 1e-9)
def test_a_p_is_significant_up_to_its_level_and_no_further(p: Fraction, more: float) -> None:
    assume(p > 0)
    assert is_significant(float(p), float(p))
    assert is_significant(float(p) * (1 - more), float(p))
    assert not is_significant(float(p) * (1 + more), float(p))


def test_one_in_doubt_costs_the_others_nothing() -> None:
    tests = [
        families.FamilyMember("m", TEST, 0.01, 0.02, (8, 8), doubt)
        for doubt in (False, True, False)
    ]
    sure, doubted, _ = correct_families(tests, 0.05)
    assert (sure.holm, sure.holm_two_sided, sure.family) == (0.02, 0.04, 2)
    assert sure.benjamini_hochberg == pytest.approx(0.01)
    assert (doubted.holm, doubted.holm_two_sided, doubted.benjamini_hochberg) == (None,) * 3


@pytest.mark.parametrize(
    ("pairs", "tests", "answered"), [(5, 1, False), (6, 1, True), (6, 2, False)]
)
def test_pairs_are_decidable_where_all_leaning_one_way_is_significant(
    pairs: int, tests: int, answered: bool
) -> None:
    p = 2 / 2**pairs
    found = correct_families([families.FamilyMember("m", TEST, p, p, pairs=pairs)] * tests, 0.05)
    assert [one.holm is not None for one in found] == [answered] * tests
    assert [one.candidates for one in found] == [tests] * tests

"""A category that only one run can answer does not vanish in silence."""

import pytest

from fairvec.experiments.audit.categories import category_answers
from fairvec.experiments.comparison.compare import compare
from fairvec.experiments.comparison.table import COMPARISON_COLUMNS, comparison_rows
from fairvec.results import CategoryAnswer, Outcome
from fairvec.results.rows import Plain
from tests.evaluation.categories.drawn_suites import Drawn, outcomes_of, suite_of
from tests.results.make import skipped

TESTS = outcomes_of(
    suite_of(Drawn("gender", seed=1), Drawn("gender", seed=2), Drawn("race", seed=3))
)
GENDER, RACE = TESTS[:2], TESTS[2:]


def answered(tests: list[Outcome], *, recorded: bool = True) -> list[Outcome]:
    return [*tests, *(category_answers(tests) if recorded else ())]


def refused(tests: list[Outcome]) -> list[Outcome]:
    """The same tests, all of them skipped."""
    same = ("test", "model", "metric", "similarity", "described", "convention")
    return [
        skipped().model_copy(update={name: getattr(one, name) for name in same}) for one in tests
    ]


def of_categories(before: list[Outcome], after: list[Outcome]) -> list[dict[str, Plain]]:
    rows = comparison_rows(compare(before, after))
    return [row for row in rows if row["kind"] == "category"]


@pytest.mark.parametrize("recorded", [True, False], ids=["recorded", "pooled-here"])
@pytest.mark.parametrize("gone", [True, False], ids=["gone", "skipped"])
def test_a_category_without_an_answer_now_is_a_row(recorded: bool, gone: bool) -> None:
    whole = answered(TESTS, recorded=recorded)
    less = answered(RACE, recorded=recorded) + ([] if gone else refused(GENDER))
    gender = next(one for one in category_answers(TESTS) if one.test.category == "gender")
    assert isinstance(gender, CategoryAnswer)
    for before, after, pairing, side in (
        (whole, less, "vanished", "before"),
        (less, whole, "new", "after"),
    ):
        race, lone = of_categories(before, after)
        assert (race["category"], race["pairing"]) == ("race", "paired")
        assert [*lone] == [*COMPARISON_COLUMNS]
        assert (lone["test"], lone["pairing"]) == ("category/gender", pairing)
        assert lone["answered"] == side
        assert lone[f"effect_{side}"] == gender.effect
        assert lone[f"verdict_{side}"] == gender.verdict.kind
        assert lone["change"] is None


def test_a_category_of_other_tests_in_each_run_is_two_rows() -> None:
    rows = of_categories(answered([GENDER[0], *RACE]), answered([GENDER[1], *RACE]))
    assert [(row["category"], row["pairing"], row["answered"]) for row in rows] == [
        ("race", "paired", "both"),
        ("gender", "other-settings", "before"),
        ("gender", "other-settings", "after"),
    ]


def test_nothing_is_alone_in_two_runs_of_the_same_tests() -> None:
    for recorded in (True, False):
        comparison = compare(answered(TESTS), answered(TESTS, recorded=recorded))
        assert comparison.lone_categories == ((), ())

from fairvec.experiments.comparison.compare import compare
from fairvec.experiments.comparison.table import (
    COMPARISON_COLUMNS,
    COMPARISON_VALUES,
    comparison_rows,
)
from fairvec.results import Condition, Outcome
from tests.evaluation.categories.drawn_suites import Drawn, embedding, outcomes_of, suite_of
from tests.results.make import measured, skipped

TESTS = suite_of(Drawn(sizes=(3, 3, 4, 4), seed=1), Drawn(sizes=(3, 4, 4, 4), seed=2))


def test_every_row_has_every_column_and_only_known_values() -> None:
    before: list[Outcome] = [measured(), measured(test="toy/gone"), skipped(), *outcomes_of(TESTS)]
    after: list[Outcome] = [
        measured(effect=-1.0),
        measured(test="toy/new"),
        skipped(),
        *outcomes_of(TESTS, of=embedding(1)),
    ]
    rows = comparison_rows(compare(before, after))
    assert [row["kind"] for row in rows].count("category") == 1
    assert len(rows) == 4 + 1 + len(TESTS.tests)
    for row in rows:
        assert [*row] == [*COMPARISON_COLUMNS]
        for column, known in COMPARISON_VALUES.items():
            assert row[column] is None or row[column] in known
    assert set(COMPARISON_VALUES) <= set(COMPARISON_COLUMNS)


def test_a_pair_holds_both_sides() -> None:
    (row,) = comparison_rows(compare([measured()], [measured(effect=-1.2, p_holm=0.3)]))
    assert (row["effect_before"], row["effect_after"]) == (1.0, -1.2)
    assert (row["verdict_before"], row["verdict_after"]) == ("biased", "no-evidence")
    assert (row["size_before"], row["size_after"]) == ("large", "large")
    assert (row["pairing"], row["answered"], row["same_words"]) == ("paired", "both", True)
    assert row["change"] == "reversed"


def test_an_answer_that_was_lost_is_a_row_whatever_the_reason() -> None:
    newer = measured(test="toy/otherwise")
    newer = newer.model_copy(update={"test": newer.test.model_copy(update={"suite_version": "2"})})
    few = measured().verdict.model_copy(update={"kind": "too-few-words"})
    tests = ("one", "gone", "skipped", "few", "otherwise")
    before = [measured(test=f"toy/{name}") for name in tests]
    after: list[Outcome] = [
        measured(test="toy/one"),
        skipped(test="toy/skipped"),
        measured(test="toy/few").model_copy(update={"verdict": few}),
        newer,
        measured(test="toy/new"),
    ]
    rows = comparison_rows(compare(before, after))
    lost = Condition("answered == 'before'", COMPARISON_COLUMNS, COMPARISON_VALUES)
    assert {(row["test"], row["pairing"]) for row in rows if lost(row)} == {
        ("toy/gone", "vanished"),
        ("toy/skipped", "paired"),
        ("toy/few", "paired"),
        ("toy/otherwise", "other-settings"),
    }
    after_only = {(row["test"], row["pairing"]) for row in rows if row["answered"] == "after"}
    assert after_only == {("toy/new", "new"), ("toy/otherwise", "other-settings")}


def test_no_spread_is_an_answer() -> None:
    alike = skipped(test="toy/one").model_copy(update={"cause": "no-spread"})
    (row,) = comparison_rows(compare([measured()], [alike]))
    assert (row["answered"], row["change"]) == ("both", "removed")


def test_the_answers_of_categories_are_rows_too() -> None:
    comparison = compare(outcomes_of(TESTS), outcomes_of(TESTS, of=embedding(1)))
    (one,) = comparison.categories
    gate = Condition(
        f"kind == 'category' and category == '{one.after.test.category}' and "
        "abs(effect_after - effect_before) > 0",
        COMPARISON_COLUMNS,
        COMPARISON_VALUES,
    )
    (row,) = [row for row in comparison_rows(comparison) if gate(row)]
    assert row["test"] == f"category/{one.after.test.category}"
    assert (row["status_before"], row["status_after"]) == ("pooled", "pooled")
    assert (row["effect_before"], row["effect_after"]) == (one.effect_before, one.effect_after)
    assert (row["p_holm_after"], row["verdict_after"]) == (one.after.p_holm, one.after.verdict.kind)
    assert row["change"] == one.change
    assert row["pairing"] == "paired"

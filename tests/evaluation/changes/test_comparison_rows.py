from fairvec.evaluation import compare
from fairvec.evaluation.changes.comparison_rows import (
    COMPARISON_COLUMNS,
    COMPARISON_VALUES,
    comparison_rows,
)
from fairvec.results import (
    CategoryAnswer,
    Condition,
    Convention,
    Outcome,
    PooledTest,
    TestIdentity,
)
from tests.results.make import measured, skipped


def answer_of(effect: float) -> CategoryAnswer:
    """The answer of a category, and everything else plain."""
    plain = measured(effect=effect)
    identity = plain.test.model_dump() | {"id": "category/gender", "kind": "category"}
    return CategoryAnswer(
        **{name: getattr(plain, name) for name in ("model", "metric", "similarity", "coverage")},
        **{name: getattr(plain, name) for name in ("seed", "versions", "p", "p_holm", "family")},
        **{name: getattr(plain, name) for name in ("verdict", "interval")},
        test=TestIdentity(**identity),
        convention=Convention(name="caliskan", ddof=1, denominator="leanings"),
        effect=effect,
        size="large",
        between=0.0,
        inconsistency=0.0,
        prediction=None,
        tests=(
            PooledTest(test="toy/one", title="One", effect=effect, weight=1.0, verdict="biased"),
        ),
    )


def test_every_row_has_every_column_and_only_known_values() -> None:
    before: list[Outcome] = [
        *(measured(), measured(test="toy/gone"), skipped(), answer_of(1.0)),
    ]
    after: list[Outcome] = [
        measured(effect=-1.0),
        measured(test="toy/new"),
        skipped(),
        answer_of(-0.9),
    ]
    rows = comparison_rows(compare(before, after))
    assert len(rows) == 5
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
    rows = comparison_rows(compare([measured(), answer_of(0.4)], [measured(), answer_of(0.9)]))
    gate = Condition(
        "kind == 'category' and category == 'gender' and abs(effect_after) > abs(effect_before)",
        COMPARISON_COLUMNS,
        COMPARISON_VALUES,
    )
    assert [row["test"] for row in rows if gate(row)] == ["category/gender"]
    (row,) = [row for row in rows if row["kind"] == "category"]
    assert (row["status_before"], row["status_after"]) == ("pooled", "pooled")
    assert row["verdict_after"] == "biased"

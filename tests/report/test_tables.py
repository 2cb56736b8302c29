import csv
import re
from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from fairvec.report import as_csv, as_rich_table
from fairvec.results import COLUMNS, Outcome, Result, Skipped
from tests.report.lists import TESTS
from tests.report.outcomes import a_run, measured, model


def shown(outcomes: list[Outcome], width: int) -> str:
    console = Console(width=width, file=StringIO(), color_system=None)
    console.print(as_rich_table(outcomes, width=width))
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def test_csv_reads_back_unrounded() -> None:
    rows = list(csv.DictReader(StringIO(as_csv(a_run()))))
    assert list(rows[0]) == list(COLUMNS)
    for row, outcome in zip(rows, a_run(), strict=True):
        assert row["title"] == outcome.test.title
        if isinstance(outcome, Result):
            assert float(row["effect"]) == outcome.effect
            assert float(row["p"]) == outcome.p.value
        elif isinstance(outcome, Skipped):
            assert (row["effect"], row["reason"]) == ("", outcome.reason)


def test_no_text_of_a_csv_is_a_formula_and_numbers_stay() -> None:
    one = measured(model("=HYPERLINK(1)"), TESTS[1], lean=-3)
    test = one.test.model_copy(update={"title": "@SUM(A1)", "category": "-x", "tags": ("+x",)})
    (row,) = csv.DictReader(StringIO(as_csv([one.model_copy(update={"test": test})])))
    assert (row["model"], row["title"], row["category"]) == ("'=HYPERLINK(1)", "'@SUM(A1)", "'-x")
    assert float(row["effect"]) == one.effect < 0
    assert not [cell for cell in row.values() if cell[:1] in ("=", "+", "@")]


def test_csv_of_nothing_is_its_heading() -> None:
    assert as_csv([]) == ",".join(COLUMNS) + "\n"


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_the_terminal_shows_verdicts_and_numbers_whole(width: int) -> None:
    text = shown(a_run(), width)
    assert max(cell_len(line) for line in text.splitlines()) <= width
    for word in ("Biased", "Associated", "No evidence", "Too few words", "Skipped", "−1.64"):
        assert word in text
    assert "…" not in text
    assert ("Interval" in text) == (width == 120)


@pytest.mark.parametrize(
    ("width", "headings"),
    [
        (60, ["d", "p, Holm"]),
        (70, ["d", "p", "p, Holm"]),
        (80, ["d", "p", "p, Holm"]),
        (100, ["d", "Interval", "p", "p, Holm"]),
        (140, ["d", "Interval", "p", "p, Holm"]),
    ],
)
def test_p_is_shown_where_a_terminal_is_as_wide_as_most(width: int, headings: list[str]) -> None:
    """Also beside long ids, titles off the Latin script, and p-values with powers of ten."""
    outcome = measured(model("m"), TESTS[5], lean=3)
    title = "पुरुष और महिला के नाम, करियर और परिवार के शब्द"
    test = outcome.test.model_copy(update={"title": title, "id": f"suite/{'long-' * 12}id"})
    p = outcome.p.model_copy(update={"value": 1.23e-11})
    text = shown([outcome.model_copy(update={"test": test, "p": p})], width)
    assert re.split(r"\s{2,}", text.splitlines()[0].strip())[2:] == headings
    assert max(cell_len(line) for line in text.splitlines()) <= width
    assert ("1.2\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁻¹¹" in text) == ("p" in headings)
    assert "…" not in text


def test_a_claimed_effect_has_its_size_beside_or_under_the_verdict() -> None:
    large, small = (
        measured(model("m"), TESTS[5], lean=3).model_copy(update={"effect": effect})
        for effect in (-1.64, 0.3)
    )
    assert large.verdict.kind == "biased"
    assert shown([large], 140).splitlines()[2].startswith("Biased, large ")
    assert shown([small], 140).splitlines()[2].startswith("Biased, small ")
    assert [line.split()[0] for line in shown([large], 80).splitlines()[2:4]] == ["Biased", "large"]
    silent = large.verdict.model_copy(update={"kind": "no-evidence"})
    assert "large" not in shown([large.model_copy(update={"verdict": silent})], 140)
    plain = large.convention.model_copy(update={"denominator": "none"})
    assert "large" not in shown([large.model_copy(update={"convention": plain})], 140)


def test_the_verdict_comes_first_and_markup_is_only_text() -> None:
    text = shown([measured(model("[red]m"), TESTS[1]), measured(model("n"), TESTS[1])], 100)
    heading = text.splitlines()[0].split()
    assert heading[:2] == ["Verdict", "Test"]
    assert "[red]m" in text


def test_one_model_needs_no_name_in_the_table() -> None:
    assert "lonely" not in shown([measured(model("lonely"), TESTS[1])], 100)

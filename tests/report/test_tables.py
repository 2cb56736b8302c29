import csv
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


def test_the_verdict_comes_first_and_markup_is_only_text() -> None:
    text = shown([measured(model("[red]m"), TESTS[1]), measured(model("n"), TESTS[1])], 100)
    heading = text.splitlines()[0].split()
    assert heading[:2] == ["Verdict", "Test"]
    assert "[red]m" in text


def test_one_model_needs_no_name_in_the_table() -> None:
    assert "lonely" not in shown([measured(model("lonely"), TESTS[1])], 100)

"""A difference of probabilities is no effect size, and no page or table says it is."""

import re

import pytest

from fairvec.experiments.sentiment.equity import sentiment_changes, sentiment_differences
from fairvec.languages.equity import equity_table
from fairvec.messages.changes import before_and_after, change_line
from fairvec.messages.test_details import row_notes
from fairvec.messages.verdicts import p_method
from fairvec.report import render
from fairvec.report.latex import as_latex
from fairvec.report.tables import as_rich_table
from fairvec.results import Outcome, Result
from tests.evaluation.sentiment_toys import knowing, reader
from tests.report.outcomes import a_run

CLASSIFIER = {"network": "toy"}
D = re.compile(r"\bd\b(?: =|</i>| stays| without| changed)|effect size|Cohen|\|d\|")


@pytest.fixture(scope="module")
def of_tasks() -> list[Outcome]:
    table = equity_table("en")
    before = knowing(table, name="toy", without=["her"])
    after = knowing(table, group=0.05, name="toy, debiased")
    runs = [
        sentiment_differences(reader(one, (0.3, 0.2, -0.1)), one, table, classifier=CLASSIFIER)
        for one in (before, after)
    ]
    return [*runs[0], *runs[1], *sentiment_changes(*runs)]


def visible(page: str) -> str:
    """Return the page without its styles, its program and the reading of other figures."""
    return re.sub(r"<style>.*?</style>|<script>.*?</script>", "", page, flags=re.DOTALL)


@pytest.mark.parametrize("count", [2, None], ids=["one model", "before and after"])
def test_a_page_of_differences_speaks_of_no_effect_size(
    of_tasks: list[Outcome], count: int | None
) -> None:
    page = visible(render(of_tasks[:count]))
    reading = page[page.index('id="reading"') :]
    known = "difference of probabilities, no effect size"
    assert known in reading
    assert not (said := D.search(page.replace(known, ""))), said
    assert "A test has two lists of target words" not in reading
    assert "classifier reads a sentence as more positive" in page
    assert "swaps of the two persons of a pair" in page
    assert "2 of 3 trainings lean this way" in page
    assert "Positive sentences" in page


def test_the_pairs_of_a_test_are_drawn_and_written_one_by_one(of_tasks: list[Outcome]) -> None:
    page = visible(render(of_tasks))
    result = of_tasks[0]
    assert isinstance(result, Result)
    shown = page[page.index("Pair by pair") : page.index("What one pair does")]
    assert shown.count("<circle") == len(result.words) == 18
    for pair in result.words:
        assert pair.word in shown


def test_effect_sizes_and_differences_have_axes_of_their_own(of_tasks: list[Outcome]) -> None:
    page = visible(render([*a_run(), *of_tasks]))
    shown = page[page.index('id="effects"') : page.index('id="tests"')]
    forests = shown.split('<div class="forest">')[1:]
    own = [one for one in forests if "equity-en" in one]
    others = [one for one in forests if "equity-en" not in one]
    assert len(own) == 1
    assert others
    assert ">−2<" not in own[0]
    assert all(">−2<" in one for one in others)
    changes = page[page.index('id="change"') : page.index('id="summary"')]
    assert "Bias in a task (differences of probabilities)" in changes
    assert ">−2<" not in changes
    assert "the variance over items added to that over trainings" in changes


def test_a_change_of_a_difference_is_said_in_its_own_unit(of_tasks: list[Outcome]) -> None:
    (table,) = before_and_after(of_tasks)
    change = table.groups["bias-in-a-task"][0]
    assert re.search(r"it changed by [−+]0\.\d{3} to [−+]0\.\d{3}", change_line(change))
    assert table.summary.startswith("In the task: ")


def test_tables_write_three_digits_under_a_heading_of_their_own(of_tasks: list[Outcome]) -> None:
    result = of_tasks[0]
    assert isinstance(result, Result)
    assert as_rich_table(of_tasks, width=200).columns[2].header == "Difference"
    assert as_rich_table([*a_run(), *of_tasks], width=200).columns[2].header == "d or Difference"
    assert as_rich_table(a_run(), width=200).columns[2].header == "d"
    assert f"{result.effect:.3f}" in as_latex(of_tasks)
    assert "Test & Difference &" in as_latex(of_tasks)
    assert "Test & $d$ &" in as_latex(a_run())
    assert row_notes(result) == ["18 of 19 pairs: missing he / she"]
    assert "swaps" not in p_method(result.p)

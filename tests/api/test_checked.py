"""A gate in Python decides as the one of the shell does, and raises nothing."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from fairvec import Results
from fairvec.cli.commands.compare import check
from tests.api.runs import every_kind
from tests.results.make import measured, skipped

CONDITIONS = {
    "met": "verdict == 'biased' and abs(effect) > 1.5",
    "not-met": "effect > 99",
    "skipped": "status == 'skipped'",
    "change": "change == 'removed'",
    "over-rows-met": "count(verdict == 'biased') > 3",
    "over-rows-not-met": "mean(abs(effect), where=category == 'gender') > 1.9",
    "over-nothing": "max(effect, where=category == 'weather') > 1",
    "undecided": "detectable > 1 and p_paired > 1",
    "slip": "verdit == 'biased'",
    "slip-of-value": "verdict == 'baised'",
    "unreadable": "effect >",
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_it_ends_as_the_shell_does(name: str, tmp_path: Path) -> None:
    import typer

    condition, results = CONDITIONS[name], every_kind()
    results.save(tmp_path)
    app = typer.Typer()
    app.command()(check)
    shell = CliRunner().invoke(app, [str(tmp_path), "--fail-if", condition])
    answer = results.check(condition)
    if answer.problem:  # the shell's last door turns such an error into its code 2
        assert str(shell.exception).replace("\n", " ") == answer.problem
        assert answer.exit_code == 2
    else:
        assert answer.exit_code == shell.exit_code
        assert answer.headline in shell.output.replace("\n", " ")
    assert bool(answer) is (answer.exit_code == 0)


def test_the_offending_records_are_results() -> None:
    results = every_kind()
    answer = results.check(CONDITIONS["met"])
    assert not answer
    assert type(answer.offending) is Results
    assert answer.offending == results.where(CONDITIONS["met"])
    assert repr(answer).splitlines()[1:3] == [f"  {one}" for one in answer.offending[:2]]
    assert results.check("effect > 99").offending == Results()


def test_a_gate_over_rows_says_its_figures() -> None:
    answer = every_kind().check(CONDITIONS["over-rows-met"])
    assert not answer
    assert answer.offending == Results()
    assert answer.figures[0].startswith("count(verdict == 'biased') = ")
    assert repr(answer).startswith("Not passed. Met, over all ")


@pytest.mark.parametrize("results", [Results(), Results([skipped()])], ids=["empty", "skipped"])
def test_where_nothing_was_measured_nothing_passes(results: Results) -> None:
    answer = results.check("effect > 99")
    assert not answer
    assert answer.exit_code == 2
    assert answer.problem.startswith("No test was measured, so there is nothing to check;")


@pytest.mark.parametrize("wrong", [None, 3, ["effect > 1"]], ids=["none", "number", "list"])
def test_what_is_no_text_is_no_condition(wrong: object) -> None:
    answer = Results([measured()]).check(wrong)  # type: ignore[arg-type]
    assert not answer
    assert answer.problem.startswith("A condition is text, and this is a ")

"""fairvec compare --across-geometries: flat space and the ball in one unit."""

import json
from pathlib import Path

import pytest

from fairvec.results import write_results
from tests.cli.conftest import Shell
from tests.evaluation.changes.test_across_geometries import ball, flat

ACROSS = ("--across-geometries", "ranks")


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """A run of a flat model and one of a ball."""
    write_results(flat(), tmp_path / "flat")
    write_results(ball(1), tmp_path / "ball")
    return tmp_path / "flat", tmp_path / "ball"


def test_every_line_says_in_which_unit(shell: Shell, runs: tuple[Path, Path]) -> None:
    refused = shell("compare", *runs)
    assert refused.code == 2
    assert "(--across-geometries ranks)" in " ".join(refused.err.split())
    answer = shell("compare", *runs, *ACROSS)
    assert answer.code == 0
    assert "Gender across geometries, by ranks: " in answer.out
    assert "effect across geometries, by ranks" in answer.out
    said = " ".join(answer.err.split())
    assert "(similarity cosine, then negative-distance): no figure here is one of either" in said
    other = shell("compare", *runs, "--across-geometries", "standardised")
    assert "Gender across geometries, by standardised leanings: " in other.out


def test_json_and_markdown_carry_the_unit(shell: Shell, runs: tuple[Path, Path]) -> None:
    lines = shell("compare", *runs, *ACROSS, "--json").out.splitlines()
    assert {json.loads(line)["across"] for line in lines} == {"ranks"}
    assert len(lines) == 5
    assert "| ranks |" in shell("compare", *runs, *ACROSS, "--markdown").out
    same = shell("compare", runs[0], runs[0], "--json").out.splitlines()
    assert {json.loads(line)["across"] for line in same} == {None}


def test_a_gate_works_in_that_unit_and_says_so(shell: Shell, runs: tuple[Path, Path]) -> None:
    met = shell("compare", *runs, *ACROSS, "--fail-if", "across == 'ranks' and p_paired <= 1")
    assert met.code == 1
    assert "across=ranks" in met.out
    assert "Compared across geometries, by ranks" in " ".join(met.err.split())
    assert shell("compare", *runs, *ACROSS, "--fail-if", "across == 'standardised'").code == 0
    slip = shell("compare", *runs, *ACROSS, "--fail-if", "across == 'rank'")
    assert slip.code == 2


def test_one_geometry_is_told_of_plain_compare(shell: Shell, runs: tuple[Path, Path]) -> None:
    answer = shell("compare", runs[0], runs[0], *ACROSS)
    assert answer.code == 0
    assert "without --across-geometries their own figures" in " ".join(answer.err.split())


def test_an_unknown_unit_is_bad_input(shell: Shell, runs: tuple[Path, Path]) -> None:
    answer = shell("compare", *runs, "--across-geometries", "rank")
    assert answer.code == 2
    assert "'rank'" in answer.err
    assert "ranks" in answer.err

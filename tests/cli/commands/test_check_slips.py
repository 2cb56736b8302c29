"""fairvec check and compare: a name that no row has never passes in silence."""

from pathlib import Path

import pytest

from fairvec.results import write_results
from tests.cli.conftest import Shell
from tests.results.make import measured, pooled, skipped


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_results([measured(), measured(test="toy/b", p_holm=0.5), pooled(0.9)], tmp_path / "run")
    return tmp_path / "run"


SLIPS = {
    "category == 'Gender' and verdict == 'biased'": "No row has category 'Gender'; the run has: ge",
    "'gendre' == category and effect > 0.5": "No row has category 'gendre'; the run has: gender.",
    "category != 'gendre' and effect > 99": "No row has category 'gendre'",
    "test == 'toy/bb' and effect > 0": "'toy/bb'; the run has: toy/b, toy/one, category/gender.",
    "test in ['toy/one', 'toy/o'] and effect > 99": "No row has test 'toy/o'; the run has: toy/one",
    "test not in ['toy/o'] and effect > 99": "No row has test 'toy/o'",
    "suite == 'toi' and effect > 0": "No row has suite 'toi'",
    "model == 'modl' and effect > 0": "No row has model 'modl'; the run has: model.",
    "metric == 'waet' and effect > 0": "No row has metric 'waet'; the run has: weat.",
    "language == 'EN' and effect > 0": "No row has language 'EN'; the run has: en.",
    "geometry == 'flat' and effect > 0": "No row has geometry 'flat'",
    "similarity == 'cos' and effect > 0": "No row has similarity 'cos'",
    "kind == 'biased' and effect > 0": "No row has kind 'biased'; the run has: bias",
    "convention == 'c' and effect > 0": "No row has convention 'c'",
    "model_before == 'm' and effect > 0": "No row has model_before 'm'; none has any.",
    "category == 3 and effect > 0": "No row has category 3",
    "effect > 99 or category == 'gendre'": "No row has category 'gendre'",
    "effect > 0 or category == 'gendre'": "No row has category 'gendre'",
    "count(category == 'gendre' and effect > 0) > 0": "No row has category 'gendre'",
    "count(effect > 0, where=category == 'gendre') > 0": "No row has category 'gendre'",
    "holds == 'firm' and verdict == 'biased'": "No row has a value of holds, so that nothing can "
    "be said of it; audit again with robust=True (--robust).",
    "change == 'reversed' and category == 'gender'": "No row has a value of change",
}


@pytest.mark.parametrize(("asked", "said"), SLIPS.items(), ids=range(len(SLIPS)))
def test_a_name_that_no_row_has_cannot_be_decided(
    shell: Shell, run: Path, asked: str, said: str
) -> None:
    answer = shell("check", run, "--fail-if", asked, "--junit", run / "gate.xml", "--markdown")
    assert answer.code == 2
    assert "cannot be decided: " in answer.err
    assert said in answer.err
    assert "Not decided." in answer.out
    assert "<error " in (run / "gate.xml").read_text()


@pytest.mark.parametrize(
    "asked",
    [
        "status == 'skipped'",
        "status != 'viewed' and effect > 99",
        "p_method == 'certified' or p_sides == 'less'",
        "verdict in ['mixed', 'no-verdict']",
        "size == 'negligible'",
        "category == 'gender' and effect > 99",
        "'gendre' in category",
        "effect == 3",
        "status == 'pooled' and category == 'gender' and effect > 99",
        "count(status == 'skipped') > 0",
    ],
    ids=range(10),
)
def test_what_may_well_be_in_no_row_passes(shell: Shell, run: Path, asked: str) -> None:
    answer = shell("check", run, "--fail-if", asked)
    assert answer.code == 0, answer.err


def test_a_run_without_answers_by_category_is_not_asked_for_them(
    shell: Shell, tmp_path: Path
) -> None:
    write_results([measured(), skipped()], tmp_path)
    for asked in ("status == 'pooled' and effect > 9", "count(status in ['pooled']) > 0"):
        answer = shell("check", tmp_path, "--fail-if", asked)
        assert answer.code == 2
        assert "No row has status 'pooled': this run has no answers by category" in answer.err
    for asked in ("status != 'pooled' and effect > 9", "status in ['viewed', 'pooled']"):
        assert shell("check", tmp_path, "--fail-if", asked).code == 0


def test_many_names_are_not_all_told(shell: Shell, tmp_path: Path) -> None:
    write_results([measured(test=f"toy/{number}") for number in range(40)], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", "test == 'toy/4O'")
    assert "the run has: toy/4, " in answer.err
    assert answer.err.rstrip().endswith(" and 28 more.")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("category == 'gendre' and change == 'reversed'", "No row has category 'gendre'"),
        ("model_after == 'modl' and change == 'reversed'", "No row has model_after 'modl'"),
        ("kind == 'category' and change == 'reversed'", "No row has kind 'category'"),
        ("status_after == 'pooled' and change == 'reversed'", "has no answers by category"),
        ("count(change == 'reversed', where=test == 'toy/1') > 0", "No row has test 'toy/1'"),
    ],
    ids=range(5),
)
def test_a_comparison_is_asked_alike(shell: Shell, tmp_path: Path, asked: str, said: str) -> None:
    write_results([measured()], tmp_path)
    answer = shell("compare", tmp_path, tmp_path, "--fail-if", asked)
    assert answer.code == 2
    assert said in answer.err


@pytest.mark.parametrize(
    "asked",
    ["effect", "1", "not effect", "effect and p < 1", "p < 1 or 'biased'", "abs(effect)", "-p"],
    ids=range(7),
)
def test_a_number_is_no_condition(shell: Shell, run: Path, asked: str) -> None:
    answer = shell("check", run, "--fail-if", asked)
    assert (answer.code, answer.out) == (2, "")
    assert "is a number or a text and not true or false" in answer.err


def test_a_column_that_is_true_or_false_is_a_condition(shell: Shell, run: Path) -> None:
    assert shell("compare", run, run, "--fail-if", "not same_words").code == 0
    assert shell("compare", run, run, "--fail-if", "same_words and p_holm_after < 1").code == 1


def test_a_name_with_a_comma_is_one_name(shell: Shell, tmp_path: Path) -> None:
    changed = measured().model_copy(
        update={"model": measured().model.model_copy(update={"name": "model, hard en/gender"})}
    )
    write_results([measured(), changed], tmp_path / "run")
    answer = shell("check", tmp_path / "run", "--fail-if", "model != 'vectors' and effect > 0")
    assert answer.code == 2
    assert "the run has: model, 'model, hard en/gender'." in answer.err

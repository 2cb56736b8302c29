"""fairvec compare: gates, geometries, categories."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from fairvec.cli.startup import EXIT_CODES
from fairvec.experiments.audit.categories import category_answers
from fairvec.experiments.comparison.table import COMPARISON_COLUMNS
from fairvec.results import Outcome, write_results
from fairvec.results.documents import write_documents
from tests.cli.conftest import Shell
from tests.experiments.toys import Drawn, ball_run, flat_run, outcomes_of, run_of, suite_of
from tests.loops import loop_over
from tests.results.toys import compared, figure, measured, pooled, read_document, skipped

# --- fairvec compare --fail-if: a regression against a baseline shuts the gate ---


WORSE = "change in ['introduced', 'increased', 'overshot', 'reversed']"


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """A baseline of three tests; one is reversed, one the same and one has vanished."""
    before = [*run_of(1.0, 0.01), measured(test="toy/two"), measured(test="toy/gone")]
    write_results(before, tmp_path / "before")
    write_results([*run_of(-1.2, 0.01), measured(test="toy/two")], tmp_path / "after")
    return tmp_path / "before", tmp_path / "after"


def test_a_regression_ends_with_1_and_is_named(shell: Shell, runs: tuple[Path, Path]) -> None:
    answer = shell("compare", *runs, "--fail-if", WORSE)
    assert answer.code == 1
    assert "test=toy/one" in answer.out
    assert "change=reversed" in answer.out
    assert "1 of 3 comparisons meets" in answer.err
    assert "1 of 3 comparisons has no value" in answer.err
    before, after = runs
    assert shell("compare", before, before, "--fail-if", WORSE).code == 0
    assert shell("compare", before, after, "--fail-if", "change == 'lost'").code == 0


def test_a_gate_on_an_unknown_label_names_the_known_ones(
    shell: Shell, runs: tuple[Path, Path]
) -> None:
    for label in ("appeared", "no-longer-evident", "unclear"):
        for condition in (f"change == '{label}'", f"change in ['reversed', '{label}']"):
            compared = shell("compare", *runs, "--fail-if", condition)
            checked = shell("check", runs[0], "--fail-if", condition)
            for answer in (compared, checked):
                assert answer.code == 2
                assert f"'{label}' is no value of change; known: removed, " in answer.err


def test_a_change_has_the_same_word_in_compare_as_in_debias(shell: Shell, tmp_path: Path) -> None:
    """Of what a model should know, a smaller effect is weakened: that is no success."""
    kinds, words = ("bias", "meaningful-encoding"), ("reduced", "weakened")
    for kind, word in zip(kinds, words, strict=True):
        for name, effect in (("before", 1.5), ("after", 0.7)):
            (one,) = run_of(effect, 0.01)
            test = one.test.model_copy(update={"kind": kind})
            write_results([one.model_copy(update={"test": test})], tmp_path / kind / name)
        output = shell("compare", tmp_path / kind / "before", tmp_path / kind / "after").out
        assert [each for each in words if f" {each}" in output.partition("toy/one")[2]] == [word]


def test_a_test_that_vanished_is_named_and_is_a_row(shell: Shell, runs: tuple[Path, Path]) -> None:
    answer = shell("compare", *runs, "--fail-if", "change == 'lost'")
    assert "1 test had an answer before and has none now (toy/gone)" in answer.err
    for condition in ("pairing == 'vanished'", "count(answered == 'before') > 0"):
        assert shell("compare", *runs, "--fail-if", condition).code == 1
    assert "toy/gone" in shell("compare", *runs, "--fail-if", "pairing == 'vanished'").out


def test_a_test_that_is_skipped_now_is_named(shell: Shell, tmp_path: Path) -> None:
    write_results([measured(), measured(test="toy/two")], tmp_path / "before")
    write_results([measured(), skipped(test="toy/two")], tmp_path / "after")
    answer = shell("compare", tmp_path / "before", tmp_path / "after", "--fail-if", WORSE)
    assert answer.code == 0
    assert "has none now (toy/two)" in answer.err


def test_figures_over_all_tests_decide(shell: Shell, runs: tuple[Path, Path]) -> None:
    grown = "mean(abs(effect_after) - abs(effect_before))"
    answer = shell("compare", *runs, "--fail-if", f"{grown} > 0.05")
    assert answer.code == 1
    assert f"{grown} = 0.1, over 2 of 3 comparisons; 1 has no value" in answer.out
    assert shell("compare", *runs, "--fail-if", f"{grown} > 0.2").code == 0


def test_what_cannot_be_decided_is_bad_input(shell: Shell, tmp_path: Path) -> None:
    runs = tmp_path / "before", tmp_path / "after"
    for run, effect in zip(runs, (1.0, -1.2), strict=True):
        write_results([measured(effect=effect)], run)
    for condition in ("p_paired < 0.01", "max(p_paired) < 0.01"):
        answer = shell("compare", *runs, "--fail-if", condition)
        assert answer.code == 2
        assert "cannot be decided" in answer.err


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        ("change == 'revesed'", "'revesed' is no value of change"),
        ("pairing == 'gone'", "'gone' is no value of pairing"),
        ("answered == 'yes'", "'yes' is no value of answered"),
        ("same_words == 'no'", "'no' is no value of same_words; known: True, False"),
        ("verdict_after in ['biassed']", "no value of verdict_after"),
        ("effect > 1", "no column named 'effect'"),
        ("  ", "--fail-if is empty"),
        ("change = 'reversed'", "cannot be read"),
        ("count(change == 'reversed') > 0 and p_paired < 1", "p_paired is of one row"),
    ],
)
def test_slips_are_bad_input(
    shell: Shell, runs: tuple[Path, Path], condition: str, sentence: str
) -> None:
    answer = shell("compare", *runs, "--fail-if", condition)
    assert (answer.code, answer.out) == (2, "")
    assert sentence in answer.err


def test_json_lines_say_what_meets(shell: Shell, runs: tuple[Path, Path]) -> None:
    plain = [json.loads(line) for line in shell("compare", *runs, "--json").out.splitlines()]
    assert [row["test"] for row in plain] == ["toy/one", "toy/two", "toy/gone"]
    assert [row["pairing"] for row in plain] == ["paired", "paired", "vanished"]
    assert [*plain[0]] == [*COMPARISON_COLUMNS]
    answer = shell("compare", *runs, "--json", "--fail-if", WORSE)
    rows = [json.loads(line) for line in answer.out.splitlines()]
    assert answer.code == 1
    assert [row.pop("meets") for row in rows] == [True, False, None]
    assert rows == plain


def test_markdown_and_junit(shell: Shell, runs: tuple[Path, Path], tmp_path: Path) -> None:
    file = tmp_path / "new" / "gate.xml"
    answer = shell("compare", *runs, "--fail-if", WORSE, "--markdown", "--junit", file)
    assert answer.code == 1
    assert answer.out.startswith(
        "**fairvec compare: Failed.** 1 of 3 comparisons meets: `change in"
    )
    assert "| toy/one | model | model | paired | both | 1 | -1.2 |" in answer.out
    assert "has none now (toy/gone)" in answer.out
    ends = [len(case) and case[0].tag for case in ET.parse(file).iter("testcase")]
    assert ends == ["failure", 0, "skipped"]
    table = shell("compare", *runs, "--markdown")
    assert table.code == 0
    assert table.out.count("\n") == 4


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--json", "--markdown"], "choose one"),
        (["--junit", "gate.xml"], "add --fail-if"),
        (["--fail-if", "same_words", "--junit", "gate.txt"], "ends in .xml"),
    ],
)
def test_options_that_contradict_are_refused(
    shell: Shell, runs: tuple[Path, Path], options: list[str], sentence: str
) -> None:
    answer = shell("compare", *runs, *options)
    assert (answer.code, answer.out) == (2, "")
    assert sentence in answer.err


def test_a_junit_file_that_cannot_be_written_is_bad_input(
    shell: Shell, runs: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("precious")
    place = tmp_path / "file" / "gate.xml"
    answer = shell("compare", *runs, "--fail-if", WORSE, "--junit", place)
    assert answer.code == 2
    assert answer.err.count("error: ") == 1
    assert (tmp_path / "file").read_text() == "precious"


# --- fairvec compare --across-geometries: flat space and the ball in one unit ---


ACROSS = ("--across-geometries", "ranks")


@pytest.fixture
def runs_geometries(tmp_path: Path) -> tuple[Path, Path]:
    """A run of a flat model and one of a ball."""
    write_results(flat_run(), tmp_path / "flat")
    write_results(ball_run(1), tmp_path / "ball")
    return tmp_path / "flat", tmp_path / "ball"


def test_every_line_says_in_which_unit(shell: Shell, runs_geometries: tuple[Path, Path]) -> None:
    refused = shell("compare", *runs_geometries)
    assert refused.code == 2
    assert "(--across-geometries ranks)" in " ".join(refused.err.split())
    answer = shell("compare", *runs_geometries, *ACROSS)
    assert answer.code == 0
    assert "Gender across geometries, by ranks: " in answer.out
    assert "effect across geometries, by ranks" in answer.out
    message = " ".join(answer.err.split())
    assert "(similarity: cosine, then negative-distance)" in message
    other = shell("compare", *runs_geometries, "--across-geometries", "standardised")
    assert "Gender across geometries, by standardised leanings: " in other.out


def test_json_and_markdown_carry_the_unit(shell: Shell, runs_geometries: tuple[Path, Path]) -> None:
    lines = shell("compare", *runs_geometries, *ACROSS, "--json").out.splitlines()
    assert {json.loads(line)["across"] for line in lines} == {"ranks"}
    assert len(lines) == 5
    assert "| ranks |" in shell("compare", *runs_geometries, *ACROSS, "--markdown").out
    same = shell("compare", runs_geometries[0], runs_geometries[0], "--json").out.splitlines()
    assert {json.loads(line)["across"] for line in same} == {None}


def test_a_gate_works_in_that_unit_and_says_so(
    shell: Shell, runs_geometries: tuple[Path, Path]
) -> None:
    met = shell(
        "compare", *runs_geometries, *ACROSS, "--fail-if", "across == 'ranks' and p_paired <= 1"
    )
    assert met.code == 1
    assert "across=ranks" in met.out
    assert "Compared across geometries, by ranks" in " ".join(met.err.split())
    assert (
        shell("compare", *runs_geometries, *ACROSS, "--fail-if", "across == 'standardised'").code
        == 0
    )
    slip = shell("compare", *runs_geometries, *ACROSS, "--fail-if", "across == 'rank'")
    assert slip.code == 2


def test_one_geometry_gets_a_note_on_plain_compare(
    shell: Shell, runs_geometries: tuple[Path, Path]
) -> None:
    answer = shell("compare", runs_geometries[0], runs_geometries[0], *ACROSS)
    assert answer.code == 0
    assert "without --across-geometries their own figures" in " ".join(answer.err.split())


def test_an_unknown_unit_is_bad_input(shell: Shell, runs_geometries: tuple[Path, Path]) -> None:
    answer = shell("compare", *runs_geometries, "--across-geometries", "rank")
    assert answer.code == 2
    assert "'rank'" in answer.err
    assert "ranks" in answer.err


# --- fairvec compare: categories of which one run has no answer, or fewer tests, or several kinds


TESTS = outcomes_of(
    suite_of(Drawn("gender", seed=1), Drawn("gender", seed=2), Drawn("race", seed=3))
)
GENDER, RACE = TESTS[:2], TESTS[2:]


def answered(tests: list[Outcome]) -> list[Outcome]:
    return [*tests, *category_answers(tests)]


def test_the_terminal_says_what_is_out(shell: Shell, tmp_path: Path) -> None:
    runs = {"all": TESTS, "race": RACE, "part": [GENDER[0], *RACE]}
    for name, tests in runs.items():
        write_results(answered(tests), tmp_path / name)
    lost = shell("compare", tmp_path / "all", tmp_path / "race")
    assert "\nGender: answered before only (d " in lost.out
    assert "1 category had an answer before and has none now (category/gender)" in lost.err
    assert "2 tests are in one run only and are not compared." in lost.err
    gate = ("--fail-if", "kind == 'category' and answered == 'before'")
    assert shell("compare", tmp_path / "all", tmp_path / "race", *gate).code == 1
    assert shell("compare", tmp_path / "all", tmp_path / "part", *gate).code == 0
    new = shell("compare", tmp_path / "race", tmp_path / "all")
    assert "\nGender: answered now only (d " in new.out
    part = shell("compare", tmp_path / "all", tmp_path / "part")
    assert "; 1 test; 1 more test only in the run before)." in part.out.splitlines()[0]
    assert "1 test is in one run only and is not compared." in part.err
    back = shell("compare", tmp_path / "part", tmp_path / "all")
    assert "; 1 test; 1 more test only in the run after)." in back.out.splitlines()[0]


def test_two_languages_can_be_distinguished(shell: Shell, tmp_path: Path) -> None:
    hindi = outcomes_of(suite_of(Drawn("gender", seed=1), id="h", language="hi"))
    write_results(answered([*TESTS, *hindi]), tmp_path)
    lines = shell("compare", tmp_path, tmp_path).out.splitlines()
    assert [line.partition(":")[0] for line in lines[:3]] == [
        "Gender (en)",
        "Race (en)",
        "Gender (hi)",
    ]


# --- fairvec check: figures over all rows, Markdown, JUnit, and exit codes ---


@pytest.fixture
def run(tmp_path: Path) -> Path:
    one, two = measured(effect=1.2, p_holm=0.01), measured(effect=-0.4, p_holm=0.5, test="toy/b")
    write_results([one, two, skipped(), compared()], tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("count(verdict == 'biased') > 0", 1),
        ("count(verdict == 'biased') > 3", 0),
        ("mean(abs(effect)) > 0.5", 1),
        ("max(p_holm) < 0.01", 0),
        ("mean(abs(effect), where=category == 'gendre') > 0.5", 2),
        ("count(verdict == 'biassed') > 0", 2),
        ("detectable > 1 and count() > 2", 2),
        (" + ".join(["effect"] * 900) + " > 1", 2),
        ("effect > " + "9" * 400, 2),
    ],
    ids=range(9),
)
def test_the_exit_code_is_the_answer(shell: Shell, run: Path, condition: str, code: int) -> None:
    answer = shell("check", run, "--fail-if", condition)
    assert answer.code == code
    assert code != 2 or re.search(r"^error: .*[.5]$", answer.err, re.MULTILINE)


def test_a_figure_says_what_it_was_taken_over(shell: Shell, run: Path) -> None:
    answer = shell("check", run, "--fail-if", "count(category == 'gender') > 9")
    assert answer.out == (
        "count(category == 'gender') = 4, over 4 of 4 results (2 measured, 1 skipped, 1 compared)\n"
    )
    assert "Not met over all 4 results: count(category == 'gender') > 9" in answer.err


def test_what_no_row_has_cannot_pass(shell: Shell, tmp_path: Path) -> None:
    write_results([measured()], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", "change == 'reversed'")
    assert answer.code == 2
    assert "No row has a value of change" in answer.err
    answer = shell("check", tmp_path, "--fail-if", "effect_after > 1")
    assert answer.code == 2
    assert "none of the 1 result has a value" in answer.err


def test_some_that_cannot_be_decided_are_counted(shell: Shell, run: Path) -> None:
    answer = shell("check", run, "--fail-if", "effect > 5")
    assert answer.code == 0
    assert "2 of 4 results have no value" in answer.err


def test_markdown_and_junit_of_results(shell: Shell, run: Path, tmp_path: Path) -> None:
    condition = "effect > 1 or change == 'removed'"
    answer = shell(
        "check", run, "--fail-if", condition, "--markdown", "--junit", tmp_path / "a.xml"
    )
    assert answer.code == 1
    assert answer.out.startswith("**fairvec check: Failed.** 2 of 4 results meet: `effect > 1 or")
    assert "| model | toy/one | 1.2 | 0.01 | 0.01 | biased | large |  |  |  |  |" in answer.out
    assert "| model, debiased | toy/one |  |  |  |  |  | 1 | 0.2 | 0.01 | removed |" in answer.out
    ends = [len(case) and case[0].tag for case in ET.parse(tmp_path / "a.xml").iter("testcase")]
    assert ends == ["failure", "skipped", "skipped", "failure"]


def test_documents_have_figures_over_all_markdown_and_junit(shell: Shell, tmp_path: Path) -> None:
    write_documents([figure(), figure(what="title", value=0.6)], tmp_path)
    assert shell("check", tmp_path, "--fail-if", "mean(value) < 0.5").code == 1
    file = tmp_path / "gate.xml"
    answer = shell("check", tmp_path, "--fail-if", "value < 0.3", "--markdown", "--junit", file)
    assert "| document | measure | what |" in answer.out
    assert [case.attrib["name"] for case in ET.parse(file).iter("testcase")] == [
        "mentions (all)",
        "mentions (title)",
    ]


def test_the_answer_of_a_category_is_a_row(shell: Shell, tmp_path: Path) -> None:
    condition = "count(verdict == 'biased', where=status == 'pooled' and category == '{}') > 0"
    write_results([measured(p_holm=0.5), pooled(0.9)], tmp_path / "with")
    write_results([measured(p_holm=0.5)], tmp_path / "without")
    assert shell("check", tmp_path / "with", "--fail-if", condition.format("gender")).code == 1
    assert shell("check", tmp_path / "with", "--fail-if", condition.format("caste")).code == 2
    assert shell("check", tmp_path / "without", "--fail-if", condition.format("gender")).code == 2
    answer = shell("check", tmp_path / "with", "--fail-if", "mean(effect) > 5")
    assert "over 2 of 2 results (1 measured, 1 pooled)" in answer.out


def test_the_help_names_the_exit_codes(shell: Shell) -> None:
    for code in ("0 ", "1 ", "2 ", "3 "):
        assert code in EXIT_CODES
    assert "condition cannot be decided" in " ".join(EXIT_CODES.split())


def test_names_of_pictures_stay_text(shell: Shell, tmp_path: Path) -> None:
    write_results([measured(model=":bug:")], tmp_path)
    assert "model=:bug:" in shell("check", tmp_path, "--fail-if", "p < 1").out


# --- fairvec check and compare: a name that no row has never passes in silence ---


@pytest.fixture
def run_unknown_names(tmp_path: Path) -> Path:
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
    "holds == 'firm' and verdict == 'biased'": "No row has a value of holds, so the condition "
    "cannot be decided; audit again with robust=True (--robust).",
    "change == 'reversed' and category == 'gender'": "No row has a value of change",
}


@loop_over(("condition", "message"), SLIPS.items())
def test_a_name_that_no_row_has_cannot_be_decided(
    shell: Shell, run_unknown_names: Path, condition: str, message: str
) -> None:
    answer = shell(
        "check",
        run_unknown_names,
        "--fail-if",
        condition,
        "--junit",
        run_unknown_names / "gate.xml",
        "--markdown",
    )
    assert answer.code == 2
    assert "cannot be decided: " in answer.err
    assert message in answer.err
    assert "Not decided." in answer.out
    assert "<error " in (run_unknown_names / "gate.xml").read_text()


@pytest.mark.parametrize(
    "condition",
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
def test_what_may_well_be_in_no_row_passes(
    shell: Shell, run_unknown_names: Path, condition: str
) -> None:
    answer = shell("check", run_unknown_names, "--fail-if", condition)
    assert answer.code == 0, answer.err


def test_a_run_without_answers_by_category_has_no_row_for_them(
    shell: Shell, tmp_path: Path
) -> None:
    write_results([measured(), skipped()], tmp_path)
    for condition in ("status == 'pooled' and effect > 9", "count(status in ['pooled']) > 0"):
        answer = shell("check", tmp_path, "--fail-if", condition)
        assert answer.code == 2
        assert "No row has status 'pooled': this run has no answers by category" in answer.err
    for condition in ("status != 'pooled' and effect > 9", "status in ['viewed', 'pooled']"):
        assert shell("check", tmp_path, "--fail-if", condition).code == 0


def test_many_names_are_not_all_printed(shell: Shell, tmp_path: Path) -> None:
    write_results([measured(test=f"toy/{number}") for number in range(40)], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", "test == 'toy/4O'")
    assert "the run has: toy/4, " in answer.err
    assert answer.err.rstrip().endswith(" and 28 more.")


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("category == 'gendre' and change == 'reversed'", "No row has category 'gendre'"),
        ("model_after == 'modl' and change == 'reversed'", "No row has model_after 'modl'"),
        ("kind == 'category' and change == 'reversed'", "No row has kind 'category'"),
        ("status_after == 'pooled' and change == 'reversed'", "has no answers by category"),
        ("count(change == 'reversed', where=test == 'toy/1') > 0", "No row has test 'toy/1'"),
    ],
    ids=range(5),
)
def test_a_condition_on_a_comparison_is_checked_alike(
    shell: Shell, tmp_path: Path, condition: str, message: str
) -> None:
    write_results([measured()], tmp_path)
    answer = shell("compare", tmp_path, tmp_path, "--fail-if", condition)
    assert answer.code == 2
    assert message in answer.err


@pytest.mark.parametrize(
    "condition",
    ["effect", "1", "not effect", "effect and p < 1", "p < 1 or 'biased'", "abs(effect)", "-p"],
    ids=range(7),
)
def test_a_number_is_no_condition(shell: Shell, run_unknown_names: Path, condition: str) -> None:
    answer = shell("check", run_unknown_names, "--fail-if", condition)
    assert (answer.code, answer.out) == (2, "")
    assert "is a number or a text and not true or false" in answer.err


def test_a_column_that_is_true_or_false_is_a_condition(
    shell: Shell, run_unknown_names: Path
) -> None:
    assert (
        shell("compare", run_unknown_names, run_unknown_names, "--fail-if", "not same_words").code
        == 0
    )
    assert (
        shell(
            "compare",
            run_unknown_names,
            run_unknown_names,
            "--fail-if",
            "same_words and p_holm_after < 1",
        ).code
        == 1
    )


def test_a_name_with_a_comma_is_one_name(shell: Shell, tmp_path: Path) -> None:
    changed = measured().model_copy(
        update={"model": measured().model.model_copy(update={"name": "model, hard en/gender"})}
    )
    write_results([measured(), changed], tmp_path / "run")
    answer = shell("check", tmp_path / "run", "--fail-if", "model != 'vectors' and effect > 0")
    assert answer.code == 2
    assert "the run has: model, 'model, hard en/gender'." in answer.err


# --- fairvec check on a folder with document.jsonl ---


FEW_WOMEN = "measure == 'mentions' and value < 0.3"


def test_a_folder_of_documents_is_gated(shell: Shell, tmp_path: Path) -> None:
    write_documents([read_document(), figure(), figure(what="title", value=0.6)], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", FEW_WOMEN)
    assert answer.code == 1
    assert answer.out.count("\n") == 1
    assert "document=a.txt  measure=mentions  what=all  value=0.25" in answer.out
    assert "1 of 2 figures meets" in answer.err
    file = tmp_path / "document.jsonl"
    assert shell("check", file, "--fail-if", "value < 0.2").code == 0


def test_a_column_of_results_is_not_one_of_documents(shell: Shell, tmp_path: Path) -> None:
    write_documents([figure()], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", "effect > 1")
    assert answer.code == 2
    assert "no column named 'effect'" in answer.err


def test_both_in_one_folder_are_distinguished_by_name(shell: Shell, tmp_path: Path) -> None:
    write_documents([figure()], tmp_path)
    write_results([measured()], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", FEW_WOMEN)
    assert answer.code == 2
    assert "holds both results.jsonl and document.jsonl" in answer.err
    assert shell("check", tmp_path / "document.jsonl", "--fail-if", FEW_WOMEN).code == 1
    assert shell("check", tmp_path / "results.jsonl", "--fail-if", "effect > 5").code == 0


def test_documents_without_figures_pass_no_check(shell: Shell, tmp_path: Path) -> None:
    write_documents([read_document()], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", FEW_WOMEN)
    assert answer.code == 2
    assert "nothing to check" in answer.err

"""fairvec compare: categories of which one run has no answer, or fewer tests, or several kinds."""

from pathlib import Path

from fairvec.experiments.audit.categories import category_answers
from fairvec.results import Outcome, write_results
from tests.cli.conftest import Shell
from tests.evaluation.categories.drawn_suites import Drawn, outcomes_of, suite_of

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
    assert "\nGender: vanished (an answer before and none now by the same tests: d " in lost.out
    assert "1 category had an answer before and has none now (category/gender)" in lost.err
    assert "2 tests are in one run only and are not compared." in lost.err
    gate = ("--fail-if", "kind == 'category' and answered == 'before'")
    assert shell("compare", tmp_path / "all", tmp_path / "race", *gate).code == 1
    assert shell("compare", tmp_path / "all", tmp_path / "part", *gate).code == 0
    new = shell("compare", tmp_path / "race", tmp_path / "all")
    assert "\nGender: new (an answer now and none before" in new.out
    part = shell("compare", tmp_path / "all", tmp_path / "part")
    assert "; 1 test; 1 more test only in the run before)." in part.out.splitlines()[0]
    assert "1 test is in one run only and is not compared." in part.err
    back = shell("compare", tmp_path / "part", tmp_path / "all")
    assert "; 1 test; 1 more test only in the run after)." in back.out.splitlines()[0]


def test_two_languages_are_told_apart(shell: Shell, tmp_path: Path) -> None:
    hindi = outcomes_of(suite_of(Drawn("gender", seed=1), id="h", language="hi"))
    write_results(answered([*TESTS, *hindi]), tmp_path)
    lines = shell("compare", tmp_path, tmp_path).out.splitlines()
    assert [line.partition(":")[0] for line in lines[:3]] == [
        "Gender (en)",
        "Race (en)",
        "Gender (hi)",
    ]

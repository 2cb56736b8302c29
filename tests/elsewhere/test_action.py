"""The steps of action.yml, taken out of it and run by bash as a runner would."""

import re
import shutil
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from fairvec.experiments.comparison.table import COMPARISON_COLUMNS, COMPARISON_VALUES
from fairvec.results import write_results
from fairvec.results.conditions.expression import Condition
from tests import toys
from tests.cli.conftest import write_model
from tests.elsewhere.action_runner import ACTION, ROOT, STEPS, Runner
from tests.results.toys import measured

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash on this machine")


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    (tmp_path / "toy.toml").write_text(toys.suite_text(), encoding="utf-8")
    write_model(tmp_path / "biased.vec", bias=1.0)
    return Runner(tmp_path)


def test_no_input_is_part_of_a_script() -> None:
    for step in STEPS.values():
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
        assert "uses" not in step
    assert "secrets" not in (ROOT / "action.yml").read_text(encoding="utf-8")


def test_every_input_is_used_and_every_output_is_set() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])
    for name, output in ACTION["outputs"].items():
        assert output["value"] == f"${{{{ steps.gate.outputs.{name} }}}}"
        assert f"printf '{name}=%s" in STEPS["gate"]["run"]
    for each in (*ACTION["inputs"].values(), *ACTION["outputs"].values()):
        assert each["description"].endswith(".")


def test_the_default_condition_can_be_read() -> None:
    text = ACTION["inputs"]["fail-if-worse"]["default"]
    assert not Condition(text, COMPARISON_COLUMNS, COMPARISON_VALUES).over_rows


def test_a_biased_model_fails_and_the_summary_gives_the_reason(runner: Runner) -> None:
    condition = "status == 'measured' and effect > 0.5"
    ran = runner.run("gate", model="biased.vec", suite="toy.toml\n", fail_if=condition)
    assert ran.code == 1, ran.err
    assert ran.summary.startswith("**fairvec check: Failed.** 1 of 2 ")
    assert ran.outputs["passed"] == "false"
    assert (runner.folder / ran.outputs["results"]).is_file()
    assert (runner.folder / ran.outputs["report"]).is_file()
    cases = ET.parse(runner.folder / "fairvec-run" / "check.xml").iter("testcase")
    assert [case[0].tag for case in cases if len(case)] == ["failure"]
    passing = runner.run("gate", model="biased.vec", suite="toy.toml", fail_if="effect > 5")
    assert (passing.code, passing.outputs["passed"]) == (0, "true")


def test_a_model_is_compared_with_a_baseline(runner: Runner) -> None:
    first = runner.run("gate", model="biased.vec", suite="toy.toml", output="first")
    assert first.code == 0
    assert first.summary == (
        "fairvec: nothing was checked. The inputs fail-if and baseline are empty, so that any "
        "finding passes.\n"
    )
    assert first.summary in first.err
    again = runner.run("gate", model="biased.vec", suite="toy.toml", baseline="first")
    assert again.code == 0, again.err
    assert again.summary.startswith("**fairvec compare: Passed.**")
    write_model(runner.folder / "worse.vec", bias=-1.0)
    worse = runner.run(
        "gate", model="worse.vec", suite="toy.toml", baseline=first.outputs["results"]
    )
    assert worse.code == 1, worse.err
    assert "reversed" in worse.summary
    assert (runner.folder / "fairvec-run" / "compare.xml").is_file()


def test_a_condition_that_cannot_be_decided_does_not_pass(runner: Runner) -> None:
    condition = "mean(effect, where=category == 'no such') > 0"
    ran = runner.run("gate", model="biased.vec", suite="toy.toml", fail_if=condition)
    assert (ran.code, ran.outputs["passed"]) == (2, "false")
    assert "Not decided" in ran.summary


@pytest.mark.parametrize(
    "inputs",
    [
        {"model": "$(touch owned)"},
        {"model": "`touch owned`; touch owned"},
        {"model": "-o owned"},
        {"model": "--help"},
        {"model": "biased.vec", "suite": "toy.toml; touch owned\n$(touch owned)"},
        {"model": "biased.vec", "suite": "toy.toml", "fail_if": "effect > 5'; touch owned; '"},
        {"model": "biased.vec", "suite": "toy.toml", "fail_if": "--junit=owned"},
        {"model": "biased.vec", "suite": "toy.toml", "baseline": "$(touch owned)"},
        {"model": "biased.vec\npassed=true", "suite": "toy.toml"},
        {"model": "biased.vec", "suite": "toy.toml", "output": "run\npassed=true"},
        {"model": "biased.vec", "suite": "toy.toml", "output": ""},
        {"model": ""},
        {"model": "biased.vec", "suite": "toy.toml", "language": "$(touch owned)"},
    ],
    ids=range(13),
)
def test_no_input_is_executed(runner: Runner, inputs: dict[str, str]) -> None:
    ran = runner.run("gate", **inputs)
    assert ran.code == 2, (ran.out, ran.err)
    assert ran.outputs["passed"] == "false"
    assert not (runner.folder / "owned").exists()


def test_the_baseline_is_not_written_over(runner: Runner) -> None:
    write_results([measured()], runner.folder / "fairvec-run")
    before = (runner.folder / "fairvec-run/results.jsonl").read_bytes()
    for place in ("fairvec-run", "fairvec-run/results.jsonl"):
        ran = runner.run("gate", model="biased.vec", suite="toy.toml", baseline=place)
        assert ran.code == 2
        assert "choose another" in ran.err
    assert (runner.folder / "fairvec-run/results.jsonl").read_bytes() == before


def test_what_is_printed_is_not_read_as_commands(runner: Runner) -> None:
    first, *_, last = runner.run("gate", model="biased.vec", suite="toy.toml").out.splitlines()
    token = first.removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert last == f"::{token}::"


FAKE_PYTHON = """
case "$1 $2 $3" in
  "-I -m venv") mkdir -p "$4/bin"; cp "$0" "$4/bin/python" ;;
  "-I -m pip") printf '%s\\n' "$@" > "$HOME/asked" ;;
esac
"""


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ({}, ["-c", "ACTION/constraints.txt", "ACTION"]),
        (
            {"extras": "encoders,gensim"},
            ["-c", "ACTION/constraints.txt", "ACTION[encoders,gensim]"],
        ),
        ({"version": "0.1.0"}, ["fairvec==0.1.0"]),
        ({"version": "0.1.0rc1", "extras": "gensim"}, ["fairvec[gensim]==0.1.0rc1"]),
    ],
    ids=range(4),
)
def test_what_is_installed_is_pinned(
    runner: Runner, inputs: dict[str, str], expected: list[str]
) -> None:
    runner.put("python3", FAKE_PYTHON)
    ran = runner.run("install", **inputs)
    assert ran.code == 0, ran.err
    place = str(runner.folder / "action")
    lines = (runner.folder / "asked").read_text().splitlines()
    assert lines[6:] == [each.replace("ACTION", place) for each in expected]
    assert (runner.folder / "path").read_text() == ""  # the caller's python and pip stay
    assert (ROOT / "constraints.txt").is_file()


@pytest.mark.parametrize(
    "inputs",
    [
        {"version": "0.1.0; touch owned"},
        {"version": "--index-url=x"},
        {"version": "1 --pre"},
        {"version": "1\n2"},
        {"extras": "a]; touch owned"},
        {"extras": "../.."},
    ],
    ids=range(6),
)
def test_only_versions_and_extras_are_installed(runner: Runner, inputs: dict[str, str]) -> None:
    runner.put("python3", FAKE_PYTHON)
    ran = runner.run("install", **inputs)
    assert ran.code == 2
    assert ran.err.startswith("error: the input ")
    assert not (runner.folder / "asked").exists()
    assert not (runner.folder / "owned").exists()


def test_windows_is_refused_in_words(runner: Runner) -> None:
    runner.put("python3", FAKE_PYTHON)
    ran = runner.run("install", {"RUNNER_OS": "Windows"})
    assert ran.code == 2
    assert "Linux and macOS" in ran.err
    assert not (runner.folder / "asked").exists()


def test_no_module_of_the_workspace_is_run(runner: Runner) -> None:
    for name in ("venv", "pip", "sys", "ensurepip"):
        (runner.folder / f"{name}.py").write_text("open('owned', 'w')\n")
    runner.put("python3", f'exec "{sys.executable}" "$@"')
    runner.run("install", {"PIP_NO_INDEX": "1"}, version="0.0.0.dev0")
    assert (runner.folder / "temp/fairvec-venv/bin/python").exists()
    assert not (runner.folder / "owned").exists()


def test_spaces_around_a_line_do_not_count(runner: Runner) -> None:
    ran = runner.run("gate", model="biased.vec", suite="  toy.toml \r\n\t\n", metric="\tweat ")
    assert ran.code == 0, ran.err


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"fail_if": "verdict == 'bias'"}, "    error: 'bias' is no value of verdict"),
        ({"fail_if": "category == 'gendre'"}, "No row has category 'gendre'"),
        ({"suite": "no-such-suite", "fail_if": "p < 1"}, "    error: "),
        ({"baseline": "nowhere"}, "    error: nowhere"),
        ({"model": "", "fail_if": "p < 1"}, "    error: the inputs model and output must not be"),
    ],
    ids=range(5),
)
def test_the_summary_holds_the_error(runner: Runner, inputs: dict[str, str], message: str) -> None:
    ran = runner.run("gate", **({"model": "biased.vec", "suite": "toy.toml"} | inputs))
    assert (ran.code, ran.outputs["passed"]) == (2, "false")
    assert message in ran.summary
    assert message.strip() in ran.err

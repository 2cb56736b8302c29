"""Commands that write and read finished runs."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import fairvec
from fairvec.report import render
from fairvec.results import Outcome, read_results, write_results
from scripts.site.links import pages, tokens
from tests.cli.conftest import Shell, write_model
from tests.fault_injection import kills
from tests.forking import off_this_one
from tests.resource_limits import SOURCE
from tests.results.toys import compared, measured, skipped, viewed

# --- report, compare and check: what is done with a finished run ---


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_results([measured(effect=1.2, p_holm=0.01), skipped()], tmp_path / "run")
    return tmp_path / "run"


def test_a_report_can_be_made_again(shell: Shell, run: Path) -> None:
    answer = shell("report", run)
    assert answer.code == 0
    assert (run / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_report_can_go_elsewhere(shell: Shell, run: Path, tmp_path: Path) -> None:
    assert shell("report", run / "results.jsonl", "-o", tmp_path / "page.html").code == 0
    assert (tmp_path / "page.html").exists()


def test_check_fails_with_the_offending_rows(shell: Shell, run: Path) -> None:
    answer = shell("check", run, "--fail-if", "p_holm < 0.05 and abs(effect) > 0.5")
    assert answer.code == 1
    assert "test=toy/one" in answer.out
    assert "effect=1.2" in answer.out
    assert "1 of 2 results meets" in answer.err


def test_check_passes_and_mentions_what_was_skipped(shell: Shell, run: Path) -> None:
    answer = shell("check", run, "--fail-if", "abs(effect) > 1.5")
    assert answer.code == 0
    assert answer.out == ""
    assert "1 of them was skipped" in answer.err


def test_check_refuses_what_it_does_not_understand(shell: Shell, run: Path) -> None:
    answer = shell("check", run, "--fail-if", "__import__('os')")
    assert answer.code == 2
    assert "not allowed" in answer.err


def test_compare_names_the_change(shell: Shell, run: Path, tmp_path: Path) -> None:
    write_results([measured(effect=-1.2, p_holm=0.01)], tmp_path / "after")
    answer = shell("compare", run, tmp_path / "after")
    assert answer.code == 0
    assert "no change shown" in answer.out  # these records keep no words that could show one
    lines = shell("compare", run, tmp_path / "after", "--json").out.splitlines()
    line, skipped = map(json.loads, lines)
    assert (line["effect_before"], line["effect_after"]) == (1.2, -1.2)
    assert (skipped["pairing"], skipped["answered"]) == ("vanished", "neither")


@pytest.mark.parametrize("command", [["report"], ["check", "--fail-if", "p < 1"]])
def test_a_folder_without_results_is_bad_input(
    shell: Shell, tmp_path: Path, command: list[str]
) -> None:
    answer = shell(*command, tmp_path)
    assert answer.code == 2
    assert "results.jsonl" in answer.err


def test_a_run_without_a_measurement_cannot_pass(shell: Shell, tmp_path: Path) -> None:
    write_results([skipped()], tmp_path / "empty")
    answer = shell("check", tmp_path / "empty", "--fail-if", "p < 0.05")
    assert answer.code == 2
    assert "no test was measured" in answer.err


def test_what_cannot_be_compared_is_named(shell: Shell, run: Path, tmp_path: Path) -> None:
    write_results([measured(), measured(test="toy/other")], tmp_path / "after")
    answer = shell("compare", run, tmp_path / "after")
    assert "2 tests are in one run only" in answer.err


@pytest.mark.parametrize(
    "command", [["audit", "glove-hi-small", "-o"], ["suites", "new"], ["report", "RUN", "-o"]]
)
def test_a_place_that_cannot_be_written_is_one_sentence(
    shell: Shell, run: Path, tmp_path: Path, command: list[str]
) -> None:
    (tmp_path / "file").write_text("precious")
    answer = shell(
        *[run if part == "." else part for part in command], tmp_path / "file" / "a.toml"
    )
    assert answer.code == 2
    assert len(answer.err.strip().splitlines()) == 1
    assert (tmp_path / "file").read_text() == "precious"


def test_brackets_in_a_name_are_only_text(shell: Shell, tmp_path: Path) -> None:
    for folder in ("before", "after"):
        write_results([measured(model="a[/b] [red]c")], tmp_path / folder)
    answer = shell("compare", tmp_path / "before", tmp_path / "after")
    assert answer.code == 0
    assert "a[/b] [red]c" in answer.out


def test_changes_can_be_checked_and_do_not_disturb_a_comparison(
    shell: Shell, tmp_path: Path
) -> None:
    changed = compared(kind="reversed", after=-1.1)
    after = measured(effect=0.3).model_copy(update={"model": changed.model})
    outcomes: list[Outcome] = [after, changed, viewed()]
    write_results(outcomes, tmp_path / "run")
    answer = shell("check", tmp_path / "run", "--fail-if", "change in ['reversed', 'introduced']")
    assert answer.code == 1
    assert "1 of 3 results meets" in answer.err
    assert answer.out.strip() == "toy/one  +1.00 -> −1.10  reversed  paired p 0.010"
    assert shell("check", tmp_path / "run", "--fail-if", "abs(effect) > 1").code == 0
    answer = shell("compare", tmp_path / "run", tmp_path / "run")
    assert answer.code == 0
    assert "unchanged" in answer.out
    assert shell("report", tmp_path / "run").code == 0


def test_a_change_without_values_or_pairing_is_shown_too(shell: Shell, tmp_path: Path) -> None:
    write_results([measured(), compared(after=None, p=None)], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", "change == 'removed'")
    assert answer.out.strip() == "toy/one  +1.00 -> alike  removed"


def test_a_slip_in_a_condition_is_bad_input(shell: Shell, run: Path) -> None:
    answer = shell("check", run, "--fail-if", "change == 'INTRODUCED'")
    assert answer.code == 2
    assert "'INTRODUCED' is no value of change; known: removed, " in answer.err


def test_of_two_debiased_runs_the_debiased_models_are_compared(
    shell: Shell, tmp_path: Path
) -> None:
    for place, effect in (("one", 0.9), ("two", -0.9)):
        changed = compared()
        model = changed.model.model_copy(update={"name": place, "sha256": place})
        changed = changed.model_copy(update={"model": model})
        after = measured(effect=effect).model_copy(update={"model": model})
        write_results([measured(effect=1.5), after, changed], tmp_path / place)
    line = json.loads(shell("compare", tmp_path / "one", tmp_path / "two", "--json").out)
    assert (line["model_before"], line["model_after"]) == ("one", "two")
    assert (line["effect_before"], line["effect_after"]) == (0.9, -0.9)
    write_results([measured(effect=1.5)], tmp_path / "audit")
    line = json.loads(shell("compare", tmp_path / "audit", tmp_path / "two", "--json").out)
    assert (line["effect_before"], line["effect_after"]) == (1.5, -0.9)


@pytest.mark.parametrize("command", ["compare", "report", "check"])
def test_a_model_in_the_place_of_its_run_is_refused(
    shell: Shell, tmp_path: Path, command: str
) -> None:
    model = tmp_path / "model.npz"
    model.write_bytes(b"\xff\xfe")
    more = {"compare": (str(model),), "check": ("--fail-if", "p < 1"), "report": ()}
    answer = shell(command, model, *more[command])
    assert answer.code == 2
    assert f"{model} is no run; make one with 'fairvec audit {model} -o FOLDER'." in answer.err
    Path(f"{model}.run").mkdir()
    answer = shell(command, model, *more[command])
    assert answer.code == 2
    assert f"{model} is no run; its run may be {model}.run." in answer.err


@pytest.mark.parametrize("command", [["report"], ["check", "--fail-if", "p < 1"]])
def test_an_unfinished_frontier_goes_on(shell: Shell, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "points").mkdir()
    answer = shell(*command, tmp_path)
    assert answer.code == 2
    assert "holds an unfinished frontier; run the same 'fairvec frontier ...' again" in answer.err


def test_a_frontier_is_no_run(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "points").mkdir()
    (tmp_path / "frontier.jsonl").write_text("{}")
    for place in (tmp_path, tmp_path / "frontier.jsonl"):
        answer = shell("check", place, "--fail-if", "p < 1")
        assert answer.code == 2
        assert "holds a frontier, which is not a run of results" in answer.err


# --- Commands that write a run are killed anywhere, and never leave a mixture


def write(folder: Path, model: str) -> None:
    outcomes: list[Outcome] = [measured(model=model)]
    write_results(outcomes, folder, {"report.html": render(outcomes)})


def test_an_audit_that_is_killed_leaves_files_of_one_run(
    shell: Shell, tmp_path: Path, suite_file: Path
) -> None:
    folder = tmp_path / "run"
    files = {name: write_model(tmp_path / f"{name}.vec", 1.0) for name in ("first", "second")}

    def audit(name: str) -> None:
        assert shell("audit", files[name], "--suite", suite_file, "-o", folder).code == 0

    def put_back(stored: dict[str, bytes]) -> None:
        for path in folder.iterdir():
            if path.is_file():
                path.unlink()
        for name, content in stored.items():
            (folder / name).write_bytes(content)

    audit("first")
    stored = {path.name: path.read_bytes() for path in folder.iterdir()}
    seen = set()
    for _ in kills(lambda: audit("second"), folder, off_this_one):
        assert shell("check", folder, "--fail-if", "effect > 99").code == 0
        records = {one.model.name for one in read_results(folder)}
        page = folder / "report.html"
        text = page.read_text(encoding="utf-8") if page.exists() else ""
        pages = {name for name in files if f"Bias audit of {name}<" in text}
        assert pages in (records, set())
        seen.add((*records, *pages))
        put_back(stored)
    assert seen == {("first", "first"), ("first",), ("second",), ("second", "second")}
    audit("first")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == stored


def test_a_page_that_cannot_be_made_costs_no_results(
    shell: Shell,
    tmp_path: Path,
    model_file: Path,
    suite_file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "run"
    write(folder, "first")

    def broken(outcomes: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr("fairvec.report.render", broken)
    assert shell("audit", model_file, "--suite", suite_file, "-o", folder).code == 3
    assert {one.model.name for one in read_results(folder)} == {"biased"}
    assert [path.name for path in folder.iterdir()] == ["results.jsonl"]


def test_two_audits_at_once_into_one_folder_end_with_one_whole_run(
    tmp_path: Path, suite_file: Path
) -> None:
    folder = tmp_path / "run"
    code = "import sys; from fairvec.cli import main; sys.argv[0] = 'fairvec'; main()"
    environment = os.environ | {"PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1"}
    running, quiet = [], subprocess.DEVNULL
    for name in ("first", "second"):
        model = write_model(tmp_path / f"{name}.vec", 1.0)
        arguments = ["audit", str(model), "--suite", str(suite_file), "-o", str(folder)]
        command = [sys.executable, "-c", code, *arguments]
        running.append(subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet))
    assert [each.wait(timeout=120) for each in running] == [0, 0]
    (model_name,) = {one.model.name for one in read_results(folder)}
    assert f"Bias audit of {model_name}<" in (folder / "report.html").read_text(encoding="utf-8")
    assert {path.name for path in folder.iterdir()} == {"results.jsonl", "report.html"}


def test_no_command_writes_a_page_beside_records_in_a_step_of_its_own() -> None:
    alone = re.compile(
        r"write_(\w+_)?report\(|write_(results|frontier|study|documents)\([^,]*, \w+\)"
    )
    found = {
        path.stem: alone.findall(path.read_text(encoding="utf-8"))
        for folder in ("cli/commands", "api", "web")
        for path in (SOURCE / "fairvec" / folder).glob("*.py")
    }
    assert [name for name, calls in found.items() if calls] == ["reports"]


# --- What the pages show of an answer is what the command, or the record, says today ---


ROOT = Path(__file__).parents[2]
SHOWN = {
    command.removeprefix("$ fairvec "): answer
    for page in pages(ROOT)
    if "    $ fairvec " in (text := page.read_text(encoding="utf-8"))
    for token in tokens(text)
    if token.type in {"fence", "code_block"} and token.content.startswith("$ fairvec ")
    for command, _, answer in [token.content.partition("\n")]
}


def words(text: str) -> str:
    """Return a text without the layout of its lines, which depends on the terminal."""
    return " ".join(text.split())


def test_answers_are_shown() -> None:
    assert set(SHOWN) == {"audit glove-en-small", "benchmarks ask glove-en-small sembias"}


@pytest.mark.parametrize("command", SHOWN)
def test_a_shown_answer_is_that_of_the_command(
    command: str, shell: Shell, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    output = words(shell(*shlex.split(command)).out)
    begins, *rest = map(words, SHOWN[command].split("\n..."))
    assert begins in output
    assert rest in ([], [""])


def test_a_shown_record_is_that_of_an_audit() -> None:
    page = (ROOT / "docs/notebooks.md").read_text(encoding="utf-8")
    found = fairvec.audit("glove-en-small", suites="caliskan2017", categories=False)
    (one,) = (record for record in found if record.test.id == "caliskan2017/weat-6")
    assert f"\n    {one}\n" in page

"""Folders of results: their runs listed, opened as reports, never left; damage is said."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from fairvec.core.errors import SettingError
from fairvec.report import render
from fairvec.results import read_results, write_results
from fairvec.web.questions.runs import DEEPEST, ResultsFolders
from tests.fault_injection import killed_before
from tests.forking import off_this_one
from tests.report.outcomes import a_run
from tests.web.client import ask, explorer, toy_models


def folders(*named: Path) -> ResultsFolders:
    return ResultsFolders(named).checked()


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Three runs, one of them deep, and one that is damaged."""
    top = tmp_path / "runs"
    for place in ("first", "second/inner"):
        write_results(a_run(), top / place)
    (top / "third").mkdir()
    (top / "third/results.jsonl").write_text('{"status": "measured"}\n', encoding="utf-8")
    return top


def test_every_run_is_listed_and_damage_is_said(runs: Path) -> None:
    app = explorer(toy_models(folders(runs)))
    told = {run["name"]: run for run in ask(app, "/api/results").json["runs"]}
    assert list(told) == [
        "runs/first/results.jsonl",
        "runs/second/inner/results.jsonl",
        "runs/third/results.jsonl",
    ]
    first, damaged = told["runs/first/results.jsonl"], told["runs/third/results.jsonl"]
    assert first["fault"] == ""
    assert first["records"] == len(a_run())
    assert first["models"] == list(dict.fromkeys(one.model.name for one in a_run()))
    assert "third" in damaged["fault"]
    assert "line 1" in damaged["fault"]
    assert damaged["records"] == 0
    reply = ask(app, "/run", {"name": "runs/third/results.jsonl"})
    assert (reply.status, reply.error) == (422, damaged["fault"])


def test_records_are_those_of_the_file(runs: Path) -> None:
    app = explorer(toy_models(folders(runs)))
    told = ask(app, "/api/run", {"name": "runs/first/results.jsonl"}).json["records"]
    assert told == [one.model_dump(mode="json") for one in read_results(runs / "first")]


def test_a_run_opens_as_its_report_under_a_policy_of_its_own(runs: Path) -> None:
    reply = ask(explorer(toy_models(folders(runs))), "/run", {"name": "runs/first/results.jsonl"})
    assert reply.status == 200
    page = reply.body.decode()
    assert page == render(read_results(runs / "first"))
    policy = str(reply.header("content-security-policy"))
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    known = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{known}';" in policy
    assert "sandbox allow-scripts" in policy
    assert "allow-same-origin" not in policy
    assert "default-src 'none'" in policy
    assert "connect-src" not in policy


def test_every_kind_of_page_is_known_by_the_hash_of_its_script() -> None:
    from fairvec.report.page import environment
    from fairvec.web.questions.runs import KINDS_OF_RUN

    loader = environment().loader
    assert loader is not None
    templates = {"results": "page", "frontier": "frontier", "documents": "documents"}
    for kind in KINDS_OF_RUN:
        name = f"{templates.get(kind.title, kind.title)}.html"
        source = loader.get_source(environment(), name)[0]
        found = re.search(r"<script>\n(.*?)</script>", source, re.DOTALL)
        if found is None:
            assert "script-src 'none'" in kind.policy
            continue
        script = environment().from_string(f"<script>\n{found[1]}</script>").render()
        text = script.removeprefix("<script>").removesuffix("</script>")
        assert b64encode(sha256(text.encode()).digest()).decode() in kind.policy


@pytest.mark.parametrize(
    "name",
    [
        "../secret/results.jsonl",
        "runs/../../secret/results.jsonl",
        "/etc/passwd",
        "runs/linked/results.jsonl",
        "runs/file/results.jsonl",
        "runs/.hidden/results.jsonl",
        "secret/results.jsonl",
        "runs",
    ],
)
def test_nothing_outside_of_the_folder_is_read(runs: Path, tmp_path: Path, name: str) -> None:
    secret = write_results(a_run(), tmp_path / "secret")
    write_results(a_run(), runs / ".hidden")
    (runs / "linked").symlink_to(tmp_path / "secret")
    (runs / "file").mkdir()
    (runs / "file/results.jsonl").symlink_to(secret)
    app = explorer(toy_models(folders(runs)))
    assert ask(app, "/run", {"name": name}).status == 404
    assert ask(app, "/api/run", {"name": name}).status == 404
    assert len(ask(app, "/api/results").json["runs"]) == 3


def test_a_run_that_is_written_later_is_found_and_one_that_is_gone_is_not(runs: Path) -> None:
    app = explorer(toy_models(folders(runs)))
    write_results(a_run()[:1], runs / "later")
    assert ask(app, "/api/run", {"name": "runs/later/results.jsonl"}).status == 200
    write_results(a_run()[:2], runs / "later")
    again = ask(app, "/api/run", {"name": "runs/later/results.jsonl"})
    assert len(again.json["records"]) == 2
    (runs / "later/results.jsonl").unlink()
    assert ask(app, "/api/run", {"name": "runs/later/results.jsonl"}).status == 404


def test_folders_of_one_name_and_files_are_told_apart(tmp_path: Path) -> None:
    one = write_results(a_run(), tmp_path / "a/run").parent
    other = write_results(a_run(), tmp_path / "b/run").parent
    file = write_results(a_run(), tmp_path / "c/alone")
    found = folders(one, other, file).runs()
    assert list(found) == [
        "run/results.jsonl",
        "run 2/results.jsonl",
        "results.jsonl/results.jsonl",
    ]
    assert [run.file.parent for run in found.values()] == [one, other, file.parent]


def test_a_folder_without_results_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="holds no results; make some with 'fairvec audit"):
        folders(tmp_path)
    deep = tmp_path.joinpath(*"x" * (DEEPEST + 1))
    write_results(a_run(), deep)
    with pytest.raises(SettingError, match="holds no results"):
        folders(tmp_path)


def test_what_is_too_deep_for_json_is_damage_and_no_fault(runs: Path) -> None:
    (runs / "third/results.jsonl").write_text("[" * 100_000, encoding="utf-8")
    told = ask(explorer(toy_models(folders(runs))), "/api/results").json["runs"]
    assert told[-1]["fault"]
    (runs / "third/results.jsonl").write_bytes(b"\xff\xfe\x00")
    told = ask(explorer(toy_models(folders(runs))), "/api/results").json["runs"]
    assert "not UTF-8" in told[-1]["fault"]


def test_a_run_whose_parts_are_of_two_is_told_of_and_not_shown(runs: Path) -> None:
    first = runs / "first"
    write_results(a_run(), first, {"report.html": "old"})
    app = explorer(toy_models(folders(runs)))
    assert ask(app, "/run", {"name": "runs/first/results.jsonl"}).status == 200
    killed_before(
        lambda: write_results(a_run(), first, {"report.html": "new"}),
        first / "results.jsonl",
        off_this_one,
    )
    told = {run["name"]: run for run in ask(app, "/api/results").json["runs"]}
    fault = told["runs/first/results.jsonl"]["fault"]
    assert "report.html is of the later, results.jsonl is of the earlier" in fault
    reply = ask(app, "/run", {"name": "runs/first/results.jsonl"})
    assert (reply.status, reply.error) == (422, fault)
    assert told["runs/second/inner/results.jsonl"]["fault"] == ""

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
from tests.report.outcomes import a_run
from tests.web.client import ask, explorer, toy_models


def folders(*named: Path) -> ResultsFolders:
    return ResultsFolders(named).require_runs()


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Three runs, one of them deep, and one that is damaged."""
    top = tmp_path / "runs"
    for place in ("first", "second/inner"):
        write_results(a_run(), top / place)
    (top / "third").mkdir()
    (top / "third/results.jsonl").write_text('{"status": "measured"}\n', encoding="utf-8")
    return top


def test_every_run_is_listed_and_damage_is_named(runs: Path) -> None:
    app = explorer(toy_models(folders(runs)))
    listed = {run["name"]: run for run in ask(app, "/api/results").json["runs"]}
    assert list(listed) == [
        "runs/first/results.jsonl",
        "runs/second/inner/results.jsonl",
        "runs/third/results.jsonl",
    ]
    first, damaged = listed["runs/first/results.jsonl"], listed["runs/third/results.jsonl"]
    assert first["fault"] == ""
    assert first["records"] == len(a_run())
    assert first["models"] == list(dict.fromkeys(one.model.name for one in a_run()))
    assert "third" in damaged["fault"]
    assert "line 1" in damaged["fault"]
    assert damaged["records"] == 0
    reply = ask(app, "/run", {"name": "runs/third/results.jsonl"})
    assert (reply.status, reply.error) == (422, damaged["fault"])


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_runs_that_are_not_listed_are_counted_and_can_be_opened(
    runs: Path, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairvec.web.questions.lists.MOST_RUNS", most)
    app = explorer(toy_models(folders(runs)))
    listed = ask(app, "/api/results").json
    assert (len(listed["runs"]), listed["more"]) == (min(most, 3), max(0, 3 - most))
    assert ask(app, "/run", {"name": "runs/second/inner/results.jsonl"}).status == 200


def test_records_are_those_of_the_file(runs: Path) -> None:
    app = explorer(toy_models(folders(runs)))
    listed = ask(app, "/api/run", {"name": "runs/first/results.jsonl"}).json["records"]
    assert listed == [one.model_dump(mode="json") for one in read_results(runs / "first")]


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
    from fairvec.web.questions.runs import RUN_KINDS

    loader = environment().loader
    assert loader is not None
    templates = {"results": "page", "frontier": "frontier", "documents": "documents"}
    for kind in RUN_KINDS:
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


def test_folders_of_one_name_and_files_have_different_names(tmp_path: Path) -> None:
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
    listed = ask(explorer(toy_models(folders(runs))), "/api/results").json["runs"]
    assert listed[-1]["fault"]
    (runs / "third/results.jsonl").write_bytes(b"\xff\xfe\x00")
    listed = ask(explorer(toy_models(folders(runs))), "/api/results").json["runs"]
    assert "not UTF-8" in listed[-1]["fault"]

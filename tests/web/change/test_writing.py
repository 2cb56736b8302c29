"""A model is written where the server may write, under a new name, and nowhere else."""

from pathlib import Path

import pytest

import fairvec
from fairvec.results import Result, read_results
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.security import Application
from tests.web.asking import ask, explorer
from tests.web.change.test_change import question, step

NAME = "glove-en-small"


def opened(folder: Path | None) -> Application:
    return explorer(OpenModels([OpenModel(NAME, NAME, fairvec.load(NAME))], write_to=folder))


def test_what_is_written_is_what_was_shown(tmp_path: Path) -> None:
    folder = tmp_path / "there"
    folder.mkdir()
    app = opened(folder)
    shown = step(app)
    assert shown["may_write"] is True
    reply = ask(app, "/api/write", question=question(file="new.fairvec"))
    assert reply.status == 200, reply.body
    assert (reply.json["model"], reply.json["folder"]) == ("new.fairvec", str(folder))
    assert {one.name for one in folder.iterdir()} == {"new.fairvec", "new.fairvec.run"}
    assert (folder / "new.fairvec.run" / "report.html").is_file()
    after = fairvec.audit(folder / "new.fairvec", suites=question()["tests"], categories=False)
    for record, result in zip(shown["after"], after, strict=True):
        assert isinstance(result, Result)
        assert record["effect"] == pytest.approx(result.effect, abs=1e-6)
    assert read_results(folder / "new.fairvec.run")
    again = ask(app, "/api/write", question=question(file="new.fairvec", strength=1))
    assert again.status == 422
    assert "exists already" in again.error


@pytest.mark.parametrize(
    "name",
    [
        "../x.fairvec",
        "..",
        "/tmp/x.fairvec",
        "a/b.fairvec",
        "a\\b.fairvec",
        ".hidden.fairvec",
        "x.fairvec\n",
        "x",
        "-o.fairvec",
        "x\0.fairvec",
        "ｘ.fairvec",
        "x" * 90 + ".fairvec",
        "con/../x.vec",
        "x.nothing",
    ],
    ids=range(14),
)
def test_other_names_write_nothing(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "in" / "there"
    folder.mkdir(parents=True)
    reply = ask(opened(folder), "/api/write", question=question(file=name))
    assert reply.status == 422, reply.body
    assert [one for one in tmp_path.rglob("*") if one.is_file()] == []


def test_without_a_folder_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = opened(None)
    assert step(app)["may_write"] is False
    reply = ask(app, "/api/write", question=question(file="new.fairvec"))
    assert reply.status == 422
    assert "--write-to" in reply.error
    assert [*tmp_path.iterdir()] == []

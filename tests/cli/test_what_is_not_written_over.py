"""No command destroys what it reads, or what it could not have written itself."""

import shutil
from pathlib import Path

import pytest

from fairvec.report import render
from fairvec.results import Outcome, write_results
from tests.cli.conftest import Shell, write_model
from tests.results.make import measured


@pytest.fixture
def run(tmp_path: Path) -> Path:
    outcomes: list[Outcome] = [measured(model="m")]
    return write_results(outcomes, tmp_path / "run", {"report.html": render(outcomes)}).parent


def test_a_page_takes_the_place_of_a_page_alone(shell: Shell, run: Path, tmp_path: Path) -> None:
    records = run / "results.jsonl"
    before = records.read_bytes()
    model = write_model(tmp_path / "m.vec", 1.0)
    for place in (records, model):
        kept = place.read_bytes()
        answer = shell("report", run, "-o", place)
        assert answer.code == 2
        assert f"{place} exists already and is no page" in answer.err
        assert place.read_bytes() == kept
    page = tmp_path / "page.html"
    page.write_text("\ufeff\n<!doctype html>\nan earlier one", encoding="utf-8")
    assert shell("report", run, "-o", page).code == 0
    assert "an earlier one" not in page.read_text(encoding="utf-8")
    assert records.read_bytes() == before


def test_a_junit_file_takes_the_place_of_one_alone(shell: Shell, run: Path, tmp_path: Path) -> None:
    asked = ("check", run, "--fail-if", "p < 0", "--junit")
    notes = tmp_path / "notes.xml"
    notes.write_text("mine")
    answer = shell(*asked, notes)
    assert (answer.code, notes.read_text()) == (2, "mine")
    assert f"{notes} exists already and is no JUnit file" in answer.err
    linked = tmp_path / "linked.xml"
    linked.symlink_to(run / "results.jsonl")
    assert shell(*asked, linked).code == 2
    assert shell("report", run).code == 0
    for _ in range(2):
        assert shell(*asked, tmp_path / "gate.xml").code == 0


def test_vectors_do_not_take_the_place_of_their_text(shell: Shell, tmp_path: Path) -> None:
    text = tmp_path / "texts" / "a.txt"
    text.parent.mkdir()
    text.write_text("one two three\n" * 9)
    (tmp_path / "link.txt").symlink_to(text)
    for place in (text, tmp_path / "link.txt", tmp_path / "texts" / "." / "a.txt"):
        answer = shell("train", text.parent, "--language", "en", "-o", place, "--force")
        assert answer.code == 2
        assert "is one of the texts to learn from" in answer.err
    assert text.read_text() == "one two three\n" * 9


@pytest.mark.parametrize("memory", [(), ("--max-memory", "500MB")], ids=["at once", "by blocks"])
def test_a_model_is_written_over_itself_whole(
    shell: Shell, tmp_path: Path, suite_file: Path, memory: tuple[str, ...]
) -> None:
    """Its file is mapped while it is read."""
    text = write_model(tmp_path / "m.vec", 1.0)
    model, other = tmp_path / "m.fairvec", tmp_path / "o" / "m.fairvec"
    assert shell("convert", text, model).code == 0
    other.parent.mkdir()
    shutil.copy(model, other)
    asked = ("--concept", "en/gender", "-s", suite_file, *memory)
    assert shell("debias", other, "-o", tmp_path / "new.fairvec", *asked).code == 0
    assert shell("debias", model, "-o", model, *asked, "--force").code == 0
    assert model.read_bytes() == (tmp_path / "new.fairvec").read_bytes()
    assert shell("convert", model, model, "--force").code == 0
    assert shell("audit", model, "-s", suite_file).code == 0

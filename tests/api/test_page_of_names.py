"""The page of names has them all, and what it and the docstrings show runs as it stands."""

import doctest
import re
from pathlib import Path

import pytest

import fairvec
from tests.test_architecture import BEHIND_DOORS, loaded_after

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| (.+?) \| `(.+)` \|$", PAGE, re.MULTILINE)
CALLS = ("audit", "compare", "debias", "frontier", "neighbours", "Test", "Suite", "Concept")


def test_every_public_name_has_one_row_and_an_example() -> None:
    assert sorted(name for name, _, _ in ROWS) == sorted(fairvec.__all__)
    assert all(len(said) > 10 for _, said, _ in ROWS)
    unlike = [name for name, _, example in ROWS if name.lower() not in example.lower()]
    assert unlike == ["Embedding"]


@pytest.mark.parametrize("name", [name for name, _, _ in ROWS])
def test_the_example_of_a_name_is_python(name: str) -> None:
    (example,) = (example for each, _, example in ROWS if each == name)
    compile(f"try: pass\n{example} pass" if example.startswith("except") else example, name, "exec")


def test_the_page_runs_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec("\n".join(blocks), {})
    said = capsys.readouterr().out
    assert "d = +" in said
    assert "spaceperson" in said
    assert "x is one string; give a list of words" in said
    assert (tmp_path / "debiased.fairvec.run" / "report.html").exists()
    assert len(blocks) == PAGE.count("```") / 2


@pytest.mark.parametrize("name", CALLS)
def test_the_examples_of_a_docstring_are_true(name: str) -> None:
    finder = doctest.DocTestFinder(recurse=False)
    (found,) = finder.find(getattr(fairvec, name), name, globs={})
    assert found.examples
    told: list[str] = []
    outcome = doctest.DocTestRunner().run(found, out=told.append)
    assert outcome.failed == 0, "".join(told)


def test_an_audit_in_python_loads_no_more_than_one_in_the_shell() -> None:
    lists = "x=['boss', 'captain'], y=['nurse', 'maid'], a=['he', 'man'], b=['she', 'woman']"
    loaded = loaded_after(f"import fairvec\nfairvec.audit('glove-en-small', {lists})")
    assert "fairvec.api.measure" in loaded
    away = {*BEHIND_DOORS, "pandas", "polars", "jinja2", "rich", "typer"}
    assert not loaded & {*away, "fairvec.mitigation", "fairvec.papers", "fairvec.report"}


def test_making_lists_needs_no_statistics() -> None:
    loaded = loaded_after("import fairvec\nfairvec.Test(x=['a'], y=['b'], a=['c'], b=['d'])")
    assert not loaded & {*BEHIND_DOORS, "scipy", "fairvec.stats", "fairvec.metrics"}


def test_what_is_offered_on_completion_is_public() -> None:
    offered = {name for name in dir(fairvec) if not name.startswith("__")}
    assert {"audit", "Results", "metrics"} <= offered
    assert not offered & {"TYPE_CHECKING", "lazy_exports", "version"}

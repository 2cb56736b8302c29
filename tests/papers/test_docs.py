"""docs/reproduction.md says what the code does, and its pages have every table."""

from pathlib import Path

import pytest

from fairvec.papers import MEANINGS, PAPERS, paper

DOCS = Path(__file__).parents[2] / "docs"


def test_the_guide_explains_every_grade() -> None:
    guide = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    for grade, meaning in MEANINGS.items():
        assert f"| {grade} | {meaning} |" in guide


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_has_its_command_and_its_page(name: str) -> None:
    guide = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    assert f"fairvec reproduce {name} -o runs/{name}" in guide
    page = (DOCS / "reproduction" / f"{name}.md").read_text(encoding="utf-8")
    chosen = paper(name)
    assert page.startswith(f"# {chosen.title}\n\n{chosen.source}\n")
    for table in chosen.tables:
        assert f"## {table.label}: {table.title}" in page
        for row in table.rows:
            assert f"\n| {row} |" in page
    assert "| matched |" not in page, "a stand-in never matches"

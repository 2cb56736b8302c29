"""docs/reproduction.md says what the code does, and its pages have every table."""

import json
from pathlib import Path

import pytest

from fairvec.papers import CLAIM_GRADES, GRADE_MEANINGS, PAPERS, as_jsonl, load_paper, reproduce

DOCS = Path(__file__).parents[2] / "docs"


def test_the_guide_explains_every_grade() -> None:
    guide = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    for grade, meaning in GRADE_MEANINGS.items():
        assert f"| {grade} | {meaning} |" in guide


def test_the_guide_explains_every_grade_and_kind_of_a_claim() -> None:
    guide = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    _, _, claims = guide.partition("## The claims")
    for grade, meaning in CLAIM_GRADES.items():
        assert f"| {grade} | {meaning} |" in claims
    for kind in ("leans", "each", "greater", "lowered", "raised", "kept", "threshold"):
        assert f"`{kind}`" in claims


def test_the_guide_names_every_field_of_the_records() -> None:
    guide = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    _, _, records = guide.partition("### Records")
    records, _, _ = records.partition("## The conventions")
    lines = [json.loads(line) for line in as_jsonl(reproduce(load_paper("pestova"))).splitlines()]
    assert {line["kind"] for line in lines} == {"claim", "figure"}
    for field in {field for line in lines for field in line} - {"kind"}:
        assert f"`{field}`" in records, field


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_has_its_command_and_its_page(name: str) -> None:
    guide = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    assert f"fairvec reproduce {name} -o runs/{name}" in guide
    page = (DOCS / "reproduction" / f"{name}.md").read_text(encoding="utf-8")
    chosen = load_paper(name)
    assert page.startswith(f"# {chosen.title}\n\n{chosen.source}\n")
    for table in chosen.tables:
        assert f"## {table.label}: {table.title}" in page
        for row in table.rows:
            assert f"\n| {row} |" in page
    assert "| matched |" not in page, "a stand-in never matches"

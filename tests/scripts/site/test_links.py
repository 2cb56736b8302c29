"""Every link of the documentation leads somewhere; the checker knows one that does not."""

from pathlib import Path

import pytest

from scripts.site.links import anchors, broken_links, links, pages
from scripts.site.navigation import navigation

ROOT = Path(__file__).parents[3]


def test_no_link_of_the_documentation_is_broken() -> None:
    assert broken_links(ROOT) == []


def test_the_pages_that_people_read_are_looked_at() -> None:
    seen = {page.relative_to(ROOT).as_posix() for page in pages(ROOT)}
    assert {"README.md", "CONTRIBUTING.md", "docs/glossary.md", "docs/tutorials/audit.md"} <= seen
    assert sum(len(links(page.read_text(encoding="utf-8"))) for page in pages(ROOT)) > 100


def test_the_index_leads_to_every_page() -> None:
    docs = ROOT / "docs"
    tree = navigation((docs / "index.md").read_text(encoding="utf-8"))
    listed = [page for section in tree.values() for page in section]
    there = {page.relative_to(docs).with_suffix("").as_posix() for page in docs.rglob("*.md")}
    assert sorted(listed) == sorted(there - {"index"})


@pytest.mark.parametrize(
    ("target", "wrong"),
    [
        ("other.md", ""),
        ("other.md#what-does-d--08-mean", ""),
        ("other.md#twice-1", ""),
        ("#here", ""),
        ("https://example.org/a#b", ""),
        ("gone.md", "leads to no file"),
        ("other.md#gone", "names no heading of other.md"),
        ("#gone", "names no heading of page.md"),
        ("https:///no-host", "is no whole address"),
        ("htps://example.org", "is no whole address"),
    ],
)
def test_a_broken_link_is_named(target: str, wrong: str, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    other = "# Other\n\n## What does d = 0.8 mean?\n\n## Twice\n\n## Twice\n"
    (tmp_path / "docs/other.md").write_text(other, encoding="utf-8")
    (tmp_path / "docs/page.md").write_text(f"# Here\n\n[text]({target})\n", encoding="utf-8")
    assert broken_links(tmp_path) == ([f"docs/page.md: {target} {wrong}"] if wrong else [])


def test_code_and_formulas_hold_no_links() -> None:
    assert links("`[a](b.md)` and gyr[c, a](a + b)\n\n    [c](d.md)\n\n```\n[e](f.md)\n```\n") == []
    assert links("| a |\n|---|\n| [g](h.md) ![i](j.png) |\n") == ["h.md", "j.png"]


def test_headings_of_an_included_page_count(tmp_path: Path) -> None:
    (tmp_path / "inner.md").write_text("# Inside `code`\n", encoding="utf-8")
    (tmp_path / "outer.md").write_text("```{include} inner.md\n```\n", encoding="utf-8")
    assert anchors(tmp_path / "outer.md") == {"inside-code"}

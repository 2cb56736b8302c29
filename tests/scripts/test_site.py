"""The documentation site is built, linked and true, and its tutorials run."""

from importlib import import_module
from pathlib import Path

import pytest

import fairvec
from scripts.site.cells import cells
from scripts.site.last_look import faults
from scripts.site.links import anchors, broken_links, links, pages
from scripts.site.navigation import navigation
from scripts.site.reference import PUBLIC_MODULES, as_written, public_names, write_reference
from scripts.site.tutorials import TUTORIALS, Output, TutorialError, run, with_outputs

# --- Every link of the documentation leads somewhere; the checker knows one that does not ---


ROOT = Path(__file__).parents[2]


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


# --- The finished site loads nothing from elsewhere; the look sees what would ---


def test_what_comes_from_elsewhere_is_named(tmp_path: Path) -> None:
    body = (
        '<script src="https://cdn.example.org/a.js"></script><img src="b.png">'
        '<link rel="stylesheet" href="//fonts.example.org/c.css">'
        '<a href="https://example.org">out</a> <a href="page.html#x">in</a> '
        '<a href="gone.html">no</a>'
    )
    (tmp_path / "index.html").write_text("<p>A site.</p>", encoding="utf-8")
    (tmp_path / "page.html").write_text(body, encoding="utf-8")
    (tmp_path / "style.css").write_text("@font-face{src:url('https://x.org/f')}", encoding="utf-8")
    assert list(faults(tmp_path)) == [
        "style.css loads by url(http",
        "page.html loads https://cdn.example.org/a.js",
        "page.html loads //fonts.example.org/c.css",
        "page.html links to gone.html, which is not there",
    ]
    (tmp_path / "page.html").write_text('<img src="b.png">', encoding="utf-8")
    (tmp_path / "style.css").write_text("p{color:red}", encoding="utf-8")
    assert list(faults(tmp_path)) == []


def test_a_site_that_was_not_built_is_no_good_site(tmp_path: Path) -> None:
    assert list(faults(tmp_path / "site")) == ["there is no index.html, so the site was not built"]


# --- The API reference has a page for each public name, and for three modules ---


def test_every_public_name_has_a_page_and_nothing_else_has(tmp_path: Path) -> None:
    names = {f"fairvec.{name}" for name in fairvec.__all__ if name != "__version__"}
    assert {*write_reference(tmp_path)} == {*names, *PUBLIC_MODULES}
    assert {page.stem for page in tmp_path.iterdir()} == {*names, *PUBLIC_MODULES}
    for name in names:
        assert f":: {name}\n" in (tmp_path / f"{name}.rst").read_text(encoding="utf-8")


def test_the_page_of_a_module_has_its_names(tmp_path: Path) -> None:
    write_reference(tmp_path)
    for name in PUBLIC_MODULES:
        lines = (tmp_path / f"{name}.rst").read_text(encoding="utf-8").splitlines()
        on_page = {line.rpartition(".")[2] for line in lines if line.startswith(".. ")}
        assert on_page == set(public_names(import_module(name))), name


def test_the_page_of_a_call_shows_what_it_gives(tmp_path: Path) -> None:
    write_reference(tmp_path)
    page = (tmp_path / "fairvec.debias.rst").read_text(encoding="utf-8")
    assert ".. autoclass:: fairvec.api.change.DebiasedModel\n" in page
    assert "It gives" not in (tmp_path / "fairvec.load.rst").read_text(encoding="utf-8")


def test_the_page_of_a_removed_package_is_removed(tmp_path: Path) -> None:
    (tmp_path / "fairvec.gone.rst").write_text("old", encoding="utf-8")
    write_reference(tmp_path)
    assert not (tmp_path / "fairvec.gone.rst").exists()


def test_formulas_of_docstrings_are_unchanged() -> None:
    lines = ["The size |d|, as `|x|`.", "", "    d = |x| - y", "", "    e = 1", "", "More."]
    assert as_written(lines) == [
        r"The size \|d\|, as `|x|`.",
        "",
        "::",
        "",
        "    d = |x| - y",
        "",
        "    e = 1",
        "",
        "More.",
    ]
    fields = [":param x: One", "", "    more of it", "- item", "", "    of a list"]
    assert as_written(fields) == fields


# --- Every tutorial runs as it stands, in a process of its own; the runner knows one that does not


NAMES = sorted(page.stem for page in TUTORIALS.glob("*.md"))

# What the text of a page says of its outputs: how often each of these stands in them, at least.
EXPECTED_OUTPUT = {
    "audit": {"over 8 tests": 1, "associated, d": 2, "biased, d": 8, "8 of 8 found": 4, "True": 1},
    "ball": {"d +1.7": 3, "no change shown": 1, "norm-kept": 1, "'poincare'": 1},
    "debias": {
        "overshot   ": 2,
        "reduced   ": 2,
        "a medium effect": 1,
        "unchanged  ": 2,
        "fold": 1,
    },
    "endpoint": {
        "2,743 texts to send": 3,
        "Nothing new to send": 2,
        "silently cut within 256 words": 1,
        "no similarity of probe texts moved": 1,
        "has changed between the runs": 1,
    },
    "gate": {
        "Not passed": 1,
        "Not decided": 1,
        "reversed, ": 1,
        "no change shown, ": 4,
        "increased": 1,
    },
    "hindi-russian": {"Religion: biased": 1, "reduced": 1, "inconclusive": 3, "too few words": 1},
    "own-lists": {"missing: dietician, midwife": 2, "True": 1, "too-few-words": 1, "firm": 1},
    "paper": {"different model": 2, "models get ruscorpora": 1, "cannot be compared": 1},
}


def test_there_is_a_tutorial_for_each_question() -> None:
    assert len(NAMES) >= 5


@pytest.mark.parametrize("name", NAMES)
def test_a_tutorial_runs(name: str, tmp_path: Path) -> None:
    text = (TUTORIALS / f"{name}.md").read_text(encoding="utf-8")
    outputs = run(text, f"{name}.md", tmp_path)
    assert len(outputs) == len(cells(text)) == text.count("```") // 2 > 3
    assert sum(bool(output.text) for output in outputs) >= 3
    printed = "".join(output.text + output.html for output in outputs)
    assert {
        text: printed.count(text) >= times for text, times in EXPECTED_OUTPUT[name].items()
    } == dict.fromkeys(EXPECTED_OUTPUT[name], True)


@pytest.mark.parametrize("name", NAMES)
def test_a_tutorial_calls_public_names_and_names_the_next_step(name: str) -> None:
    text = (TUTORIALS / f"{name}.md").read_text(encoding="utf-8")
    code = "\n".join(cell.code for cell in cells(text))
    assert "import fairvec\n" in code
    assert "from fairvec" not in code
    assert "**Next:**" in text.rstrip().rsplit("\n\n", 1)[1]


def page(*blocks: str) -> str:
    return "# Title\n\n" + "\n\nText.\n\n".join(f"```{block}\n```" for block in blocks) + "\n"


def test_cells_share_their_names_and_show_their_last_value(tmp_path: Path) -> None:
    text = page(
        "python\na = 3\nprint('said')\na", "python\nb = a + 1", "python\nb", "text\nno code"
    )
    assert run(text, "page.md", tmp_path) == [Output("said\n3\n"), Output(""), Output("4\n")]


def test_a_value_that_draws_itself_is_drawn(tmp_path: Path) -> None:
    drawing = "python\nclass Drawn:\n    def _repr_html_(self):\n        return '<svg/>'\nDrawn()"
    text = page(drawing)
    (output,) = run(text, "page.md", tmp_path)
    assert output == Output("", "<svg/>")
    assert "{raw} html\n<svg/>\n" in with_outputs(text, [output])


def test_a_shell_cell_ends_as_the_page_states(tmp_path: Path) -> None:
    (output,) = run(page("sh exit=1\necho seen; exit 1"), "page.md", tmp_path)
    assert output.text == "seen\n[exit code 1]\n"


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("python\n1 / 0", "ZeroDivisionError"),
        ("python\nraise SystemExit(0)", "SystemExit"),
        ("python\nif", "SyntaxError"),
        ("sh\nexit 1", "exit code 1, not 0"),
        ("sh\nfalse\necho on", "exit code 1, not 0"),
        ("sh exit=2\ntrue", "exit code 0, not 2"),
        ("sh\nfairvec audit no-such-model", "no-such-model"),
    ],
    ids=["division", "exit", "syntax", "shell", "first-command", "no-failure", "fairvec"],
)
def test_a_cell_that_fails_is_named(cell: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(TutorialError, match=r"page\.md, cell of line 9") as raised:
        run(page("python\n1", cell), "page.md", tmp_path)
    assert message in str(raised.value)


def test_outputs_follow_their_cells_in_fences_long_enough() -> None:
    text = page("python\n1", "python\n2")
    done = with_outputs(text, [Output("````\n"), Output("")])
    assert (
        "```python\n1\n```\n\n`````{code-block} text\n:class: output\n````\n`````\n\nText." in done
    )
    assert done.endswith("```python\n2\n```\n")

"""Every tutorial runs as it stands, in a process of its own; the runner knows one that does not."""

from pathlib import Path

import pytest

from scripts.site.cells import cells
from scripts.site.tutorials import TUTORIALS, Output, TutorialError, run, with_outputs

NAMES = sorted(page.stem for page in TUTORIALS.glob("*.md"))

# What the text of a page says of its outputs: how often each of these stands in them, at least.
SAID = {
    "audit": {"over 8 tests": 1, "associated, d": 2, "biased, d": 8, "8 of 8 found": 4, "True": 1},
    "ball": {"d +1.7": 3, "unclear": 1, "norm-kept": 1, "'poincare'": 1},
    "debias": {
        "overshot   ": 2,
        "reduced   ": 2,
        "a medium effect": 1,
        "unchanged  ": 2,
        "fold": 1,
    },
    "gate": {"Not passed": 1, "Not decided": 1, "appeared, ": 3, "overshot, ": 1, "introduced": 1},
    "hindi-russian": {"Religion: biased": 1, "removed": 1, "inconclusive": 3, "too few words": 1},
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
        said: printed.count(said) >= times for said, times in SAID[name].items()
    } == dict.fromkeys(SAID[name], True)


@pytest.mark.parametrize("name", NAMES)
def test_a_tutorial_calls_what_stands_at_the_top_and_names_the_next_step(name: str) -> None:
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


def test_a_shell_cell_ends_as_the_page_says(tmp_path: Path) -> None:
    (output,) = run(page("sh exit=1\necho seen; exit 1"), "page.md", tmp_path)
    assert output.text == "seen\n[exit code 1]\n"


@pytest.mark.parametrize(
    ("cell", "said"),
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
def test_a_cell_that_fails_is_named(cell: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(TutorialError, match=r"page\.md, cell of line 9") as raised:
        run(page("python\n1", cell), "page.md", tmp_path)
    assert said in str(raised.value)


def test_outputs_stand_behind_their_cells_in_fences_that_hold() -> None:
    text = page("python\n1", "python\n2")
    done = with_outputs(text, [Output("````\n"), Output("")])
    assert (
        "```python\n1\n```\n\n`````{code-block} text\n:class: output\n````\n`````\n\nText." in done
    )
    assert done.endswith("```python\n2\n```\n")

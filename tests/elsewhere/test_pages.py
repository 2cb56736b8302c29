"""Pages about gates and plugins are true."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from fairvec.experiments.comparison.table import COMPARISON_COLUMNS, COMPARISON_VALUES
from fairvec.metrics import FOREIGN_METRICS
from fairvec.mitigation import FOREIGN_METHODS, debiaser
from fairvec.results.conditions.expression import DEEPEST, LARGEST, LONGEST, Condition

# --- docs/gates.md says what is true: its conditions can be read, its tables are the code's ---


ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/gates.md").read_text(encoding="utf-8")
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
ANSWERS = (ROOT / "docs/answers.md").read_text(encoding="utf-8")
COMMANDS = re.findall(
    r"^ *(?:- )?(fairvec (?:check|compare) .*--fail-if .*)$", PAGE + ANSWERS, re.MULTILINE
)


def table(heading: str) -> dict[str, str]:
    """Return the rows of the table whose first column has this heading."""
    (rows,) = re.findall(rf"^\| {heading} \| meaning \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGE, re.M)
    return dict(re.findall(r"^\| `(.*?)` \| (.*) \|$", rows, re.MULTILINE))


@pytest.mark.parametrize("command", COMMANDS, ids=range(len(COMMANDS)))
def test_every_condition_can_be_read(command: str) -> None:
    words = shlex.split(command)
    text = words[words.index("--fail-if") + 1]
    known = (COMPARISON_COLUMNS, COMPARISON_VALUES) if words[1] == "compare" else ()
    assert Condition(text, *known).text == text


def test_the_tables_are_those_of_the_code() -> None:
    assert len(COMMANDS) > 10
    assert table("column") == COMPARISON_COLUMNS
    for heading, part in (("input", "inputs"), ("output", "outputs")):
        assert table(heading) == {name: each["description"] for name, each in ACTION[part].items()}


def test_the_bounds_and_hooks_are_those_of_the_code() -> None:
    assert f"{LONGEST:,} characters, {DEEPEST} levels" in PAGE
    assert f"up to {LARGEST:g}".replace("+", "") in PAGE
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {hook["id"] for hook in hooks} == {*re.findall(r"- id: ([\w-]+)", PAGE)}


def test_the_example_of_the_action_has_its_inputs() -> None:
    block = PAGE[PAGE.index("    - uses: actions/setup-python") :].split("\n\n")[0]
    (_, step) = yaml.safe_load(re.sub("^    ", "", block, flags=re.MULTILINE))
    assert set(step["with"]) <= set(ACTION["inputs"])
    assert {name for name, each in ACTION["inputs"].items() if each.get("required")} <= set(
        step["with"]
    )
    assert Condition(step["with"]["fail-if"]).over_rows


def test_no_example_counts_categories_among_tests() -> None:
    help_text = " ".join((ROOT / "src/fairvec/cli/commands/compare.py").read_text().split())
    notebooks = (ROOT / "docs/notebooks.md").read_text(encoding="utf-8")
    for text in (PAGE[PAGE.index("## Recipes") :], ANSWERS, notebooks, help_text):
        assert "count(verdict == 'biased')" not in text


# --- The page on metrics and methods of one's own: its code runs, and its classes obey the laws


PAGE_EXTENDING = (Path(__file__).parents[2] / "docs" / "extending.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE_EXTENDING, re.MULTILINE | re.DOTALL)


@pytest.fixture
def as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FOREIGN_METRICS, "registered", {})
    monkeypatch.setattr(FOREIGN_METHODS, "registered", {})


@pytest.mark.usefixtures("as_it_was")
def test_the_code_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    space: dict[str, Any] = {"__name__": "page"}
    assert len(BLOCKS) == 4
    for block in BLOCKS:
        exec(block, space)
    assert float(capsys.readouterr().out) > 0.1
    assert debiaser("half-of-the-mean", strength=0.5).strength == 0.5
    assert space["pipeline"][0].get_params()["concept"] == "en/gender"

"""What docs/tasks.md shows must run as it stands, and name every network and option."""

import csv
import re
from pathlib import Path

import pytest
from typer.main import get_command

from fairvec.cli.commands.study import app
from fairvec.tasks.sentiment.classifiers import NETWORKS

PAGE = (Path(__file__).parents[3] / "docs" / "tasks.md").read_text(encoding="utf-8")

GOOD, BAD = ("happy", "love", "peace", "joy", "gift"), ("war", "hate", "evil", "ugly", "pain")


def test_the_python_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    (shown,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    with Path("reviews.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        writer.writerows((f"the {word} family", "1") for word in GOOD)
        writer.writerows((f"the {word} family", "0") for word in BAD)
    names: dict[str, object] = {}
    exec(shown, names)
    outcomes = getattr(names["found"], "outcomes", ())
    assert len([one for one in outcomes if one.test.use]) == 7


def test_every_network_and_option_of_the_page_exists() -> None:
    for network in NETWORKS:
        assert f"**{network.name}**" in PAGE
    params = get_command(app).params
    options = {name for each in params for name in (*each.opts, *each.secondary_opts)}
    options |= {"--task", "--task-network", "--set"}
    assert {*re.findall(r"--[a-z]+(?:-[a-z]+)*", PAGE)} <= options

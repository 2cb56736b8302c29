"""The pre-commit hooks, run by their entries."""

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import toys
from tests.cli.conftest import Shell

ROOT = Path(__file__).parents[2]
HOOKS: list[dict[str, Any]] = yaml.safe_load(
    (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
)
SHIPPED = ROOT / "src/fairvec/lexicon/data"


@pytest.mark.parametrize("hook", HOOKS, ids=[hook["id"] for hook in HOOKS])
def test_an_entry_is_a_command_that_lints_files(shell: Shell, hook: dict[str, Any]) -> None:
    program, *arguments = shlex.split(hook["entry"])
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert program in scripts["scripts"]
    folder = hook["id"].removeprefix("fairvec-")
    files = sorted((SHIPPED / folder).glob("*.toml"))
    assert files
    assert all(re.search(hook["files"], file.relative_to(SHIPPED).as_posix()) for file in files)
    assert shell(*arguments, *files[:2]).code == 0
    assert shell(*arguments, ROOT / "pyproject.toml").code == 2


def test_a_mistake_in_any_of_several_files_is_found(shell: Shell, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    text = toys.suite_text()
    good.write_text(text, encoding="utf-8")
    bad.write_text(text.replace('"toy"', '"other"', 1) + "\n[sets.x]\n", encoding="utf-8")
    assert shell("suites", "lint", good).code == 0
    assert shell("suites", "lint", good, bad).code == 2


def test_two_files_of_one_id_are_refused_whatever_their_tests_are(
    shell: Shell, tmp_path: Path
) -> None:
    files = [tmp_path / "one.toml", tmp_path / "two.toml"]
    shell("suites", "new", files[0])
    text = files[0].read_text(encoding="utf-8")
    name = re.findall(r"^\[tests\.([\w-]+)\]|^id = \"([\w-]+)\"", text, re.MULTILINE)
    renamed = text.replace(f"[tests.{name[-1][0]}]", "[tests.another]") if name[-1][0] else text
    files[1].write_text(renamed.replace('"tulip"', '"rose"'), encoding="utf-8")
    answer = shell("suites", "lint", *files)
    assert answer.code == 2
    assert "two different suites have the id 'one'" in answer.err

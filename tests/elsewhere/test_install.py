"""The Dockerfile and the pre-commit hooks."""

import json
import re
import shlex
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import toys
from tests.cli.conftest import Shell

# --- The Dockerfile, as far as it can be held to account without a daemon ---


ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")
STEPS = [
    line.split(maxsplit=1)
    for line in TEXT.replace("\\\n", " ").splitlines()
    if line.strip() and not line.startswith("#")
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_it_runs_the_command_line_as_an_unprivileged_user() -> None:
    last = dict(STEPS)
    (entry,) = json.loads(last["ENTRYPOINT"])
    assert entry in PROJECT["scripts"]
    assert int(last["USER"]) > 0
    names = [name for name, _ in STEPS]
    assert names.index("USER") > max(at for at, name in enumerate(names) if name in ("RUN", "COPY"))
    assert "ADD" not in names


def test_what_is_copied_is_there_and_not_ignored() -> None:
    rules = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    included = {rule[1:] for rule in rules if rule.startswith("!")}
    copied = {
        source
        for name, rest in STEPS
        if name == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    }
    assert copied == included
    assert all((ROOT / source).exists() for source in copied)
    assert {PROJECT["readme"], *PROJECT["license-files"]} <= copied
    assert rules[1] == "*"
    assert any(fnmatch("src/a/__pycache__", rule) for rule in rules[2:])


def test_its_python_is_one_that_fairvec_runs_on() -> None:
    (version,) = re.findall(r"^ARG PYTHON=(\d+\.\d+)-slim$", TEXT, re.MULTILINE)
    assert f"Programming Language :: Python :: {version}" in PROJECT["classifiers"]
    assert [rest.split()[0] for name, rest in STEPS if name == "FROM"] == ["python:${PYTHON}"] * 2


def test_every_package_is_pinned() -> None:
    (install,) = [rest for name, rest in STEPS if name == "RUN" and "pip install" in rest]
    assert "-c constraints.txt" in install


# --- The pre-commit hooks, run by their entries ---


HOOKS: list[dict[str, Any]] = yaml.safe_load(
    (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
)
SHIPPED = ROOT / "src/fairvec"


def test_the_hook_of_documents_fails_where_a_rule_is_certain(shell: Shell, tmp_path: Path) -> None:
    (hook,) = (hook for hook in HOOKS if hook["id"] == "fairvec-documents")
    _, *arguments = shlex.split(hook["entry"])
    for text, code in (("The chairperson left.", 0), ("The chairman left.", 1)):
        (tmp_path / "a.md").write_text(text)
        assert shell(*arguments, tmp_path / "a.md", "--language", "en").code == code


LINTERS = [hook for hook in HOOKS if "files" in hook]


@pytest.mark.parametrize("hook", LINTERS, ids=[hook["id"] for hook in LINTERS])
def test_an_entry_is_a_command_that_lints_files(shell: Shell, hook: dict[str, Any]) -> None:
    program, *arguments = shlex.split(hook["entry"])
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert program in scripts["scripts"]
    names = [file.relative_to(SHIPPED).as_posix() for file in sorted(SHIPPED.rglob("*.toml"))]
    files = [SHIPPED / name for name in names if re.search(hook["files"], name)]
    assert len(files) >= 2
    assert {file.parent.name if "suites" in hook["id"] else file.stem for file in files} == {
        hook["id"].removeprefix("fairvec-")
    }
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

"""The Dockerfile, as far as it can be held to account without a daemon."""

import json
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")
STEPS = [
    line.split(maxsplit=1)
    for line in TEXT.replace("\\\n", " ").splitlines()
    if line.strip() and not line.startswith("#")
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_it_runs_the_command_line_as_nobody_in_particular() -> None:
    last = dict(STEPS)
    (entry,) = json.loads(last["ENTRYPOINT"])
    assert entry in PROJECT["scripts"]
    assert int(last["USER"]) > 0
    names = [name for name, _ in STEPS]
    assert names.index("USER") > max(at for at, name in enumerate(names) if name in ("RUN", "COPY"))
    assert "ADD" not in names


def test_what_is_copied_is_there_and_not_ignored() -> None:
    rules = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept = {rule[1:] for rule in rules if rule.startswith("!")}
    copied = {
        source
        for name, rest in STEPS
        if name == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    }
    assert copied == kept
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

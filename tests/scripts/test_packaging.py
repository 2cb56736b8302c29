"""What is said about the package in several files is said alike."""

import re
import tomllib
from pathlib import Path
from statistics import NormalDist

import yaml

from fairvec.results.verdicts import BOUNDS
from fairvec.version import __version__
from scripts.conda_recipe import RECIPE, recipe

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def pins(file: str) -> dict[str, tuple[int, ...]]:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {name.lower(): release(version) for name, version in pairs}


def release(version: str) -> tuple[int, ...]:
    """Return the numbers of a version without zeros at its end, which mean nothing."""
    found = re.match(r"[\d.]+", version)
    assert found
    numbers = [int(part) for part in found[0].strip(".").split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def test_the_oldest_versions_are_those_that_the_project_allows() -> None:
    bounds = dict(dependency.split(">=") for dependency in PROJECT["dependencies"])
    assert pins("constraints-oldest.txt") == {
        name: release(bound) for name, bound in bounds.items()
    }


def test_the_newest_versions_are_allowed_and_cover_the_site() -> None:
    newest, oldest = pins("constraints.txt"), pins("constraints-oldest.txt")
    assert all(newest[name] >= version for name, version in oldest.items())
    bounds = dict(dependency.split(">=") for dependency in PROJECT["optional-dependencies"]["docs"])
    assert all(newest[name] >= release(bound) for name, bound in bounds.items())


def test_the_conda_recipe_is_current() -> None:
    assert RECIPE.read_text(encoding="utf-8") == recipe(), "run: python -m scripts.conda_recipe"
    parsed = yaml.safe_load(recipe())
    assert len(parsed["requirements"]["run"]) == len(PROJECT["dependencies"]) + 1


def test_the_citation_agrees_with_the_project() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0"
    assert cited["version"] == __version__
    assert cited["license"] == PROJECT["license"]
    assert cited["authors"] == PROJECT["authors"]
    assert cited["keywords"] == PROJECT["keywords"]


def test_the_glossary_explains_an_effect_correctly() -> None:
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\d.]+) \| (.+?) \| (\d+) %", text, re.MULTILINE)
    assert [float(d) for d, words, _ in rows if words.endswith("from here")] == list(BOUNDS)
    for d, _, share in rows:
        # d divides by the spread of both lists together; the words of each list spread less.
        shift = float(d) / (1 - float(d) ** 2 / 4) ** 0.5
        assert round(100 * NormalDist().cdf(shift / 2**0.5)) == int(share), d

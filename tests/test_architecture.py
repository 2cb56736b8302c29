"""The shape of the tree: imports point down, optional packages stay behind their doors."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import fairvec

SOURCE = Path(fairvec.__file__).parent
GROUND = {"errors", "files", "level", "version", "compiled"}
MAY_IMPORT = {
    "geometry": GROUND,
    "results": GROUND,
    "stats": GROUND,
    "catalogue": GROUND,
    "embedding": GROUND | {"geometry", "catalogue"},
    "lexicon": GROUND | {"geometry", "catalogue", "embedding"},
    "metrics": GROUND | {"geometry", "results", "stats", "embedding", "lexicon"},
    "debias": GROUND | {"geometry", "embedding", "lexicon"},
    "evaluation": GROUND
    | {"geometry", "results", "stats", "embedding", "lexicon", "metrics", "debias"},
    "papers": GROUND
    | {
        "geometry",
        "results",
        "stats",
        "catalogue",
        "embedding",
        "lexicon",
        "metrics",
        "debias",
        "evaluation",
    },
    "report": GROUND | {"results"},
    "cli": GROUND
    | {
        "geometry",
        "results",
        "catalogue",
        "embedding",
        "lexicon",
        "metrics",
        "debias",
        "evaluation",
        "papers",
        "report",
    },
}
FILES = sorted(SOURCE.rglob("*.py"))


def imported_modules(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} uses a relative import"
            module = node.module or ""
            names |= {f"fairvec.{a.name}" for a in node.names} if module == "fairvec" else {module}
    return names


def room(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def test_every_folder_has_its_place() -> None:
    assert {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()} == set(
        MAY_IMPORT
    )


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_imports_point_down_only(file: Path) -> None:
    home = room(file)
    if home == "__init__":
        return
    seen = {name.split(".")[1] for name in imported_modules(file) if name.startswith("fairvec.")}
    allowed = MAY_IMPORT.get(home, set()) | {home}
    assert seen <= allowed, f"{home} must not know {sorted(seen - allowed)}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_no_file_is_longer_than_one_idea(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 300


BEHIND_DOORS = (
    "gensim",
    "torch",
    "transformers",
    "dask",
    "numba",
    "sklearn",
    "scipy.stats",
    "requests",
    "pooch",
    "pytest",
)


@pytest.mark.parametrize("program", ["import fairvec", "import fairvec.cli"])
def test_a_static_audit_needs_the_core_alone(program: str) -> None:
    asked = f"{program}\nimport sys\nprint([one for one in {BEHIND_DOORS!r} if one in sys.modules])"
    answer = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"

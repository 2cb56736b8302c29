"""Compiled code is kept by numba and found again; what cannot be read or kept is compiled anew."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from runpy import run_path

import pytest
from numba import config
from numba.core.caching import IndexDataCacheFile

from tests.resource_limits import SOURCE as PACKAGES

SOURCE = """
from fairvec.core.jit import jit

@jit()
def doubled(number: int) -> int:
    return 2 * number
"""


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """A function that loads and asks a compiled function anew; the cache is empty.

    It says what was answered, and how often what was kept could be used.
    """
    (tmp_path / "kernel.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "cache"))

    def asked() -> str:
        doubled = run_path(str(tmp_path / "kernel.py"))["doubled"]
        return " ".join(map(str, [doubled(21), *doubled.stats.cache_hits.values()]))

    return asked


def kept(tmp_path: Path, ending: str) -> Path:
    (found,) = (tmp_path / "cache").rglob(f"*{ending}")
    return found


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_a_file_cut_short_is_compiled_anew_and_mended(
    ending: str, ask: Callable[[], str], tmp_path: Path
) -> None:
    assert ask() == "42"
    assert ask() == "42 1"
    whole = kept(tmp_path, ending).read_bytes()
    for length in (0, 1, len(whole) // 2, len(whole) - 1):
        kept(tmp_path, ending).write_bytes(whole[:length])
        assert ask() == "42"
        assert ask() == "42 1"


def test_where_nothing_can_be_kept_it_is_compiled_each_time(
    ask: Callable[[], str], tmp_path: Path
) -> None:
    assert ask() == "42"
    file = kept(tmp_path, ".nbi")
    file.unlink()
    file.mkdir()
    assert ask() == "42"
    assert ask() == "42"


def test_without_a_place_for_a_cache_it_is_compiled_each_time(
    ask: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(config, "CACHE_LOCATOR_CLASSES", "UserProvidedCacheLocator", raising=False)
    assert ask() == "42"
    assert ask() == "42"


def test_a_full_disk_costs_no_answer(
    ask: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "_open_for_write", full)
    assert ask() == "42"


def kernels() -> Iterator[tuple[Path, ast.Module]]:
    """Yield the modules whose functions are compiled."""
    for path in sorted(PACKAGES.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "@jit(" in text:
            yield path, ast.parse(text)


def names_from_elsewhere(tree: ast.Module) -> set[str]:
    """Return the names that a module imports from other modules of fairvec."""
    return {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if (getattr(node, "module", None) or alias.name).startswith("fairvec")
    }


def compiled(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    decorated = [each for each in functions if each.decorator_list]
    yield from decorated or functions


@pytest.mark.parametrize(("path", "tree"), [*kernels()], ids=lambda part: getattr(part, "stem", ""))
def test_compiled_code_is_of_its_own_file_alone(path: Path, tree: ast.Module) -> None:
    """Numba compiles again when the file of a function changes, and knows of no other file."""
    elsewhere = names_from_elsewhere(tree)
    for function in compiled(tree):
        used = {
            node.id
            for part in function.body
            for node in ast.walk(part)
            if isinstance(node, ast.Name)
        }
        assert not used & elsewhere, f"{path.name}: {function.name}"

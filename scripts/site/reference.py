"""The pages of the API reference, made from the packages: a public name is one of an `__all__`."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import fairvec

NOT_FOR_READERS = {"cli", "core"}


def public_modules() -> Iterator[ModuleType]:
    """Yield fairvec, its rooms and the packages in them that say which names are public."""
    yield fairvec
    for found in pkgutil.walk_packages(fairvec.__path__, "fairvec."):
        room = found.name.split(".")[1]
        if not found.ispkg or room in NOT_FOR_READERS:
            continue
        module = importlib.import_module(found.name)
        if getattr(module, "__all__", ()):
            yield module
    yield importlib.import_module("fairvec.core.errors")


def public_names(module: ModuleType) -> list[str]:
    """Return the names that a page shows: those of `__all__`, or the classes written there."""
    named = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__
    ]
    return sorted(name for name in named if not name.startswith("__"))


def directive(module: ModuleType, name: str, described: set[int]) -> str:
    """Return the lines that have Sphinx describe one name.

    `described` are the objects of earlier pages: these are shown again and indexed once.
    """
    value = getattr(module, name)
    options = ["   :no-index:"] if id(value) in described else []
    if inspect.isclass(value):
        kind = "autoexception" if issubclass(value, Exception) else "autoclass"
        options.append("   :members:")
    else:
        kind = "autofunction" if inspect.isfunction(value) else "py:data"
    if kind != "py:data":
        described.add(id(value))
    return "\n".join([f".. {kind}:: {module.__name__}.{name}", *options, ""])


def page(module: ModuleType, described: set[int]) -> str:
    """Return the page of one package: what it is, then each of its names."""
    names = public_names(module)
    title = f"``{module.__name__}``"
    first = (inspect.getdoc(module) or "").split("\n\n")[0]
    return "\n".join(
        [
            title,
            "=" * len(title),
            "",
            first,
            "",
            *(directive(module, name, described) for name in names),
        ]
    )


def write_reference(folder: Path) -> list[str]:
    """Write a page for each public package and their index, and return the packages' names."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.rst"):
        stale.unlink()
    modules = list(public_modules())
    described: set[int] = set()
    for module in modules:
        text = page(module, described)
        (folder / f"{module.__name__}.rst").write_text(text, encoding="utf-8")
    return [module.__name__ for module in modules]


def as_written(lines: list[str]) -> list[str]:
    """Return a docstring in which formulas stand as they were written.

    An indented block behind an empty line is a formula, unless a section such as `Args:`, a list or
    a directive holds it. Bars in a sentence mean sizes there, and substitutions to docutils.
    """
    done: list[str] = []
    in_list, formula = False, False
    for line in lines:
        if line.strip() and not line.startswith(" "):
            in_list, formula = line.startswith((":", "..", "* ", "- ")), False
        elif line.startswith("    ") and not in_list and not formula and done and not done[-1]:
            formula = True
            done += ["::", ""]
        done.append(line if formula else bars_escaped(line))
    return done


def bars_escaped(line: str) -> str:
    """Return a line whose bars are bars, outside of backticks."""
    parts = re.split(r"(`+[^`]*`+)", line)
    return "".join(part if part.startswith("`") else part.replace("|", r"\|") for part in parts)

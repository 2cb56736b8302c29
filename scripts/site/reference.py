"""The pages of the API reference: one for each name of `fairvec`, and three of its modules."""

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import get_type_hints

import fairvec

PUBLIC_MODULES = ("fairvec.geometry", "fairvec.stats", "fairvec.testing")
"""The modules that are public as well; whatever else there is may change without notice."""


def public_names(module: ModuleType) -> list[str]:
    """Return the names that the reference shows of a module."""
    return sorted(name for name in module.__all__ if not name.startswith("__"))


def directive(called: str, value: object, *, indexed: bool = True) -> str:
    """Return the lines that have Sphinx describe one name."""
    options = [] if indexed else ["   :no-index:"]
    if inspect.isclass(value):
        kind = "autoexception" if issubclass(value, Exception) else "autoclass"
        options.append("   :members:")
    else:
        kind = "autofunction" if inspect.isfunction(value) else "py:data"
    return "\n".join([f".. {kind}:: {called}", *options, ""])


def answer_of(value: object) -> type | None:
    """Return the class of what a public call gives, if it is fairvec's and has no page itself."""
    if not inspect.isfunction(value):
        return None
    answer = get_type_hints(value).get("return")
    public = [getattr(fairvec, name) for name in public_names(fairvec)]
    ours = inspect.isclass(answer) and answer.__module__.startswith("fairvec.")
    return answer if ours and answer not in public else None


def page_of_name(name: str) -> str:
    """Return the page of a name of fairvec: what it is, and what a call gives."""
    value = getattr(fairvec, name)
    blocks = [directive(f"fairvec.{name}", value)]
    if answer := answer_of(value):
        called = f"{answer.__module__}.{answer.__qualname__}"
        blocks += ["It gives:", "", directive(called, answer, indexed=False)]
    return "\n".join([*_title(f"fairvec.{name}"), *blocks])


def page_of_module(module: ModuleType) -> str:
    """Return the page of a module: what it is for, then each of its names."""
    first = (inspect.getdoc(module) or "").split("\n\n")[0]
    blocks = [
        directive(f"{module.__name__}.{name}", getattr(module, name))
        for name in public_names(module)
    ]
    return "\n".join([*_title(module.__name__), first, "", *blocks])


def _title(name: str) -> Iterator[str]:
    title = f"``{name}``"
    yield from (title, "=" * len(title), "")


def write_reference(folder: Path) -> list[str]:
    """Write a page for each public name and module, and return what they are of."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.rst"):
        stale.unlink()
    pages = {f"fairvec.{name}": page_of_name(name) for name in public_names(fairvec)}
    pages |= {name: page_of_module(importlib.import_module(name)) for name in PUBLIC_MODULES}
    for name, text in pages.items():
        (folder / f"{name}.rst").write_text(text, encoding="utf-8")
    return [*pages]


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

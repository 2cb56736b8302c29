"""What pages name exists: the options of commands, and what their Python imports."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from typer.core import TyperCommand, TyperGroup

from fairvec.cli.app import COMMANDS, loaded
from scripts.site.links import pages, tokens

ROOT = Path(__file__).parents[1]
PAGES = {
    page.relative_to(ROOT).as_posix(): list(tokens(page.read_text(encoding="utf-8")))
    for page in pages(ROOT)
}
OF_OTHER_PROGRAMS = {
    "docker": {"--user", "--build-arg"},
    "dask": {"--nthreads"},
    "Poincaré GloVe": {"--mix", "--num_embs", "--agg", "--cosine_eval"},
    "pytest": {"--hypothesis-profile", "--hypothesis-seed"},
    "scripts": {"--python", "--with", "--rule", "--cuda"},
    "every command": {"--help", "--version"},
}


def options_of(command: TyperCommand | TyperGroup) -> Iterator[str]:
    """Yield what a command and those below it may be given."""
    for parameter in command.params:
        yield from (*parameter.opts, *parameter.secondary_opts)
    for below in getattr(command, "commands", {}).values():
        yield from options_of(below)


def test_every_option_that_a_sentence_names_exists() -> None:
    known = set().union(*OF_OTHER_PROGRAMS.values())
    known.update(option for name in COMMANDS for option in options_of(loaded(name)))
    unknown = {
        f"{page}: {option}"
        for page, parts in PAGES.items()
        for part in parts
        if part.type == "code_inline"
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", part.content)
        if option not in known
    }
    assert unknown == set()


def imported(program: str) -> Iterator[tuple[str, str]]:
    """Yield the modules of fairvec that a program imports from, with each name."""
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fairvec"):
            yield from ((str(node.module), each.name) for each in node.names)


WITH_PYTHON = [
    page
    for page, parts in PAGES.items()
    if any(part.type == "fence" and part.info == "python" for part in parts)
]


@pytest.mark.parametrize("page", WITH_PYTHON)
def test_every_name_that_a_page_imports_exists(page: str) -> None:
    programs = (each.content for each in PAGES[page] if each.info == "python")
    for module, name in (pair for program in programs for pair in imported(program)):
        if not hasattr(import_module(module), name):
            import_module(f"{module}.{name}")

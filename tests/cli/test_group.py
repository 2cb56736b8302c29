"""Commands are known by name and one line, and loaded when one of them is named."""

import os
import re
import subprocess
import sys
from pkgutil import iter_modules
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from fairvec.cli import commands
from fairvec.cli.app import COMMANDS, app, loaded
from fairvec.version import __version__
from tests.cli.conftest import Shell

GROUP: Any = typer.main.get_command(app)


def homes(command: Any) -> set[str]:
    """Return the modules of a command, or of all commands below it."""
    below = getattr(command, "commands", None)
    if below is None:
        return {command.callback.__module__}
    return {home for each in below.values() for home in homes(each)}


@pytest.mark.parametrize("name", COMMANDS)
@given(limit=st.integers(1, 120))
def test_the_line_of_a_command_is_that_of_its_module(name: str, limit: int) -> None:
    listed, command = GROUP.get_command(None, name), loaded(name)
    assert listed.get_short_help_str(limit) == command.get_short_help_str(limit)
    assert (listed.hidden, listed.deprecated) == (command.hidden, command.deprecated)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_named_as_it_is_listed(shell: Shell, name: str) -> None:
    assert loaded(name).name == name
    answer = shell(name, "--help")
    assert answer.code == 0
    assert f"fairvec {name} [OPTIONS]" in answer.out.partition("\n")[0]
    # A page with panels would be another look than that of the first page.
    assert "╭" not in answer.out


def test_every_module_of_commands_is_reached() -> None:
    there = {f"{commands.__name__}.{each.name}" for each in iter_modules(commands.__path__)}
    assert {home for name in COMMANDS for home in homes(loaded(name))} == there


def test_the_first_page_lists_every_command_in_order(shell: Shell) -> None:
    listed = shell("--help").out.partition("Commands:\n")[2].partition("\n\n")[0]
    assert re.findall(r"^  ([a-z-]+) ", listed, re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_slip_in_a_name_is_answered_with_the_name(shell: Shell, name: str) -> None:
    answer = shell(name + "x")
    assert answer.code == 2
    assert f"no command named '{name}x'" in answer.err
    assert name in answer.err.partition("did you mean ")[2]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("fairvec ", set(COMMANDS)),
        ("fairvec co", {"compare", "concepts", "convert"}),
        ("fairvec suites ", {"list", "show", "lint", "new", "needs"}),
        ("fairvec audit --sui", {"--suite"}),
    ],
)
def test_a_shell_completes_commands_and_their_options(typed: str, offered: set[str]) -> None:
    words = typed.split(" ")
    asked = {"COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1)}
    program = "import sys; sys.argv[0] = 'fairvec'; from fairvec.cli import main; main()"
    answer = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | asked | {"_FAIRVEC_COMPLETE": "complete_bash"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert set(answer.stdout.split()) == offered, answer.stderr


def test_the_package_can_be_run_where_the_command_is_not_on_the_path() -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "fairvec", "--version"], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == __version__

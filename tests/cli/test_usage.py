"""A command that is written wrongly is told in one sentence what is wrong and what is meant."""

import inspect
from typing import Any

import pytest

from fairvec.cli.app import COMMANDS, loaded
from tests.cli.conftest import Shell
from tests.cli.test_within_reason import OPTIONS, commands


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("neighbours m x --count z", "--count is 'z'; it must be a whole number of at least 1"),
        ("neighbours m x --count 0", "--count is '0'; it must be a whole number of at least 1"),
        ("audit m --seed -1", "--seed is '-1'; it must be a whole number from 0 to 4294967295"),
        ("audit m --min-coverage x", "--min-coverage is 'x'; it must be a number"),
        ("audit m --outside reject", "--outside is 'reject'; it must be refuse or project"),
        ("audit m --method exakt", "did you mean exact?"),
        ("audit m --seed", "--seed needs a value"),
        ("audit m --json=3", "--json takes no value"),
        ("neighbours", "MODEL is missing; write 'fairvec neighbours MODEL WORDS...'"),
        ("neighbours m", "WORDS is missing; write 'fairvec neighbours MODEL WORDS...'"),
        ("debias m", "--output (-o) is missing; write 'fairvec debias MODEL --output ...'"),
        ("convert a b c d", "takes no more"),
        ("neighbours m x --coun 3", "named '--coun'; did you mean --count?"),
        ("neighbours m x -z", "named '-z'"),
        ("audti", "There is no command named 'audti'; did you mean audit?"),
        ("suites lnt", "There is no command named 'lnt'; did you mean lint?"),
        ("--vers", "named '--vers'; did you mean --version?"),
    ],
)
def test_a_slip_is_one_sentence(shell: Shell, line: str, says: str) -> None:
    answer = shell(*line.split())
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1
    asked = line.split()[0]
    helps = f"fairvec {asked}" if asked in COMMANDS else "fairvec"
    assert f"'{helps} --help'" in answer.err


def choices_of(top: str) -> list[tuple[str, Any]]:
    """Return the options of a command that choose among words, with the name of the command."""
    found = []
    for name, command in commands(loaded(top), top):
        kinds = inspect.signature(command.callback).parameters
        for option in command.params:
            if option.name in kinds and "Literal" in str(kinds[option.name].annotation):
                found.append((name, option))
    return found


@pytest.mark.parametrize("top", COMMANDS)
def test_every_choice_names_its_words(shell: Shell, top: str) -> None:
    for name, option in choices_of(top):
        said = max(option.opts, key=len)
        given = ["x"] * sum(each.param_type_name == "argument" for each in loaded(top).params)
        answer = shell(*name.split(), *given, said, "no-such-word")
        assert answer.code == 2
        assert f"{said} is 'no-such-word'; it must be " in answer.err
        assert answer.err.count("\n") == 1


def test_every_number_says_that_it_is_one(shell: Shell) -> None:
    for found in OPTIONS:
        option: Any = found.values[1]
        kind = found.values[2]
        name = str(found.id).rpartition(" ")[0]
        said = max(option.opts, key=len)
        answer = shell(*name.split(), said, "much")
        assert answer.code == 2
        assert answer.err.count("\n") == 1
        number = "a whole number" if kind is int else "a number"
        assert f"{said} is 'much'; it must be {number}" in answer.err


@pytest.mark.parametrize("group", ["", "suites", "task", "models"])
def test_help_without_a_command_has_its_lines(shell: Shell, group: str) -> None:
    answer = shell(*group.split())
    text = answer.out + answer.err
    assert "\\u000a" not in text
    assert len(text.splitlines()) > 5


def test_the_laws_have_something_to_look_at() -> None:
    assert sum(len(choices_of(top)) for top in COMMANDS) > 30
    assert len(OPTIONS) > 20

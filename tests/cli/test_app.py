"""The command line as a whole: names, limits of numbers, usage errors."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from pkgutil import iter_modules
from typing import Annotated, Any

import click
import pytest
from click.testing import CliRunner

from fairvec.cli import commands
from fairvec.cli.app import COMMANDS, SECTIONS, load_command
from fairvec.cli.command import Context
from fairvec.cli.options import LARGEST, Argument, Seed, SettingType, Without, make_command
from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.settings import setting_fields
from fairvec.core.text import one_line
from fairvec.embedding import LOAD_DEFAULTS, LoadOptions
from fairvec.version import __version__
from tests.cli.conftest import Shell
from tests.loops import loop_over

# --- Commands are known by name and one line, and loaded when one of them is named ---


def homes(command: Any) -> set[str]:
    """Return the modules of a command, or of all commands below it."""
    below = getattr(command, "commands", None)
    if below is None:
        return {command.callback.__module__}
    return {home for each in below.values() for home in homes(each)}


@loop_over("name", COMMANDS)
def test_the_line_of_a_command_is_that_of_its_module(name: str) -> None:
    text = load_command(name).help or ""
    assert one_line(text.partition("\n\n")[0]) == COMMANDS[name][1]


@loop_over("name", COMMANDS)
def test_a_command_is_named_as_it_is_listed(shell: Shell, name: str) -> None:
    assert load_command(name).name == name
    answer = shell(*name.split(), "--help")
    assert answer.code == 0
    assert answer.out.startswith(f"Usage: fairvec {name} [OPTIONS]")


def test_every_module_of_commands_has_a_listed_command() -> None:
    there = {f"{commands.__name__}.{each.name}" for each in iter_modules(commands.__path__)}
    assert {home for name in COMMANDS for home in homes(load_command(name))} == there


def page_sections(page: str) -> dict[str, str]:
    """Return the text below each heading of a page of help."""
    found = re.split(r"^([A-Z][a-z ]+):\n", page, flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


def test_the_first_page_has_every_command_in_its_section(shell: Shell) -> None:
    sections = page_sections(shell("--help").out.partition("\n\n  Exit codes: ")[0])
    assert [*sections] == ["Options", *SECTIONS]
    for title, commands_of_section in SECTIONS.items():
        names = re.findall(r"^  ((?:[a-z-]+ )+) ", sections[title], re.MULTILINE)
        assert [name.strip() for name in names] == list(commands_of_section)


def test_the_first_page_cuts_no_line(shell: Shell) -> None:
    page = " ".join(shell("--help").out.split())
    # A line is broken after a hyphen too.
    assert [line for _, line in COMMANDS.values() if line not in page.replace("- ", "-")] == []


def pages_of(top: str) -> Iterator[list[str]]:
    """Yield the words that show each page of help of a command."""
    yield [*top.split(), "--help"]
    for below in getattr(load_command(top), "commands", ()):
        yield [top, below, "--help"]


@loop_over("columns", [80, 40])
@loop_over("top", ["", *COMMANDS])
def test_a_page_of_help_fits_the_terminal(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, top: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for words in pages_of(top) if top else [["--help"]]:
        page = shell(*words).out
        # What has no blank, as the name of an option, is not broken.
        long = [line for line in page.splitlines() if len(line) > columns and " " in line.strip()]
        assert long == []
        assert "\x1b" not in page


@loop_over("name", [name for name in COMMANDS if " " not in name])
def test_a_slip_in_a_name_is_answered_with_the_name(shell: Shell, name: str) -> None:
    answer = shell(name + "x")
    assert answer.code == 2
    assert f"no command named '{name}x'" in answer.err
    assert name in answer.err.partition("did you mean ")[2]


@pytest.mark.parametrize(
    ("line", "choices"),
    [
        ("fairvec ", {name for name in COMMANDS if " " not in name}),
        ("fairvec co", {"compare", "concepts", "convert"}),
        ("fairvec suites ", {"list", "show", "lint", "new", "needs"}),
        ("fairvec audit --sui", {"--suite"}),
    ],
)
def test_a_shell_completes_commands_and_their_options(line: str, choices: set[str]) -> None:
    words = line.split(" ")
    environment = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    program = "import sys; sys.argv[0] = 'fairvec'; from fairvec.cli import main; main()"
    answer = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | environment | {"_FAIRVEC_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert {each.removeprefix("plain,") for each in answer.stdout.split()} == choices, answer.stderr


@pytest.mark.parametrize("name", ["bash", "fish", "zsh"])
def test_each_shell_gets_what_completes_in_it(shell: Shell, name: str) -> None:
    answer = shell("--show-completion", name)
    assert (answer.code, answer.err) == (0, "")
    assert f"_FAIRVEC_COMPLETE={name}_complete" in answer.out


def test_the_package_can_be_run_where_the_command_is_not_on_the_path() -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "fairvec", "--version"], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == __version__


# --- Numbers without end are refused, whichever option has them


def commands_limits(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield a command, or all commands of a group, by name."""
    if not hasattr(command, "commands"):
        yield name, command
    for inner, each in getattr(command, "commands", {}).items():
        yield from commands_limits(each, f"{name} {inner}")


def numbers_of(command: Any) -> Iterator[tuple[Any, type]]:
    """Yield the options of a command that take a number, and of which type it is."""
    for option in command.params:
        if isinstance(option.type, SettingType) and option.type.setting.type in (int, float):
            yield option, option.type.setting.type


OPTIONS = [
    (name, command, option, kind)
    for top in COMMANDS
    for name, command in commands_limits(load_command(top), top)
    for option, kind in numbers_of(command)
]


def test_every_command_with_numbers_is_looked_at() -> None:
    assert len(OPTIONS) > 40
    names = {f"{name} {option.name}" for name, _, option, _ in OPTIONS}
    assert {"neighbours count", "audit samples", "suites needs draws"} <= names


@loop_over(("name", "command", "option", "kind"), OPTIONS)
def test_every_option_refuses_numbers_without_end(
    name: str, command: Any, option: Any, kind: type
) -> None:
    wrong: dict[type, list[float]] = {
        int: [LARGEST + 1, -LARGEST - 1, 10**20, 10**4000],
        float: [float("nan"), float("inf"), -float("inf")],
    }
    for number in wrong[kind]:
        with pytest.raises(SettingError, match=f"^{max(option.opts, key=len)} is ") as refused:
            option.type.convert(str(number), option, Context(command))
        assert len(str(refused.value)) < 500


@pytest.mark.parametrize("text", ["9" * 20, "9" * 5000, "-1", "0", "nan", "inf", "1e3", "x", ""])
def test_a_count_of_neighbours_may_be_anything(text: str, shell: Shell, model_file: Path) -> None:
    answer = shell("neighbours", model_file, "office", f"--count={text}")
    assert answer.code == 2
    assert "Traceback" not in answer.err
    assert "fault of fairvec" not in answer.err


def test_more_neighbours_than_there_are_words_are_refused(shell: Shell, model_file: Path) -> None:
    answer = shell("neighbours", model_file, "office", "--count", LARGEST)
    assert answer.code == 2
    assert "There are fewer than 1000000000000 points" in answer.err


@pytest.mark.parametrize(
    "text", ["x=" + "[" * 100_000, "x=NaN", "strength=1e999", "strength=" + "9" * 5000, "="]
)
def test_a_setting_may_be_anything(text: str, shell: Shell, model_file: Path) -> None:
    out = model_file.with_name("out.vec")
    named = ("--concept", "en/gender", "--method", "hard")  # so that the model is not read first
    answer = shell("debias", model_file, *named, "-o", out, "--set", text)
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert len(answer.err) < 1000
    assert not out.exists()


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999"])
@pytest.mark.parametrize("option", ["--min-coverage", "--curvature"])
def test_shares_and_curvatures_are_finite(
    option: str, text: str, shell: Shell, model_file: Path, suite_file: Path
) -> None:
    answer = shell("audit", model_file, "--suite", suite_file, f"{option}={text}")
    assert answer.code == 2
    assert answer.err.startswith(f"error: {option} is ")


def test_so_many_processes_are_not_started(shell: Shell, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.touch()
    answer = shell("study", plan, "-o", tmp_path / "out", "--jobs", "1025")
    assert answer.code == 2
    assert "--jobs" in answer.err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["audit", "MODEL", "-o", ""], "--output"),
        (["audit", "MODEL", "--output="], "--output"),
        (["audit", ""], "MODELS"),
        (["check", "run", "--fail-if", "p < 1", "--junit", ""], "--junit"),
        (["check", "", "--fail-if", "p < 1"], "FOLDER"),
        (["compare", "run", ""], "AFTER"),
        (["report", "run", "-o", ""], "--output"),
        (["convert", "MODEL", ""], "FILE"),
    ],
    ids=range(8),
)
def test_an_empty_name_is_not_the_folder_one_stands_in(
    words: list[str], named: str, shell: Shell, model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(model_file.parent)
    before = sorted(model_file.parent.iterdir())
    answer = shell(*(str(model_file) if word == "MODEL" else word for word in words))
    assert answer.code == 2
    assert answer.err == f"error: {named} is empty; say which one is meant, or leave it out.\n"
    assert sorted(model_file.parent.iterdir()) == before


# --- A slip in a command is answered in one sentence with what is wrong and what is meant ---


@loop_over(
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
    command = line.split()[0]
    helps = f"fairvec {command}" if command in COMMANDS else "fairvec"
    assert f"'{helps} --help'" in answer.err


def test_no_text_of_click_is_read(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click.UsageError, "format_message", lambda error: "Etwas ist falsch.")
    for line, says in [
        ("audit m --seed", "--seed needs a value"),
        ("audit m --json=3", "--json takes no value"),
        ("explore m --no-browser=3", "--no-browser takes no value"),
        ("neighbours m", "WORDS is missing"),
        ("convert a b c d", "'c d' is too much; 'fairvec convert MODEL FILE' takes no more"),
        ("neighbours m x --coun 3", "named '--coun'; did you mean --count?"),
    ]:
        assert says in shell(*line.split()).err


def choices_of(top: str) -> list[tuple[str, Any]]:
    """Return the options of a command that choose among words, with the name of the command."""
    return [
        (name, option)
        for name, command in commands_limits(load_command(top), top)
        for option in command.params
        if isinstance(option.type, SettingType) and option.type.setting.choices
    ]


@loop_over("top", COMMANDS)
def test_every_choice_names_its_words(shell: Shell, top: str) -> None:
    for name, option in choices_of(top):
        option_name = max(option.opts, key=len)
        given = ["x"] * sum(each.param_type_name == "argument" for each in load_command(top).params)
        answer = shell(*name.split(), *given, option_name, "no-such-word")
        assert answer.code == 2
        assert f"{option_name} is 'no-such-word'; it must be " in answer.err
        assert answer.err.count("\n") == 1


def test_every_number_says_that_it_is_one(shell: Shell) -> None:
    for name, _, option, kind in OPTIONS:
        option_name = max(option.opts, key=len)
        answer = shell(*name.split(), option_name, "much")
        assert answer.code == 2
        assert answer.err.count("\n") == 1
        number = "a whole number" if kind is int else "a number"
        assert f"{option_name} is 'much'; it must be {number}" in answer.err


@pytest.mark.parametrize("group", ["", "suites", "task", "models"])
def test_help_without_a_command_has_its_lines(shell: Shell, group: str) -> None:
    answer = shell(*group.split())
    text = answer.out + answer.err
    assert "\\u000a" not in text
    assert len(text.splitlines()) > 5


def test_the_laws_have_something_to_look_at() -> None:
    assert sum(len(choices_of(top)) for top in COMMANDS) > 30
    assert len(OPTIONS) > 20


# --- Slips of newcomers: arguments swapped, or a thing of one kind where another is wanted ---


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("neighbours office MODEL", "MODEL is a model and office is none: the model comes first"),
        ("neighbours office glove-hi-small", "glove-hi-small is a model and office is none"),
        ("analogy man woman office MODEL", "MODEL is a model and man is none"),
        ("benchmarks ask men MODEL", "MODEL is a model and men is none"),
        ("audit SUITE", "a file of lists: name it after an option"),
        ("audit MODEL SUITE", "a file of lists: name it after an option"),
        ("audit RUN", "'fairvec report RUN' shows it"),
        ("report MODEL", "MODEL is no run; make one with 'fairvec audit MODEL -o FOLDER'"),
        ("check MODEL --fail-if p<1", "make one with 'fairvec audit MODEL -o FOLDER'"),
        ("report SUITE", "SUITE is no run"),
        ("suites lint no-such.toml", "no such file or directory); check its path"),
        ("study no-such.toml -o out", "no such file or directory); check its path"),
        ("benchmarks ask MODEL no-such.csv", "no such file or directory); check its path"),
        ("help", "did you mean --help?"),
        ("version", "did you mean --version?"),
    ],
)
def test_a_slip_is_answered_with_what_was_meant(
    shell: Shell, model_file: Path, suite_file: Path, tmp_path: Path, line: str, says: str
) -> None:
    names = {"MODEL": str(model_file), "SUITE": str(suite_file), "RUN": str(tmp_path / "run")}
    if "RUN" in line:
        assert shell("audit", model_file, "-s", suite_file, "-o", tmp_path / "run").code == 0
    for name, place in names.items():
        says = says.replace(name, place)
    answer = shell(*(names.get(word, word) for word in line.split()))
    assert answer.code == 2
    assert says in answer.err
    assert "Traceback" not in answer.err


def test_two_words_without_a_model_are_refused_as_an_unknown_model(shell: Shell) -> None:
    answer = shell("neighbours", "office", "home")
    assert answer.code == 2
    assert "There is no file or model named 'office'" in answer.err


# --- Options of reading: the shell, load and the object have the same ones ---


OTHERS: dict[str, Any] = {
    "geometry": "poincare",
    "curvature": 0.5,
    "outside": "project",
    "vectors": "context",
    "format": "glove-text",
    "language": ["hi", "en"],
    "invalid_utf8": "replace",
    "vocabulary": "words.txt",
}
READING = [setting.name for setting in setting_fields(LoadOptions)]
assert [*OTHERS] == READING
SUBSETS = [each for size in (0, 1, 2, len(READING)) for each in combinations(READING, size)]


@loop_over("given", SUBSETS)
def test_options_arrive_at_the_command(given: tuple[str, ...]) -> None:
    calls: list[tuple[str, LoadOptions, int]] = []

    def command(
        model: Annotated[str, Argument(help="A file.")],
        reading: LoadOptions = LOAD_DEFAULTS,
        seed: Seed = 0,
    ) -> None:
        calls.append((model, reading, seed))

    chosen_options = [(name, OTHERS[name]) for name in given]
    words = [
        text
        for name, value in chosen_options
        for one in (value if isinstance(value, list) else [value])
        for text in (f"--{name.replace('_', '-')}", str(one))
    ]
    answer = CliRunner().invoke(make_command("one", command), ["a.vec", *words, "--seed", "3"])
    assert answer.exit_code == 0, answer.output
    assert calls == [("a.vec", LoadOptions(**dict(chosen_options)), 3)]


def test_an_option_left_out_is_unknown_and_as_found() -> None:
    calls: list[LoadOptions] = []

    def command(
        reading: Annotated[LoadOptions, Without("vectors", "language")] = LOAD_DEFAULTS,
    ) -> None:
        calls.append(reading)

    one = make_command("one", command)
    refused = CliRunner().invoke(one, ["--vectors", "context"])
    assert isinstance(refused.exception, UnknownNameError)
    assert CliRunner().invoke(one, ["--curvature", "2"]).exit_code == 0
    assert calls == [LoadOptions(curvature=2.0)]

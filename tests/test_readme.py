"""What README shows must run as it stands, and every command of the pages can be read."""

import re
import shlex
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

from fairvec.cli.app import loaded
from scripts.site.links import pages, tokens

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


def test_the_python_tour_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tour,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(tour, {})
    assert "d = +" in capsys.readouterr().out
    assert (tmp_path / "runs/tour/report.html").exists()


def test_nothing_is_left_to_fill_in() -> None:
    assert re.findall(r"@[A-Z]+@|TODO", README.read_text(encoding="utf-8")) == []


COMMAND = re.compile(r"^ *(?:\$ |- )?fairvec (?!/)", re.MULTILINE)
SET = re.compile(r'^(\w+)="(.*)"$', re.MULTILINE)
OF_THE_SHELL = re.compile(r"[|&>]|2>")
command_of = cache(loaded)
PAGES = {
    page.relative_to(ROOT).as_posix(): text
    for page in pages(ROOT)
    if COMMAND.search(text := page.read_text(encoding="utf-8"))
}


def shown_commands(text: str) -> list[list[str]]:
    """Return the words of each command in the code of a page, up to what the shell itself reads."""
    found = []
    for token in tokens(text):
        if token.type not in {"fence", "code_block"}:
            continue
        code = token.content.replace("\\\n", " ")
        for name, value in SET.findall(code):
            code = code.replace(f"${name} ", f"{value} ")
        for line in map(str.strip, code.splitlines()):
            if COMMAND.match(line):
                words = shlex.split(line.removeprefix("$ ").removeprefix("- "), comments=True)
                found.append([*takewhile(lambda word: not OF_THE_SHELL.match(word), words[1:])])
    return found


def read(words: list[str]) -> None:
    """Have a command read its words, and do nothing."""
    context = command_of(words[0]).make_context(words[0], words[1:])
    if hasattr(context.command, "resolve_command"):
        rest = [*context._protected_args, *context.args]
        name, command, rest = context.command.resolve_command(context, rest)
        command.make_context(name, rest, parent=context)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_shown_can_be_read(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs").mkdir()
    monkeypatch.chdir(tmp_path)
    for words in shown_commands(PAGES[page]):
        read(words)


def test_a_command_that_cannot_be_read_is_noticed() -> None:
    page = """```sh
OFTEN="--method hard"
$ fairvec debias a.vec --concept en/gender $OFTEN \\
    -o b 2> log  # as in a pipeline
```"""
    (words,) = shown_commands(page)
    assert words == shlex.split("debias a.vec --concept en/gender --method hard -o b")
    read(words)
    slips = {"missing": ["debias"], "--strenght": [*words, "--strenght", "1"]}
    for said, wrong in {**slips, "lnit": ["suites", "lnit", "a.toml"]}.items():
        with pytest.raises(Exception, match=said):
            read(wrong)

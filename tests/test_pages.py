import ast
import csv
import re
import shlex
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

import fairvec
from fairvec.cli.app import COMMANDS, loaded
from fairvec.cli.commands.study import app
from fairvec.documents.check import check_documents
from fairvec.documents.read import read_documents
from fairvec.lexicon import shipped_concepts, shipped_suites
from fairvec.metrics import METRICS
from fairvec.mitigation import DEBIASERS, GUARANTEES
from fairvec.results import DOCUMENT_COLUMNS, MEASURES
from fairvec.tasks.sentiment.classifiers import NETWORKS
from scripts.site.links import pages, tokens

# --- What pages name exists: the options of commands, and what their Python imports ---


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


# --- What README shows must run as it stands, and every command of the pages can be read ---


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
PAGES_README = {
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


@pytest.mark.parametrize("page", PAGES_README)
def test_every_command_shown_can_be_read(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs").mkdir()
    monkeypatch.chdir(tmp_path)
    for words in shown_commands(PAGES_README[page]):
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


# --- What docs/metrics.md shows must run as it stands, and name every metric ---


PAGE = (Path(__file__).parents[1] / "docs" / "metrics.md").read_text(encoding="utf-8")


def test_the_example_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    asked = [(outcome.status, outcome.metric) for outcome in names["outcomes"]]
    assert asked == [("described", "signed-direct-bias"), ("described", "direct-bias")]


def test_every_metric_is_named() -> None:
    sections = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    named = {*re.findall(r"`([a-z-]+)`", PAGE), *(section.lower() for section in sections)}
    assert {one.name for one in METRICS} <= named


# --- What docs/debiasing.md shows must run as it stands, and name every method and concept ---


PAGE_METHODS = (Path(__file__).parents[1] / "docs" / "debiasing.md").read_text(encoding="utf-8")


def test_the_examples_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = re.findall(r"```python\n(.*?)```", PAGE_METHODS, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FAIRVEC_DATA", raising=False)
    names: dict[str, object] = {}
    exec(first, names)
    exec(second, names)
    left = {path.name for path in (tmp_path / "fair.fairvec.run").iterdir()}
    assert left == {"report.html", "results.jsonl", "transform.safetensors"}
    assert "debias method=lpsg concept=hi/gender:pairs" in capsys.readouterr().out


def test_every_method_guarantee_concept_and_variant_is_named() -> None:
    named = [*(method.name for method in DEBIASERS), *GUARANTEES]
    for concept in shipped_concepts():
        named += [concept.id, *concept.variants, *concept.keep]
    assert [name for name in named if f"`{name}`" not in PAGE_METHODS] == []


# --- What docs/tasks.md shows must run as it stands, and name every network and option ---


PAGE_SENTIMENT = (Path(__file__).parents[1] / "docs" / "tasks.md").read_text(encoding="utf-8")

GOOD, BAD = ("happy", "love", "peace", "joy", "gift"), ("war", "hate", "evil", "ugly", "pain")


def test_the_python_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    (shown,) = re.findall(r"```python\n(.*?)```", PAGE_SENTIMENT, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    with Path("reviews.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        writer.writerows((f"the {word} family", "1") for word in GOOD)
        writer.writerows((f"the {word} family", "0") for word in BAD)
    names: dict[str, object] = {}
    exec(shown, names)
    outcomes = getattr(names["found"], "outcomes", ())
    assert len([one for one in outcomes if one.test.use]) == 7


def test_every_network_and_option_of_the_page_exists() -> None:
    for network in NETWORKS:
        assert f"**{network.name}**" in PAGE_SENTIMENT
    params = get_command(app).params
    options = {name for each in params for name in (*each.opts, *each.secondary_opts)}
    options |= {"--task", "--task-network", "--set"}
    assert {*re.findall(r"--[a-z]+(?:-[a-z]+)*", PAGE_SENTIMENT)} <= options


# --- The page about documents says what is so ---


PAGE_DOCUMENTS = (Path(__file__).parents[1] / "docs" / "documents.md").read_text(encoding="utf-8")
TEXTS = Path(__file__).parent / "documents" / "texts"


def test_every_column_and_measure_is_named() -> None:
    for name in (*DOCUMENT_COLUMNS, *MEASURES):
        assert re.search(rf"\b{name}\b", PAGE_DOCUMENTS), name


@pytest.mark.parametrize(
    ("file", "model"),
    [
        ("advert.txt", "glove-en-small"),
        ("school.hi.txt", "glove-hi-small"),
        ("town.ru.txt", "navec-ru-small"),
    ],
)
def test_the_figures_of_the_three_texts_are_those_of_a_run(file: str, model: str) -> None:
    judged = check_documents(read_documents(TEXTS / file), model=fairvec.load(model))
    found = {
        one.measure: one
        for one in judged.documents[0].figures
        if one.what == "all" and one.measure != "coded"
    }
    mentions, near, leaning = found["mentions"], found["near-overall"], found["leaning"]
    assert mentions.interval is not None
    cells = [
        f"`{file}` ({model})",
        f"{mentions.count_a}, {mentions.count_b}",
        f"{mentions.value:.0%}".replace("%", " %"),
        f"{mentions.interval.low * 100:.0f} to {mentions.interval.high * 100:.0f} %",
        f"{mentions.p:.2f}",
        f"{near.value:.2f}, {near.neutral:.2f}",
        f"{leaning.value:+.3f}, {leaning.neutral:+.3f}",
    ]
    assert f"| {' | '.join(cells)} |" in PAGE_DOCUMENTS


# --- docs/suites.md has a row for every shipped suite ---


PAGE_SUITES = (Path(__file__).parents[1] / "docs" / "suites.md").read_text(encoding="utf-8")


def test_every_shipped_suite_has_a_row() -> None:
    for suite in shipped_suites():
        assert f"\n| `{suite.id}` | " in PAGE_SUITES, suite.id

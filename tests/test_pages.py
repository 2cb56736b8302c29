"""What the pages and README show exists and runs."""

import ast
import builtins
import csv
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any, get_args

import click
import pytest

import fairvec
from fairvec.cli.app import COMMANDS, app, load_command
from fairvec.documents.check import check_documents
from fairvec.documents.lint import rules
from fairvec.documents.read import read_documents
from fairvec.languages.language import languages_with
from fairvec.lexicon import shipped_concepts, shipped_suites
from fairvec.metrics import METRICS
from fairvec.mitigation import DEBIASERS, GUARANTEES
from fairvec.results.documents import DOCUMENT_COLUMNS, MEASURES
from fairvec.results.reproduction import Grade
from fairvec.tasks.sentiment.classifiers import NETWORKS
from scripts.site.links import pages, tokens
from tests.loops import loop_over

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
    "every command": {"--help"},
}


def options_of(command: click.Command) -> Iterator[str]:
    """Yield what a command and those below it may be given."""
    for parameter in command.params:
        yield from (*parameter.opts, *parameter.secondary_opts)
    for below in getattr(command, "commands", {}).values():
        yield from options_of(below)


def test_every_option_that_a_sentence_names_exists() -> None:
    known = set().union(*OF_OTHER_PROGRAMS.values())
    known.update(options_of(app))
    known.update(option for name in COMMANDS for option in options_of(load_command(name)))
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


@loop_over("page", WITH_PYTHON)
def test_every_name_that_a_page_imports_exists(page: str) -> None:
    programs = (each.content for each in PAGES[page] if each.info == "python")
    for module, name in (pair for program in programs for pair in imported(program)):
        if not hasattr(import_module(module), name):
            import_module(f"{module}.{name}")


IDENTIFIER = re.compile(r"([A-Za-z_][\w.]*\w)(?:\(.*\))?")
FILE = re.compile(
    r"\.(bin|css|csv|gz|html|js|json|jsonl|kv|md|model|npy|npz|onnx|pkl|pt|pth|py|safetensors|svg|tex"
    r"|toml|txt|vec|vocab|xml|yml|zip|zst)$"
)
NAMES_OF_OTHERS = {
    "Python": {"fairvec.languages.__path__", "warnings.simplefilter"},
    "pydantic": {"Field"},
    "scikit-learn": {"check_estimator", "pipeline.fit"},
    "gensim": {"PoincareModel", "Vocab", "Word2Vec", "max_final_vocab", "restrict_vocab"},
    "torch and transformers": {"nn.Embedding", "trust_remote_code"},
    "keras": {"pad_sequences"},
    "pandas": {"DataFrame", "NA"},
    "HTTP": {"Host"},
    "keys of models": {"Athens", "He", "registered_nurse", "woman_NN", "woman_NOUN"},
    "placeholders": {"PORT", "TOKEN"},
    "data": {"enwiki_half_aa", "enwiki_half_ab", "enwiki_part1"},
}


def defined_names() -> set[str]:
    """Return the modules, functions, classes, parameters, fields and names of settings of ours."""
    names = set[str]()
    for folder in ("src", "scripts", "fuzz", "tests/mitigation"):
        for file in (ROOT / folder).rglob("*.py"):
            names.update(file.relative_to(ROOT).with_suffix("").parts)
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                match node:
                    case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                        names.add(name)
                    case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                        names.add(name)
                    case ast.Attribute(attr=name, ctx=ast.Store()):
                        names.add(name)
                    case ast.Constant(value=str() as name):
                        names.add(name)
    return names


def names_in(page: str) -> Iterator[str]:
    """Yield the code of a page's sentences that reads as a name of Python, and no file's."""
    for part in PAGES[page]:
        found = IDENTIFIER.fullmatch(part.content) if part.type == "code_inline" else None
        if found and re.search(r"[A-Z_.(]", found[0]) and not FILE.search(found[0]):
            yield found[1]


def test_every_name_that_a_sentence_gives_in_code_exists() -> None:
    ours = defined_names() | set(dir(builtins))
    others = set().union(*NAMES_OF_OTHERS.values())
    others |= {rule.id for code in languages_with("rewrites") for rule in rules(code)}
    gone = {
        f"{page}: {name}"
        for page in PAGES
        if page != "CHANGELOG.md"  # tells what was there
        for name in names_in(page)
        if name not in others and not {*name.split(".")} <= ours
    }
    assert gone == set()


def test_every_dotted_name_of_fairvec_in_a_sentence_resolves() -> None:
    dotted = {
        name
        for page in PAGES
        if page != "CHANGELOG.md"
        for part in PAGES[page]
        if part.type == "code_inline"
        for name in re.findall(r"(?<![\w./-])fairvec(?:\.\w+)+", part.content)
        if not FILE.search(name)
    }
    assert len(dotted) > 40
    for name in sorted(dotted):
        place: Any = fairvec
        for at, step in enumerate(name.split(".")[1:], 2):
            if not hasattr(place, step):
                import_module(".".join(name.split(".")[:at]))
            place = getattr(place, step)


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


def test_no_placeholder_is_left() -> None:
    assert re.findall(r"@[A-Z]+@|TODO", README.read_text(encoding="utf-8")) == []


COMMAND = re.compile(r"^ *(?:\$ |- )?fairvec (?!/)", re.MULTILINE)
SET = re.compile(r'^(\w+)="(.*)"$', re.MULTILINE)
OF_THE_SHELL = re.compile(r"[|&>]|2>")
PAGES_README = {
    page.relative_to(ROOT).as_posix(): text
    for page in pages(ROOT)
    if COMMAND.search(text := page.read_text(encoding="utf-8"))
}


def commands_of(text: str) -> list[list[str]]:
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
    context = app.make_context("fairvec", [*words])
    while isinstance(context.command, click.Group):
        rest = [*context._protected_args, *context.args]
        name, command, rest = context.command.resolve_command(context, rest)
        assert command is not None
        context = command.make_context(name, rest, parent=context)


@pytest.mark.parametrize("page", PAGES_README)
def test_every_command_of_a_page_parses(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs").mkdir()
    monkeypatch.chdir(tmp_path)
    for words in commands_of(PAGES_README[page]):
        read(words)


def test_a_command_that_cannot_be_read_is_noticed() -> None:
    page = """```sh
OFTEN="--method hard"
$ fairvec debias a.vec --concept en/gender $OFTEN \\
    -o b 2> log  # as in a pipeline
```"""
    (words,) = commands_of(page)
    assert words == shlex.split("debias a.vec --concept en/gender --method hard -o b")
    read(words)
    slips = {"missing": ["debias"], "--strenght": [*words, "--strenght", "1"]}
    for slip, wrong in {**slips, "lnit": ["suites", "lnit", "a.toml"]}.items():
        with pytest.raises(Exception, match=slip):
            read(wrong)


# --- What docs/metrics.md shows must run as it stands, and name every metric ---


PAGE = (Path(__file__).parents[1] / "docs" / "metrics.md").read_text(encoding="utf-8")


def test_the_example_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    outcomes = [(outcome.status, outcome.metric) for outcome in names["outcomes"]]
    assert outcomes == [("described", "signed-direct-bias"), ("described", "direct-bias")]


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
    files = {path.name for path in (tmp_path / "fair.fairvec.run").iterdir()}
    assert files == {"report.html", "results.jsonl", "transform.safetensors"}
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
    (example,) = re.findall(r"```python\n(.*?)```", PAGE_SENTIMENT, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    with Path("reviews.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        writer.writerows((f"the {word} family", "1") for word in GOOD)
        writer.writerows((f"the {word} family", "0") for word in BAD)
    names: dict[str, object] = {}
    exec(example, names)
    outcomes = getattr(names["found"], "outcomes", ())
    assert len([one for one in outcomes if one.test.use]) == 7


def test_every_network_and_option_of_the_page_exists() -> None:
    for network in NETWORKS:
        assert f"**{network.name}**" in PAGE_SENTIMENT
    task = load_command("task")
    assert isinstance(task, click.Group)
    params = task.commands["sentiment"].params
    options = {name for each in params for name in (*each.opts, *each.secondary_opts)}
    options |= {"--task", "--task-network", "--set"}
    assert {*re.findall(r"--[a-z]+(?:-[a-z]+)*", PAGE_SENTIMENT)} <= options


# --- The page about reproductions has a row for each grade ---


def test_every_grade_of_a_figure_has_a_row_and_no_other_has() -> None:
    page = (Path(__file__).parents[1] / "docs" / "reproduction.md").read_text(encoding="utf-8")
    table = page.partition("## The grades\n\n")[2].partition("\n\n")[0]
    assert tuple(re.findall(r"^\| ([^|]*) \|", table, re.MULTILINE)[1:]) == get_args(Grade)


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

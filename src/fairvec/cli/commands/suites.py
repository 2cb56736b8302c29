"""fairvec suites: the word lists."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from fairvec.cli.commands.suites_needs import needs
from fairvec.cli.console import answer, lay_out
from fairvec.cli.findings import Waived, tell
from fairvec.cli.new_files import write_new_file
from fairvec.cli.opening import opened
from fairvec.embedding import Embedding
from fairvec.ground.numbers import counted
from fairvec.lexicon import Suite, Test, WordSet, resolve, scaffold, select, shipped_suites
from fairvec.lexicon import lint as findings_of

app = typer.Typer(help="Word lists: list, show, lint, or write your own.", no_args_is_help=True)
app.command()(needs)


@app.command("list")
def list_suites() -> None:
    """List the shipped suites."""
    table = Table("id", "language", "tests", "title", box=None, header_style="bold")
    for suite in shipped_suites():
        table.add_row(suite.id, suite.language, str(len(suite.tests)), suite.title)
    lay_out(table)


@app.command()
def show(
    suite: Annotated[str, typer.Argument(help="Suite, test or language id, or a TOML file.")],
) -> None:
    """Print a suite: its source, its tests and their words."""
    for shown, tests in _by_suite([suite]):
        answer(f"{shown.id} {shown.version} ({shown.language}): {shown.title}")
        answer(f"source: {shown.source}\nlicence: {shown.licence}")
        if shown.notes:
            answer(f"notes: {shown.notes.strip()}")
        for test in tests:
            answer(f"\n{test.id} [{test.category}, {test.kind}]: {test.title}")
            answer(f"  positive: {test.positive_means}")
            for role, wordset in test.sets.items():
                answer(_words(role, wordset))


@app.command()
def lint(
    suites: Annotated[
        list[str] | None, typer.Argument(help="Suites or TOML files; default: all shipped.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Also say which words this model does not know.")
    ] = None,
    waived: Waived = False,
) -> None:
    """Look for mistakes in word lists; exit with 1 if a finding is not waived with a reason."""
    chosen = _by_suite(suites or [suite.id for suite in shipped_suites()])
    embedding = opened(model) if model else None
    findings = [(suite.id, finding) for suite, _ in chosen for finding in findings_of(suite)]
    unwaived = tell(findings, counted(len(chosen), "suite"), waived=waived)
    if embedding:
        _say_coverage(chosen, embedding)
    raise typer.Exit(1 if unwaived else 0)


@app.command()
def new(
    file: Annotated[Path, typer.Argument(help="The TOML file to write, e.g. my-lists.toml.")],
    language: Annotated[str, typer.Option(help="ISO 639-1 code of the words.")] = "en",
) -> None:
    """Write a commented suite file to fill in with your own lists."""
    lint = f"  fairvec suites lint {file} --model MODEL"
    audit = f"  fairvec audit MODEL --suite {file}"
    write_new_file(file, "suite", lambda: scaffold(file.stem, language), lint, audit)


def _by_suite(selectors: list[str]) -> list[tuple[Suite, list[Test]]]:
    chosen: dict[str, tuple[Suite, list[Test]]] = {}
    for each in select(selectors):
        chosen.setdefault(each.suite.id, (each.suite, []))[1].append(each.test)
    return list(chosen.values())


def _words(role: str, wordset: WordSet) -> str:
    """Return one list as text; a sensitive one opens with its reason."""
    words = ", ".join(
        word.word + (f" ({word.transliteration}, {word.gloss})" if word.gloss else "")
        for word in wordset.words
    )
    context = f"    (sensitive: {wordset.sensitive_reason})\n" if wordset.sensitive else ""
    return f"  {role}: {wordset.title}, {counted(len(wordset.words), 'word')}\n{context}    {words}"


def _say_coverage(chosen: list[tuple[Suite, list[Test]]], embedding: Embedding) -> None:
    for _, tests in chosen:
        for test in tests:
            for group in resolve(test, embedding).groups.values():
                missing = ", ".join(missing.word.word for missing in group.missing)
                merged = ", ".join(found.word.word for found in group.merged)
                answer(
                    f"{test.id} {group.role} ({group.wordset.title}): "
                    f"{len(group.found)} of {len(group.wordset.words)} found"
                    + (f"; missing: {missing}" if missing else "")
                    + (f"; counted once: {merged}" if merged else "")
                )

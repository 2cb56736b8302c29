"""fairvec suites: the word lists."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from fairvec.cli import options
from fairvec.cli.console import print_answer, print_note, print_table, progress_bar
from fairvec.cli.lists import Waived, print_findings, write_new_file
from fairvec.cli.models import load_model
from fairvec.cli.options import reads_a_model
from fairvec.core.format import format_number, format_p, format_signed, pluralize
from fairvec.core.text import escape_control
from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.languages.words import WordSet
from fairvec.lexicon import Suite, Test, new_suite, resolve, select_tests, shipped_suites
from fairvec.lexicon import lint_suite as findings_of

if TYPE_CHECKING:
    from fairvec.experiments.sample_size import DrawnLists, ListsNeeded, WordsNeeded


# fairvec suites needs: how many words a test needs on a model.


@reads_a_model(without=("invalid_utf8",))
def needs(
    test: Annotated[str, typer.Argument(help="One test, as in caliskan2017/weat-6.")],
    model: Annotated[str, typer.Option(help="A file, or a name of 'fairvec models list'.")],
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--list",
            help="Which lists vary: targets, attributes, x, y, a or b; may be repeated. Default: "
            "targets, then attributes.",
        ),
    ] = None,
    longest: Annotated[int, typer.Option(min=2, help="The longest lists to try.")] = 200,
    draws: Annotated[int, typer.Option(min=40, help="Random lists of each length.")] = 200,
    power: Annotated[float, typer.Option(help="Share of lists that shall be significant.")] = 0.8,
    within: Annotated[
        float, typer.Option(help="Margin within which 95 % of effects shall lie.")
    ] = 0.2,
    similarity: Annotated[
        str | None, typer.Option(help="As in 'fairvec audit'; default: the geometry's own.")
    ] = None,
    convention: Annotated[str, typer.Option(help="Effect size, as in 'fairvec audit'.")] = (
        "caliskan"
    ),
    min_coverage: Annotated[
        float, typer.Option(help="Refuse when less than this share of a list is found.")
    ] = 0.5,
    seed: options.Seed = 0,
    reading: Reading = AS_FOUND,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record as JSON.")] = False,
) -> None:
    """Say how many words a test needs: how certainty grows with the length of its lists.

    Sub-lists are drawn from the lists at hand and share words, so that they agree more than lists
    written anew; new lists are a model, drawn with replacement.
    """
    # Here and not above: the lists are shown without statistics.
    from fairvec.experiments.audit.test_words import composed_note, oov_test_words
    from fairvec.experiments.sample_size import words_needed

    embedding = load_model(model, reading, unseen=oov_test_words(test, reading.language))
    if note := composed_note(embedding):
        print_note(note)
    with progress_bar("drawing lists") as progress:
        found = words_needed(
            embedding,
            test,
            lists=lists or ("targets", "attributes"),
            longest=longest,
            draws=draws,
            power=power,
            within=within,
            similarity=similarity,
            convention=convention,
            smallest_coverage=min_coverage,
            seed=seed,
            progress=progress,
        )
    if as_json:
        print_answer(found.model_dump_json())
        return
    if found.test.sensitive:
        print_note(f"Sensitive: {found.test.sensitive}")
    print_answer(_heading(found))
    for each in found.lists:
        print_table(_table(each))
    print_answer(found.sentence)


def _heading(found: "WordsNeeded") -> str:
    from fairvec.messages.figures import format_interval  # here: a list of suites has no results

    interval = f" ({format_interval(found.interval)})" if found.interval else ""
    asked = escape_control(f"{found.test.id} on {found.model.name}", but="")
    return f"{asked}: d {format_signed(found.effect)}{interval}, p {format_p(found.p)}"


def _table(lists: "ListsNeeded") -> Table:
    """Return a line for each length; of lists longer than those at hand a + says so."""
    names = ", ".join(f"{role} {size}" for role, size in zip(lists.roles, lists.own, strict=True))
    shown = ("significant", "other sign", "d")
    columns = [f"{kind}: {what}" for kind in ("sub-lists", "new lists") for what in shown]
    table = Table(f"words ({names} here)", *columns, box=None, header_style="bold")
    for point in lists.lengths:
        beyond = "+" if point.words > max(lists.own) else ""
        table.add_row(f"{point.words}{beyond}", *_cells(point.sublists), *_cells(point.new))
    return table


def _cells(lists: "DrawnLists | None") -> tuple[str, str, str]:
    if lists is None:
        return "", "", ""
    known = lists.low is not None and lists.high is not None
    between = (
        f"{format_number(lists.low or 0)} to {format_number(lists.high or 0)}" if known else ""
    )
    return f"{lists.significant:.0%}", f"{lists.opposite:.0%}", between


app = typer.Typer(help="Word lists: list, show, lint, or write your own.", no_args_is_help=True)
app.command()(needs)


@app.command("list")
def list_suites() -> None:
    """List the shipped suites."""
    table = Table("id", "language", "tests", "title", box=None, header_style="bold")
    for suite in shipped_suites():
        table.add_row(suite.id, suite.language, str(len(suite.tests)), suite.title)
    print_table(table)


@app.command()
def show(
    suite: Annotated[str, typer.Argument(help="Suite, test or language id, or a TOML file.")],
) -> None:
    """Print a suite: its source, its tests and their words."""
    for shown, tests in _by_suite([suite]):
        print_answer(f"{shown.id} {shown.version} ({shown.language}): {shown.title}")
        print_answer(f"source: {shown.source}\nlicence: {shown.licence}")
        if shown.notes:
            print_answer(f"notes: {shown.notes.strip()}")
        for test in tests:
            print_answer(f"\n{test.id} [{test.category}, {test.kind}]: {test.title}")
            print_answer(f"  positive: {test.positive_means}")
            for role, wordset in test.sets.items():
                print_answer(_words(role, wordset))


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
    embedding = load_model(model) if model else None
    findings = [(suite.id, finding) for suite, _ in chosen for finding in findings_of(suite)]
    unwaived = print_findings(findings, pluralize(len(chosen), "suite"), waived=waived)
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
    write_new_file(file, "suite", lambda: new_suite(file.stem, language), lint, audit)


def _by_suite(selectors: list[str]) -> list[tuple[Suite, list[Test]]]:
    chosen: dict[str, tuple[Suite, list[Test]]] = {}
    for each in select_tests(selectors):
        chosen.setdefault(each.suite.id, (each.suite, []))[1].append(each.test)
    return list(chosen.values())


def _words(role: str, wordset: WordSet) -> str:
    """Return one list as text; a sensitive one opens with its reason."""
    words = ", ".join(
        word.word + (f" ({word.transliteration}, {word.gloss})" if word.gloss else "")
        for word in wordset.words
    )
    context = f"    (sensitive: {wordset.sensitive_reason})\n" if wordset.sensitive else ""
    return (
        f"  {role}: {wordset.title}, {pluralize(len(wordset.words), 'word')}\n{context}    {words}"
    )


def _say_coverage(chosen: list[tuple[Suite, list[Test]]], embedding: Embedding) -> None:
    for _, tests in chosen:
        for test in tests:
            for group in resolve(test, embedding).groups.values():
                missing = ", ".join(missing.word.word for missing in group.missing)
                merged = ", ".join(found.word.word for found in group.merged)
                print_answer(
                    f"{test.id} {group.role} ({group.wordset.title}): "
                    f"{len(group.found)} of {len(group.wordset.words)} found"
                    + (f"; missing: {missing}" if missing else "")
                    + (f"; counted once: {merged}" if merged else "")
                )

"""fairvec report and fairvec reproduce."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from fairvec.cli import options
from fairvec.cli.console import print_answer, print_note, print_table, progress_bar
from fairvec.cli.options import reads_a_model
from fairvec.cli.runs import is_documents, is_frontier, is_study, outcomes_of
from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import check_overwrites_markup, check_writable_folder, renewed
from fairvec.core.io.read_files import resolve_target
from fairvec.core.text import short_repr
from fairvec.embedding import AS_FOUND, Reading
from fairvec.papers import (
    CLAIM_CONVENTION,
    CLAIM_HEAD,
    CLAIM_TITLE,
    HEAD,
    PAPERS,
    Reproduction,
    TableView,
    as_csv,
    as_jsonl,
    as_markdown,
    claim_rows,
    claim_sentences,
    claim_summary,
    claims_as_jsonl,
    describe_conventions,
    grade_counts,
    load_paper,
    model_lines,
    sensitivity_note,
    table_views,
)
from fairvec.papers import reproduce as reproduce_paper
from fairvec.report import (
    write_document_report,
    write_frontier_report,
    write_report,
    write_study_report,
)
from fairvec.results import (
    PAGE,
    read_document_lines,
    read_frontier,
    read_study_lines,
    write_results,
)
from fairvec.results.store import FILE_NAME


def report(
    folder: Annotated[Path, typer.Argument(help="Folder of a run, or its results file itself.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The page; default FOLDER/report.html.")
    ] = None,
) -> None:
    """Write the report of earlier results."""
    page = output or (folder if folder.is_dir() else folder.parent) / PAGE
    if output:
        check_overwrites_markup(page, "page")
    resolve_target(page)
    if is_frontier(folder):
        write_frontier_report(read_frontier(folder), page)
    elif is_documents(folder):
        write_document_report(read_document_lines(folder), page)
    elif is_study(folder):
        write_study_report(read_study_lines(folder), page)
    else:
        write_report(outcomes_of(folder), page)
    if folder.is_file() and page == folder.with_name(PAGE):
        # The page is made of these very records now, whichever run either was of before.
        renewed(folder.parent, folder.name, PAGE)
    print_note(f"Report: {page}")


# fairvec reproduce: a paper's tables beside ours.


@reads_a_model(without=("geometry", "curvature", "language"))
def reproduce(
    name: Annotated[str, typer.Argument(metavar="PAPER", help=f"One of: {', '.join(PAPERS)}.")],
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ROLE=MODEL",
            help="The paper's own model of a role: a file, or a name from 'fairvec models list'; "
            "graded 'your model' if nothing published tells that it is; may be repeated.",
        ),
    ] = None,
    stand_in: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ROLE=MODEL",
            help="Another model in a role, graded 'different model'; may be repeated.",
        ),
    ] = None,
    min_coverage: Annotated[
        float | None,
        typer.Option(help=f"{options.COVERAGE} Default: 0.5, and 0.25 of a benchmark's items."),
    ] = None,
    reading: Reading = AS_FOUND,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print claims and figures as JSON lines.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Folder for reproduction.md, reproduction.csv, claims.jsonl and results.jsonl.",
        ),
    ] = None,
) -> None:
    """Say whether a paper's findings hold here, and put its figures beside ours, each graded."""
    chosen = load_paper(name)
    if reading != AS_FOUND and not (model or stand_in):
        raise SettingError(
            "The options of reading a file are for models that are given; add --model or "
            "--stand-in ROLE=MODEL, or leave them out."
        )
    if output:
        check_writable_folder(
            output, FILE_NAME, "reproduction.md", "reproduction.csv", "claims.jsonl"
        )
    with progress_bar(f"reproducing {name}") as progress:
        found = reproduce_paper(
            chosen,
            _by_role(model),
            _by_role(stand_in),
            progress,
            reading=reading,
            smallest_coverage=min_coverage,
        )
    if output:
        tables = {
            "reproduction.md": as_markdown(found),
            "reproduction.csv": as_csv(found),
            "claims.jsonl": claims_as_jsonl(found),
        }
        write_results(found.outcomes, output, tables)
        print_note(f"Tables: {output / 'reproduction.md'}")
    if as_json:
        print_answer(as_jsonl(found))
    else:
        _print(found)


def _by_role(assignments: Sequence[str] | None) -> dict[str, list[str]]:
    """Read ROLE=MODEL; a role may have several models, each with lines of its own."""
    by_role: dict[str, list[str]] = defaultdict(list)
    for text in assignments or ():
        role, equals, model = text.partition("=")
        if not (role and equals and model):
            raise SettingError(
                f"{short_repr(text)} should be ROLE=MODEL, as in e-glove=vectors.txt."
            )
        by_role[role].append(model)
    return by_role


def _print(found: Reproduction) -> None:
    print_answer(f"{found.paper.title}\n{found.paper.source}")
    if reason := sensitivity_note(found):
        print_answer(reason)
    _print_claims(found)
    for text in (describe_conventions(found.paper.convention), *model_lines(found)):
        print_answer(text)
    for view in table_views(found):
        print_answer(f"\n{view.title}")
        print_table(_table(view))
        for number, note in enumerate(view.notes, 1):
            print_answer(f"  {number}. {note}")
    print_answer(f"\nFigures: {grade_counts(found)}.")


def _print_claims(found: Reproduction) -> None:
    if not found.claims:
        return
    print_answer(f"\n{CLAIM_TITLE}")
    table = Table(box=None, header_style="bold")
    for name in CLAIM_HEAD:
        table.add_column(name, overflow="fold")
    for row in claim_rows(found):
        table.add_row(*map(Text, row))
    print_table(table)
    for number, sentence in enumerate(claim_sentences(found), 1):
        print_answer(f"  {number}. {sentence}")
    print_answer(f"Claims: {claim_summary(found)}. {CLAIM_CONVENTION}\n")


def _table(view: TableView) -> Table:
    """Lay out a table for a screen: a row's name is not repeated, and nothing is cut off."""
    table = Table(box=None, header_style="bold")
    for name in HEAD:
        table.add_column(name, overflow="fold")
    above = ""
    for row, *cells in view.rows:
        table.add_row(*map(Text, ("" if row == above else row, *cells)))
        above = row
    return table

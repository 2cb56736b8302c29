"""fairvec report: the page, made again from the records of a run, frontier, study or document."""

from pathlib import Path
from typing import Annotated

import typer

from fairvec.cli.console import say
from fairvec.cli.runs import is_documents, is_frontier, is_study, outcomes_of
from fairvec.ground.disk.places import file_behind, refuse_markup
from fairvec.ground.disk.together import renewed
from fairvec.report import (
    write_document_report,
    write_frontier_report,
    write_report,
    write_study_report,
)
from fairvec.results import PAGE, read_document_lines, read_frontier, read_study_lines


def report(
    folder: Annotated[Path, typer.Argument(help="Folder of a run, or its results file itself.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The page; default FOLDER/report.html.")
    ] = None,
) -> None:
    """Write the report of earlier results."""
    page = output or (folder if folder.is_dir() else folder.parent) / PAGE
    if output:
        refuse_markup(page, "page")
    file_behind(page)
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
    say(f"Report: {page}")

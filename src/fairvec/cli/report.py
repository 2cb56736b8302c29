"""fairvec report: the page, made again from results.jsonl."""

from pathlib import Path
from typing import Annotated

import typer

from fairvec.cli.console import say
from fairvec.report import write_report
from fairvec.results import read_results


def report(
    folder: Annotated[Path, typer.Argument(help="Folder with results.jsonl, or the file itself.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The page; default FOLDER/report.html.")
    ] = None,
) -> None:
    """Write the report of earlier results."""
    page = output or (folder if folder.is_dir() else folder.parent) / "report.html"
    write_report(read_results(folder), page)
    say(f"Report: {page}")

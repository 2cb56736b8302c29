"""fairvec document: who is in a text and how, and a fairer version of it."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from fairvec.cli.console import answer, progress_bar, say
from fairvec.cli.document_summary import summary
from fairvec.cli.opening import represented
from fairvec.cli.runs import write_with_page
from fairvec.embedding import Reading
from fairvec.encoders.encoder_reading import AS_USUAL
from fairvec.evaluation.documents import (
    Applied,
    DocumentsJudged,
    apply_changes,
    judge_documents,
    read_documents,
)
from fairvec.evaluation.documents.applying import refuse_taken
from fairvec.ground.disk.piped import content_of_input
from fairvec.ground.disk.places import refuse_folder
from fairvec.ground.errors import FileFormatError, SettingError
from fairvec.ground.numbers import counted
from fairvec.report import render_documents
from fairvec.results import DOCUMENT_FILE, PAGE, write_documents
from fairvec.tasks.documents.rewriting.proposal import Aim


def document(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Texts (.txt, .md, .html), tables (.csv, .tsv) with --column, folders of them, or "
            "- for standard input.",
        ),
    ],
    language: Annotated[
        str | None,
        typer.Option(help="Of the texts: en, hi or ru. Default: by the script of their letters."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(help="Word vectors, to say how the words lean in them."),
    ] = None,
    column: Annotated[
        str | None, typer.Option(help="Column of a table whose rows are documents.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="Of files that are not UTF-8, as in cp1251.")
    ] = None,
    names: Annotated[bool, typer.Option(help="Whether first names count as mentions.")] = True,
    swap_names: Annotated[
        bool,
        typer.Option(
            "--swap-names",
            help="Of the aim swap: first names too (English). Default: names are kept.",
        ),
    ] = False,
    aim: Annotated[
        Aim, typer.Option(help="Of --apply: neutral words, or those of the other group.")
    ] = "neutral",
    apply: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a version with all certain changes to this new file (of a folder: a new "
            "folder).",
        ),
    ] = None,
    accept: Annotated[
        str | None,
        typer.Option(metavar="ID,ID", help="Of --apply: only these changes, as in n1,n4."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for document.jsonl and report.html."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over the files of an earlier report.")
    ] = False,
) -> None:
    """Say who is mentioned in documents, what stands near whom, and what could be fairer.

    Several documents, the rows of a table, or a folder give one report, of each and of all.
    """
    if accept is not None and apply is None:
        raise SettingError("--accept names changes to write, and --apply FILE where to; say both.")
    if apply is not None:
        refuse_taken(apply)
        if output and output.resolve().is_relative_to(apply.resolve()):
            raise SettingError(
                f"--apply writes to {apply} and --output to {output}, which is one place; name two."
            )
    if output:
        refuse_folder(output, DOCUMENT_FILE, PAGE, force=force)
    vectors = None if model is None else represented(model, Reading(), AS_USUAL)
    given = content_of_input(sys.stdin.buffer, FileFormatError) if "-" in files else None
    read = read_documents(
        *files, language=language, column=column, encoding=encoding, standard_input=given
    )
    with progress_bar("judging documents"):
        judged = judge_documents(read, model=vectors, names=names, swap_names=swap_names)
    # What is wanted in files is there before a reader of the summary may have seen enough.
    if apply:
        some = None if accept is None else [id.strip() for id in accept.split(",") if id.strip()]
        _say_applied(apply_changes(judged, apply, aim=aim, accept=some, folder=read.folder))
    if output:
        _write(judged, output)
    for remark in _remarks(judged):
        say(remark)
    for line in summary(judged):
        answer(line)


def _remarks(judged: DocumentsJudged) -> list[str]:
    """Return what a reader should know first; what is said of many documents is said once."""
    remarks: dict[str, list[str]] = {}
    for one in judged.documents:
        for remark in one.record.remarks:
            remarks.setdefault(remark, []).append(one.record.document.name)
    return [
        *judged.remarks,
        *(
            f"{of[0]}: {remark}" if len(of) == 1 else f"{len(of):,} documents: {remark}"
            for remark, of in remarks.items()
        ),
    ]


def _write(judged: DocumentsJudged, output: Path) -> None:
    results = write_with_page(write_documents, judged.lines, output, render_documents)
    say(f"Results: {results}", f"Report:  {output / PAGE}")


def _say_applied(applied: Applied) -> None:
    many = f"{applied.documents:,} documents" if applied.documents > 1 else "one document"
    say(f"{applied.path}: {many}, {counted(applied.changes, 'change', 'changes')} made.")
    if applied.left_out:
        many = counted(applied.left_out, "change meets", "changes meet")
        say(f"{many} another one at the same place; the first was made.")

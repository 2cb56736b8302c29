"""fairvec document: who is in a text and how, and a fairer version of it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from fairvec.cli.console import print_answer, print_note, progress_bar
from fairvec.cli.models import load_model_or_encoder
from fairvec.cli.options import Argument, Option
from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.io.atomic_files import check_writable_folder
from fairvec.core.io.read_files import read_stdin
from fairvec.documents.apply import AppliedChanges, apply_changes, require_new_path
from fairvec.documents.check import DocumentsReport, check_documents
from fairvec.documents.read import read_documents
from fairvec.embedding import LoadOptions
from fairvec.encoders.base import AS_USUAL
from fairvec.messages.documents import (
    applied_lines,
    document_summary,
    mention_lines,
    pages_remark,
    shared_remarks,
)
from fairvec.report.documents.page import DocumentsPage
from fairvec.results.documents import DOCUMENT_FILE, Aim, write_documents
from fairvec.results.store import PAGE


def summary(report: DocumentsReport) -> Iterator[str]:
    """Yield the lines about all documents, then about each."""
    one = report.documents[0]
    if len(report.documents) == 1:
        yield from document_summary(one.checked.identity, one.figures, one.groups)
        return
    for language in dict.fromkeys(one.document.language for one in report.overall):
        figures = [one for one in report.overall if one.document.language == language]
        yield from document_summary(figures[0].document, figures, one.groups)
        yield ""
    mentions = [(one.text.source.name, one.mentions) for one in report.documents]
    yield from mention_lines(mentions, one.groups[1])


def document(
    files: Annotated[
        list[str],
        Argument(
            metavar="FILE...",
            help="Texts (.txt, .md, .html), tables (.csv, .tsv) with --column, folders of them, or "
            "- for standard input.",
        ),
    ],
    language: Annotated[
        str | None,
        Option(help="Of the texts: en, hi or ru. Default: by the script of their letters."),
    ] = None,
    model: Annotated[
        str | None, Option(help="Word vectors, to say how the words lean in them.")
    ] = None,
    column: Annotated[
        str | None, Option(help="Column of a table whose rows are documents.")
    ] = None,
    encoding: Annotated[
        str | None, Option(help="Of files that are not UTF-8, as in cp1251.")
    ] = None,
    names: Annotated[bool, Option(help="Whether first names count as mentions.")] = True,
    swap_names: Annotated[
        bool, Option(help="Of the aim swap: first names too (English). Default: names are kept.")
    ] = False,
    aim: Annotated[
        Aim, Option(help="Of --apply: neutral words, or those of the other group.")
    ] = "neutral",
    apply: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="Write a version with all certain changes to this new file (of a folder: a new "
            "folder).",
        ),
    ] = None,
    accept: Annotated[
        str | None, Option(metavar="ID,ID", help="Of --apply: only these changes, as in n1,n4.")
    ] = None,
    output: Annotated[
        Path | None, Option("-o", help="Folder for document.jsonl and report.html.")
    ] = None,
    force: Annotated[bool, Option(help="Write over the files of an earlier report.")] = False,
) -> None:
    """Say who is mentioned in documents, what stands near whom, and what could be fairer.

    Several documents, the rows of a table, or a folder give one report, of each and of all.
    """
    if accept is not None and apply is None:
        raise SettingError("--accept names changes to write, and --apply FILE where to; say both.")
    if apply is not None:
        require_new_path(apply)
        if output and output.resolve().is_relative_to(apply.resolve()):
            raise SettingError(
                f"--apply writes to {apply} and --output to {output}, which is one place; name two."
            )
    if output:
        check_writable_folder(output, DOCUMENT_FILE, PAGE, force=force)
    vectors = None if model is None else load_model_or_encoder(model, LoadOptions(), AS_USUAL)
    standard_input = read_stdin(sys.stdin.buffer, FileFormatError) if "-" in files else None
    read = read_documents(
        *files, language=language, column=column, encoding=encoding, standard_input=standard_input
    )
    with progress_bar("checking documents"):
        report = check_documents(read, model=vectors, names=names, swap_names=swap_names)
    # Files are written first: a reader of the summary (head, less) may end the command early.
    if apply:
        some = None if accept is None else [id.strip() for id in accept.split(",") if id.strip()]
        _note_applied(apply_changes(report, apply, aim=aim, accept=some, folder=read.folder))
    if output:
        _write(report, output)
    for remark in _remarks(report):
        print_note(remark)
    for line in summary(report):
        print_answer(line)


def _remarks(report: DocumentsReport) -> list[str]:
    """Return the remarks; one that several documents share stands once, with their number."""
    remarks = [(one.text.source.name, one.remarks) for one in report.documents]
    return [*report.remarks, *shared_remarks(remarks)]


def _write(report: DocumentsReport, output: Path) -> None:
    page = DocumentsPage()
    page_failed = False

    def render() -> str:
        nonlocal page_failed
        page_failed = True
        text = page.render()
        page_failed = False
        return text

    try:
        results = write_documents(page.copy_lines(report.lines), output, {PAGE: render})
    except Exception:  # raised again, after the records are written without the page
        if page_failed:
            write_documents(report.lines, output, {})
        raise
    print_note(f"Results: {results}", f"Report:  {output / PAGE}")
    if page.unlisted:
        listed, total = len(report.documents) - page.unlisted, len(report.documents)
        print_note(pages_remark(listed, total, DOCUMENT_FILE))


def _note_applied(applied: AppliedChanges) -> None:
    lines = applied_lines(str(applied.path), applied.documents, applied.changes, applied.left_out)
    print_note(*lines)

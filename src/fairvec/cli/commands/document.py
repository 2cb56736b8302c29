"""fairvec document: who is in a text and how, and a fairer version of it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from fairvec.api.documents import CheckedDocuments, check_documents
from fairvec.cli.console import print_answer, print_note, progress_bar
from fairvec.cli.models import model_source
from fairvec.cli.options import Argument, Option
from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.io.atomic_files import check_writable_folder
from fairvec.core.io.read_files import read_stdin
from fairvec.documents.apply import AppliedChanges, require_new_path
from fairvec.embedding import LOAD_DEFAULTS
from fairvec.messages.documents import (
    applied_lines,
    document_summary,
    mention_lines,
    pages_remark,
)
from fairvec.results.documents import DOCUMENT_FILE, Aim
from fairvec.results.store import PAGE


def summary(report: CheckedDocuments) -> Iterator[str]:
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
    standard_input = read_stdin(sys.stdin.buffer, FileFormatError) if "-" in files else None
    with progress_bar("checking documents") as bar:
        report = check_documents(
            *files,
            language=language,
            model=None if model is None else model_source(model, LOAD_DEFAULTS, bar),
            column=column,
            encoding=encoding,
            names=names,
            swap_names=swap_names,
            standard_input=standard_input,
        )
    # Files are written first: a reader of the summary (head, less) may end the command early.
    if apply:
        some = None if accept is None else [id.strip() for id in accept.split(",") if id.strip()]
        _note_applied(report.apply(apply, aim=aim, accept=some))
    if output:
        _write(report, output)
    for remark in report.remarks:
        print_note(remark)
    for line in summary(report):
        print_answer(line)


def _write(report: CheckedDocuments, output: Path) -> None:
    unlisted = report.save(output, force=True)
    print_note(f"Results: {output / DOCUMENT_FILE}", f"Report:  {output / PAGE}")
    if unlisted:
        listed, total = len(report.documents) - unlisted, len(report.documents)
        print_note(pages_remark(listed, total, DOCUMENT_FILE))


def _note_applied(applied: AppliedChanges) -> None:
    lines = applied_lines(str(applied.path), applied.documents, applied.changes, applied.left_out)
    print_note(*lines)

"""fairvec document: who is in a text and how, and a fairer version of it."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from fairvec.cli.console import print_answer, print_note, progress_bar
from fairvec.cli.models import load_model_or_encoder
from fairvec.cli.options import Argument, Option
from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.format import is_significant, pluralize
from fairvec.core.io.atomic_files import check_writable_folder
from fairvec.core.io.read_files import read_stdin
from fairvec.documents.apply import AppliedChanges, apply_changes, require_new_path
from fairvec.documents.check import DocumentReport, DocumentsReport, check_documents
from fairvec.documents.read import read_documents
from fairvec.embedding import LoadOptions
from fairvec.encoders.base import AS_USUAL
from fairvec.languages.people import ROLE_TITLES
from fairvec.report.documents.page import DocumentsPage
from fairvec.results.documents import DOCUMENT_FILE, Aim, DocumentMeasure, write_documents
from fairvec.results.store import PAGE

_LEVEL = 0.05
_MOST_WORDS = 10
_MOST_DOCUMENTS = 40


def summary(report: DocumentsReport) -> Iterator[str]:
    """Yield the lines about all documents, then about each."""
    one = report.documents[0]
    if len(report.documents) == 1:
        yield from _summary_lines(one.figures, _heading(one), one.groups)
        return
    languages = dict.fromkeys(one.document.language for one in report.overall)
    for language in languages:
        figures = [one for one in report.overall if one.document.language == language]
        of = figures[0].document
        yield from _summary_lines(
            figures,
            f"All documents in {language} together: {pluralize(of.words, 'word')}, "
            f"{pluralize(of.sentences, 'sentence')}",
            one.groups,
        )
        yield ""
    yield f"Each document ({report.documents[0].groups[1]} of all mentions)"
    shares = [(one, text) for one in report.documents if (text := _mention_share(one))]
    for one, text in shares[:_MOST_DOCUMENTS]:
        yield f"  {one.text.source.name}: {text}"
    if len(shares) > _MOST_DOCUMENTS:
        yield f"  and {len(shares) - _MOST_DOCUMENTS:,} more; -o OUT keeps them all."
    if silent := len(report.documents) - len(shares):
        many = pluralize(silent, "document mentions", "documents mention")
        yield f"  {many} nobody of either group."


def _heading(one: DocumentReport) -> str:
    of = one.checked.identity
    return (
        f"{of.name}: {pluralize(of.words, 'word', 'words')}, "
        f"{pluralize(of.sentences, 'sentence', 'sentences')}, "
        f"{pluralize(of.paragraphs, 'paragraph', 'paragraphs')}, language {of.language}"
    )


def _mention_share(one: DocumentReport) -> str:
    a, b = one.mentions
    return f"{b:,} of {a + b:,} ({b / (a + b):.0%})" if a + b else ""


def _summary_lines(
    figures: Sequence[DocumentMeasure], heading: str, groups: tuple[str, str]
) -> Iterator[str]:
    a, b = groups
    yield heading
    yield "Who is mentioned"
    mentions = [one for one in figures if one.measure == "mentions"]
    if not mentions:
        yield "  Nobody of either group is mentioned."
    for one in mentions:
        if one.what == "all":
            yield f"  {one.sentence}"
        else:
            by = ROLE_TITLES[one.what]  # type: ignore[index]
            yield f"    {by}: {a} {one.count_a:,}, {b} {one.count_b:,} ({one.value:.0%})"
    yield "What stands near whom"
    yield from _near(figures)
    for measure, title in (("coded", "Coded words"), ("leaning", "What leans in the model")):
        for one in figures:
            if one.measure == measure:
                yield title
                yield f"  {one.sentence}"
    yield "What could be changed"
    terms = [one for one in figures if one.measure == "terms"]
    for one in terms:
        yield f"  {one.sentence}"
    if not terms:
        yield "  No rules were asked; see the remarks."


def _near(figures: Sequence[DocumentMeasure]) -> Iterator[str]:
    near = [one for one in figures if one.measure == "near"]
    tested = [one for one in near if one.p_holm is not None]
    clear = [one for one in tested if one.p_holm is not None and is_significant(one.p_holm, _LEVEL)]
    if not near:
        yield "  No sentences of both groups with describing words or occupations to compare."
    elif not clear:
        yield (
            f"  No word stands near one group more than chance alone could make, among "
            f"{len(tested):,} that could be tested ({len(near):,} found)."
        )
    for one in sorted(clear, key=lambda each: each.p_holm or 0)[:_MOST_WORDS]:
        yield f"  {one.sentence}"
    if len(clear) > _MOST_WORDS:
        yield f"  and {len(clear) - _MOST_WORDS:,} more; -o OUT keeps them all."
    for one in figures:
        if one.measure == "near-overall":
            yield f"  {one.sentence}"


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
    remarks: dict[str, list[str]] = {}
    for one in report.documents:
        for remark in one.remarks:
            remarks.setdefault(remark, []).append(one.text.source.name)
    return [
        *report.remarks,
        *(
            f"{of[0]}: {remark}" if len(of) == 1 else f"{len(of):,} documents: {remark}"
            for remark, of in remarks.items()
        ),
    ]


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
        print_note(
            f"The report lists the first {listed:,} of {total:,} documents; {DOCUMENT_FILE} holds "
            "all."
        )


def _note_applied(applied: AppliedChanges) -> None:
    many = f"{applied.documents:,} documents" if applied.documents > 1 else "one document"
    print_note(f"{applied.path}: {many}, {pluralize(applied.changes, 'change', 'changes')} made.")
    if applied.left_out:
        many = pluralize(applied.left_out, "change meets", "changes meet")
        print_note(f"{many} another one at the same place; the first was made.")

"""fairvec.check_documents and check_text: who is in a text and how, and a fairer version of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from fairvec.api.models import as_model
from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import check_writable_folder
from fairvec.core.io.read_files import as_path
from fairvec.core.settings import public_call
from fairvec.documents.apply import AppliedChanges, apply_changes
from fairvec.documents.check import DocumentReport, DocumentsReport
from fairvec.documents.check import check_documents as check_read_documents
from fairvec.documents.lint import LintSettings, findings
from fairvec.documents.read import read_documents, text_document
from fairvec.report.documents.page import DocumentsPage
from fairvec.results.documents import (
    DOCUMENT_FILE,
    Aim,
    DocumentFinding,
    DocumentLine,
    DocumentMeasure,
    write_documents,
)
from fairvec.results.store import PAGE


@dataclass(frozen=True, eq=False)
class CheckedDocuments:
    """What was found in documents, and the changes that would make them fairer.

    `documents` has a report on each, `overall` the figures of all together where there are several
    of a language, and `remarks` what a reader should know.
    """

    report: DocumentsReport
    folder: Path | None = None
    """The folder that was read, if nothing else was."""

    @property
    def documents(self) -> tuple[DocumentReport, ...]:
        """Every document with its figures and changes."""
        return self.report.documents

    @property
    def overall(self) -> tuple[DocumentMeasure, ...]:
        """The figures of all documents of a language together."""
        return self.report.overall

    @property
    def lines(self) -> Iterator[DocumentLine]:
        """All records one by one, as document.jsonl has them."""
        return self.report.lines

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks; one that several documents share stands once, with their number."""
        names: dict[str, list[str]] = {}
        for one in self.documents:
            for remark in one.remarks:
                names.setdefault(remark, []).append(one.text.source.name)
        return (
            *self.report.remarks,
            *(
                f"{of[0]}: {remark}" if len(of) == 1 else f"{len(of):,} documents: {remark}"
                for remark, of in names.items()
            ),
        )

    def save(self, folder: str | PathLike[str], *, force: bool = False) -> int:
        """Write document.jsonl and report.html into a folder, as `fairvec document -o` does.

        Return how many documents the page does not list, because they are too many; the records
        have all of them.
        """
        place = as_path(folder, "say save('runs/documents')")
        check_writable_folder(place, DOCUMENT_FILE, PAGE, force=force)
        page = DocumentsPage()
        page_failed = False

        def render() -> Iterator[str]:
            nonlocal page_failed
            page_failed = True
            yield from page.parts()
            page_failed = False

        try:
            write_documents(page.copy_lines(self.lines), place, {PAGE: render})
        except Exception:  # raised again, after the records are written without the page
            if page_failed:
                write_documents(self.lines, place, {})
            raise
        return page.unlisted

    def apply(
        self,
        path: str | PathLike[str],
        *,
        aim: Aim = "neutral",
        accept: str | Sequence[str] | None = None,
    ) -> AppliedChanges:
        """Write a version with all certain changes, or with those named, to a new place.

        One document becomes one file, and a folder a folder. Nothing is ever written over.

        Args:
            path: The new file, or of a folder the new folder.
            aim: "neutral" words, or "swap": those of the other group.
            accept: Only these changes, as in ["n1", "n4"].
        """
        return apply_changes(
            self.report,
            as_path(path, "say apply('fairer.txt')"),
            aim=aim,
            accept=[accept] if isinstance(accept, str) else accept,
            folder=self.folder,
        )

    def __repr__(self) -> str:
        return f"CheckedDocuments({', '.join(one.text.source.name for one in self.documents[:3])})"


@public_call()
def check_documents(
    *files: str | PathLike[str],
    language: str | None = None,
    model: Any = None,
    column: str | None = None,
    encoding: str | None = None,
    names: bool = True,
    swap_names: bool = False,
    exclude: Sequence[str] = (),
    standard_input: bytes | None = None,
) -> CheckedDocuments:
    """Say who is mentioned in documents, what stands near whom, and what could be fairer.

    Args:
        files: Texts (.txt, .md, .html), tables (.csv, .tsv) with `column`, or folders of them.
        language: Of the texts: "en", "hi" or "ru"; else by the script of their letters.
        model: Word vectors, to say how the words lean in them.
        column: The column of a table whose rows are documents.
        encoding: Of files that are not UTF-8, as in "cp1251".
        names: Whether first names count as mentions.
        swap_names: Of the aim swap: first names too (English).
        exclude: Files that are not read, as in ["drafts/", "*.old.md"].
        standard_input: What the file "-" stands for.

    >>> import fairvec
    >>> with open("job.txt", "w") as file:
    ...     _ = file.write("The salesman said that he works. The nurse said that she works.")
    >>> found = fairvec.check_documents("job.txt", language="en")
    >>> [(one.measure, one.count_a, one.count_b) for one in found.documents[0].figures][0]
    ('mentions', 2, 1)
    """
    if not files:
        raise SettingError("No document was given; name a file, as in check_documents('job.txt').")
    vectors = None if model is None else as_model(model)
    read = read_documents(
        *(as_path(file, "name a file or a folder") if file != "-" else "-" for file in files),
        language=language,
        column=column,
        encoding=encoding,
        exclude=exclude,
        standard_input=standard_input,
    )
    report = check_read_documents(read, model=vectors, names=names, swap_names=swap_names)
    return CheckedDocuments(report, read.folder)


@public_call()
def check_text(
    text: str, *, language: str | None = None, off: Sequence[str] = (), error: Sequence[str] = ()
) -> tuple[DocumentFinding, ...]:
    """Return the gendered wordings of a text, each with its place, rule and alternatives.

    A warning is one that a rule is certain how to change, any other one a suggestion.

    Args:
        text: A sentence or more.
        language: "en", "hi" or "ru"; else by the script of its letters.
        off: Rules, kinds of rules or languages that are not reported, as in ["en.kinship"].
        error: Those whose findings are errors.

    >>> import fairvec
    >>> [(one.rule, one.level, one.candidates) for one in fairvec.check_text("Ask the salesman.")]
    [('en.salesman', 'warning', ('salesperson',))]
    """
    settings = LintSettings(off=tuple(off), error=tuple(error))
    return tuple(findings(text_document(text, "text", language), settings))

"""Files and folders to documents, each in its language."""

from dataclasses import dataclass
from pathlib import Path

from fairvec.ground.disk.at_hand import is_folder
from fairvec.ground.errors import SettingError
from fairvec.lexicon.people import people_lists
from fairvec.tasks.documents.document import Document, document_of
from fairvec.tasks.documents.reading.language import language_of_text
from fairvec.tasks.documents.reading.opening import open_sources
from fairvec.tasks.documents.reading.source import TextSource


@dataclass(frozen=True)
class ReadText:
    """A text as it came, the document that was made of it, and what to know of how."""

    source: TextSource
    document: Document
    remark: str = ""


@dataclass(frozen=True)
class DocumentsRead:
    """All documents in the order in which they were named, and what was passed over."""

    texts: tuple[ReadText, ...]
    remarks: tuple[str, ...] = ()
    folder: Path | None = None
    """The folder that was read, if nothing else was."""


def read_documents(
    *places: Path | str,
    language: str | None = None,
    column: str | None = None,
    encoding: str | None = None,
    standard_input: bytes | None = None,
) -> DocumentsRead:
    """Read files, folders and tables; `-` is what came by standard input.

    Without a `language` each document has that of its script. Of several documents those without
    words, or of another script than the language's, are passed over and counted; of one that is an
    error.
    """
    if language is not None:
        people_lists(language)  # before the work: a language without lists costs no time
    opened = open_sources(places, column=column, encoding=encoding, standard_input=standard_input)
    texts: list[ReadText] = []
    passed: list[SettingError] = []
    for source in opened.sources:
        try:
            found = language_of_text(source.read, source.name, language)
        except SettingError as error:
            passed.append(error)
            continue
        document = document_of(source.text, found.language, source.name, read=source.read)
        texts.append(ReadText(source, document, found.remark))
    if not texts:
        raise passed[0]
    remarks = [*opened.remarks]
    if passed:
        remarks.append(
            f"{len(passed):,} of {len(opened.sources):,} documents were passed over, the first: "
            f"{passed[0]}"
        )
    only = Path(places[0])
    folder = only if len(places) == 1 and str(only) != "-" and is_folder(only) else None
    return DocumentsRead(tuple(texts), tuple(remarks), folder)

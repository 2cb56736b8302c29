"""Read documents from files, folders, table rows and standard input, each with its language.

Bytes are decoded by their byte order mark, else by the encoding that the user names, else as UTF-8.
"""

import codecs
import csv
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from io import StringIO
from pathlib import Path, PurePath
from sys import intern

from fairvec.core.errors import FileFormatError, SettingError, UnknownNameError, os_reason
from fairvec.core.format import join_first, pluralize
from fairvec.core.io.read_files import is_folder, long_csv_cells, path_exists, read_file_or_pipe
from fairvec.core.text import escape_surrogates, short_repr
from fairvec.documents.markup import visible_html, visible_markdown, visible_xhtml
from fairvec.languages.detect import detect_language
from fairvec.languages.people import people_lists
from fairvec.languages.text import Document, parse_document


@dataclass(frozen=True)
class Encoding:
    """An encoding by name, and the mark that stood before the text."""

    name: str
    mark: bytes = b""


# The marks of UTF-32 begin like those of UTF-16, so they are tried first.
_BOMS = (
    Encoding("utf-8", codecs.BOM_UTF8),
    Encoding("utf-32-le", codecs.BOM_UTF32_LE),
    Encoding("utf-32-be", codecs.BOM_UTF32_BE),
    Encoding("utf-16-le", codecs.BOM_UTF16_LE),
    Encoding("utf-16-be", codecs.BOM_UTF16_BE),
)


def is_binary(content: bytes) -> bool:
    """Return whether bytes are not text: they contain a zero and have no byte order mark."""
    return b"\0" in content and not any(content.startswith(encoding.mark) for encoding in _BOMS)


def decode(content: bytes, where: str, encoding: str | None = None) -> tuple[str, Encoding]:
    """Return the text and its encoding: by its byte order mark, else by the one requested."""
    requested = Encoding(encoding or "utf-8")
    coding = next(
        (candidate for candidate in _BOMS if content.startswith(candidate.mark)), requested
    )
    body = content[len(coding.mark) :]
    try:
        text = body.decode(coding.name)
        text.encode()
    except LookupError:
        raise SettingError(
            f"There is no encoding named {short_repr(encoding)}; name one that Python knows, such "
            "as cp1251, koi8-r or latin-1."
        ) from None
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        raise _decoding_error(where, body.count(b"\n", 0, start) + 1, coding, encoding) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise FileFormatError(
            f"{where}, line {line}: this is not text but holds zeros; save it as text in UTF-8."
        )
    return text, coding


def _decoding_error(
    where: str, line: int, coding: Encoding, requested: str | None
) -> FileFormatError:
    name = coding.name.upper() if coding.name.startswith("utf") else coding.name
    advice = (
        "save it as UTF-8, or name its encoding, as in --encoding cp1251"
        if requested is None
        else "name another --encoding, or save it as UTF-8"
    )
    return FileFormatError(f"{where}, line {line}: this is not {name}; {advice}.")


@dataclass(frozen=True, slots=True)
class Source:
    """A text by name; `read` has blanks for what people do not read, character under character.

    `path` is the file that holds this text and nothing else; None for a row of a table, or for
    what came from elsewhere.
    """

    name: str
    text: str
    read: str
    coding: Encoding
    path: Path | None = None
    is_row: bool = False

    def encode(self, text: str) -> bytes:
        """Return another version of the text as bytes, in the encoding in which it came."""
        try:
            return self.coding.mark + text.encode(self.coding.name)
        except UnicodeEncodeError as error:
            raise SettingError(
                f"{self.name}: {short_repr(text[error.start])} cannot be written in "
                f"{self.coding.name}; save the document as UTF-8 first."
            ) from None


_DELIMITERS = (",", ";", "\t")
_COLUMN_NAME_LENGTH = 40
"""Characters of a column's name that an error shows."""


def read_rows(
    text: str, name: str, column: str | None, coding: Encoding
) -> tuple[list[Source], int]:
    """Return the texts of a column, and how many of its rows are empty.

    Row numbers are those of a spreadsheet, in which the header is row 1. Cells are parted by
    commas, semicolons or tabs, whichever has the column in the header.
    """
    headers = {delimiter: _header(text, delimiter, name) for delimiter in _DELIMITERS}
    most_columns = max(headers.values(), key=len)
    if column is None:
        raise SettingError(
            f"{name} is a table, and each row of one column is a document; say which, as in "
            f"--column text (it has {_list_columns(most_columns)})."
        )
    delimiter = next((item for item, has in headers.items() if column in has), None)
    if delimiter is None:
        raise UnknownNameError(
            f"column of {name}", column, [item[:_COLUMN_NAME_LENGTH] for item in most_columns]
        )
    if headers[delimiter].count(column) > 1:
        raise SettingError(
            f"{name}: two columns are named {short_repr(column)}; rename one of them."
        )
    index = headers[delimiter].index(column)
    found: list[Source] = []
    empty = 0
    with _table_errors(name):
        # Not splitlines: a cell may hold a Unicode line separator.
        rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
        next(rows)
        for number, row in enumerate(rows, 2):
            cell = row[index] if index < len(row) else ""
            if cell.strip():
                found.append(Source(f"{name}, row {number}", cell, cell, coding, is_row=True))
            else:
                empty += 1
    return found, empty


@contextmanager
def _table_errors(name: str) -> Iterator[None]:
    try:
        with long_csv_cells():
            yield
    except csv.Error as error:
        raise FileFormatError(
            f"{name}: this table cannot be read ({error}); save it as CSV anew."
        ) from None


def _header(text: str, delimiter: str, name: str) -> list[str]:
    line = StringIO(text, newline=None).readline()
    with _table_errors(name):
        return next(csv.reader([line], delimiter=delimiter), [])


def _list_columns(columns: list[str]) -> str:
    return join_first([column[:_COLUMN_NAME_LENGTH] for column in columns], 12)


READERS: dict[str, Callable[[str], str]] = {
    ".txt": str,
    ".md": visible_markdown,
    ".markdown": visible_markdown,
    ".html": visible_html,
    ".htm": visible_html,
    ".xhtml": visible_xhtml,
}
"""By the ending of a file: what people read of its text."""
TABLES = (".csv", ".tsv")


@dataclass(frozen=True)
class SourcesRead:
    """Texts in the order in which they were named, and what was passed over in folders."""

    sources: tuple[Source, ...]
    remarks: tuple[str, ...] = ()


def read_sources(
    places: Sequence[Path | str],
    *,
    column: str | None = None,
    encoding: str | None = None,
    exclude: Sequence[str] = (),
    standard_input: bytes | None = None,
) -> SourcesRead:
    """Return the texts of files, of all files of folders, and of standard input (`-`).

    A name with * or ? stands for all files that fit, unless a file has this very name. Files that
    fit a pattern of `exclude` are not read.
    """
    places = [each for place in places for each in _expand(place)]
    if not places:
        raise SettingError("There is no document to read; name a file or a folder.")
    sources: list[Source] = []
    remarks: list[str] = []
    seen: set[Path] = set()
    for place in places:
        path = Path(place)
        if str(place) == "-":
            text, coding = decode(standard_input or b"", "standard input", encoding)
            sources.append(Source("standard input", text, text, coding))
        elif is_folder(path):
            found, skipped = _find_documents(path, with_tables=column is not None)
            found = [file for file in found if not is_excluded(file, exclude)]
            for file in found:
                sources += _read_file(file, column, encoding, remarks, seen)
            if skipped:
                remarks.append(f"{path}: passed over {skipped}.")
            if not found:
                raise SettingError(
                    f"{path} holds no document; files that end in {', '.join(READERS)} are read, "
                    f"and {' and '.join(TABLES)} with --column."
                )
        elif is_excluded(path, exclude):
            remarks.append(f"{path}: it is excluded by the settings.")
        else:
            sources += _read_file(path, column, encoding, remarks, seen)
    if not sources:
        raise SettingError("Every document is excluded by the settings; nothing is left to read.")
    return SourcesRead(tuple(sources), tuple(remarks))


def _expand(place: Path | str) -> list[Path | str]:
    """Return the files that fit a pattern, in order; the place itself if it is none."""
    name = str(place)
    if not any(sign in name for sign in "*?") or path_exists(Path(place)):
        return [place]
    root = Path(Path(name).anchor)
    found = sorted(root.glob(str(Path(name).relative_to(root))))
    if not found:
        raise SettingError(f"No file fits {short_repr(name)}; name a file or a folder.")
    return [*found]


def is_excluded(path: Path, patterns: Sequence[str]) -> bool:
    """Whether a file, or a folder that holds it, fits one of these patterns.

    One with a slash within names the whole path from the working folder on, any other one the
    name; a slash at the end changes nothing: drafts/, *.old.md, docs/api/*.
    """
    if not patterns:
        return False
    whole = PurePath(os.path.relpath(path))
    return any(
        fnmatchcase(place.as_posix() if "/" in bare else place.name, bare.lstrip("/"))
        for bare in (pattern.rstrip("/") for pattern in patterns)
        for place in (whole, *whole.parents)
    )


def _no_document(message: str) -> FileFormatError:
    return FileFormatError(
        f"{message.removesuffix('.')}, or send it to standard input ('... | fairvec document -')."
    )


def _read_file(
    path: Path, column: str | None, encoding: str | None, remarks: list[str], seen: set[Path]
) -> list[Source]:
    """Return the texts of a file; none if it was named before, as itself or in its folder."""
    name = escape_surrogates(str(path))
    real_path = Path(os.path.realpath(path))  # which a link that leads back to itself does not stop
    if real_path in seen:
        return []
    seen.add(real_path)
    try:
        content = read_file_or_pipe(path, _no_document)
    except OSError as error:
        raise FileFormatError(
            f"{name}: the document cannot be read ({os_reason(error)}); check its path and who "
            "may read it."
        ) from None
    ending = path.suffix.lower()
    text, coding = decode(content, name, encoding)
    if ending in TABLES:
        rows, empty = read_rows(text, name, column, coding)
        if empty:
            remarks.append(
                f"{name}: {pluralize(empty, 'row has', 'rows have')} no text in {column}."
            )
        if not rows:
            raise FileFormatError(f"{name}: no row has a text in the column {column}.")
        return rows
    return [Source(name, text, READERS.get(ending, str)(text), coding, path)]


def _find_documents(folder: Path, *, with_tables: bool) -> tuple[list[Path], str]:
    """Return the documents of a folder and those below it, and what was passed over in words."""
    found: list[Path] = []
    skipped: Counter[str] = Counter()
    endings = {*READERS, *(TABLES if with_tables else ())}
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in sorted(files):
            path = Path(place) / file
            if file.startswith("."):
                skipped["hidden"] += 1
            elif path.suffix.lower() not in endings or not path.is_file():
                skipped["of other kinds"] += 1
            elif _starts_binary(path):
                skipped["not text"] += 1
            else:
                found.append(path)
    counts = [f"{pluralize(count, 'file', 'files')} ({kind})" for kind, count in skipped.items()]
    return found, ", ".join(counts)


def _starts_binary(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return is_binary(file.read(8192))
    except OSError:
        return False  # said when it is read


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A text as it came, its language, and what to know of how that was found."""

    source: Source
    language: str
    remark: str = ""

    @property
    def document(self) -> Document:
        """Its sentences, made anew each time: those of a table's rows would fill memory."""
        source = self.source
        return parse_document(source.text, self.language, source.name, read=source.read)


@dataclass(frozen=True)
class ParsedDocuments:
    """All documents in the order in which they were named, and what was passed over."""

    texts: tuple[ParsedDocument, ...]
    remarks: tuple[str, ...] = ()
    folder: Path | None = None
    """The folder that was read, if nothing else was."""


def text_document(text: str, name: str, language: str | None = None) -> ParsedDocument:
    """Return a text as a document."""
    if language is not None:
        people_lists(language)
    found = detect_language(text, name, language)
    return ParsedDocument(Source(name, text, text, Encoding("utf-8")), found.language, found.remark)


def read_documents(
    *places: Path | str,
    language: str | None = None,
    column: str | None = None,
    encoding: str | None = None,
    exclude: Sequence[str] = (),
    standard_input: bytes | None = None,
) -> ParsedDocuments:
    """Read files, folders and tables; `-` is what came by standard input.

    Without a `language` each document has that of its script. Of several documents those without
    words, or of another script than the language's, are passed over and counted; of one that is an
    error.
    """
    if language is not None:
        people_lists(language)  # before the work: a language without lists costs no time
    opened = read_sources(
        places, column=column, encoding=encoding, exclude=exclude, standard_input=standard_input
    )
    texts: list[ParsedDocument] = []
    skipped: list[SettingError] = []
    for source in opened.sources:
        try:
            found = detect_language(source.read, source.name, language)
        except SettingError as error:
            skipped.append(error)
            continue
        # Of the rows of a table most have the same remark.
        texts.append(ParsedDocument(source, found.language, intern(found.remark)))
    if not texts:
        raise skipped[0]
    remarks = [*opened.remarks]
    if skipped:
        verb = "were passed over, the first: " if skipped[1:] else "was passed over: "
        total = pluralize(len(opened.sources), "document")
        remarks.append(f"{len(skipped):,} of {total} {verb}{skipped[0]}")
    first = Path(places[0])
    folder = first if len(places) == 1 and str(first) != "-" and is_folder(first) else None
    return ParsedDocuments(tuple(texts), tuple(remarks), folder)

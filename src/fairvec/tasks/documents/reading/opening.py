"""Files, folders and bytes to texts."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairvec.ground.disk.at_hand import is_folder
from fairvec.ground.disk.piped import content_of
from fairvec.ground.errors import FileFormatError, SettingError, refusal_of
from fairvec.ground.numbers import counted
from fairvec.ground.text.whole_characters import whole
from fairvec.tasks.documents.reading.encodings import decoded, is_binary
from fairvec.tasks.documents.reading.html_page import read_of_html, read_of_xhtml
from fairvec.tasks.documents.reading.markdown import read_of_markdown
from fairvec.tasks.documents.reading.source import TextSource
from fairvec.tasks.documents.reading.table import rows_of_table

READERS: dict[str, Callable[[str], str]] = {
    ".txt": str,
    ".md": read_of_markdown,
    ".markdown": read_of_markdown,
    ".html": read_of_html,
    ".htm": read_of_html,
    ".xhtml": read_of_xhtml,
}
"""By the ending of a file: what people read of its text."""
TABLES = (".csv", ".tsv")


@dataclass(frozen=True)
class Opened:
    """Texts in the order in which they were named, and what was passed over in folders."""

    sources: tuple[TextSource, ...]
    remarks: tuple[str, ...] = ()


def open_sources(
    places: Sequence[Path | str],
    *,
    column: str | None = None,
    encoding: str | None = None,
    standard_input: bytes | None = None,
) -> Opened:
    """Return the texts of files, of all files of folders, and of standard input (`-`)."""
    if not places:
        raise SettingError("There is no document to read; name a file or a folder.")
    sources: list[TextSource] = []
    remarks: list[str] = []
    seen: set[Path] = set()
    for place in places:
        path = Path(place)
        if str(place) == "-":
            text, coding = decoded(standard_input or b"", "standard input", encoding)
            sources.append(TextSource("standard input", text, text, coding))
        elif is_folder(path):
            found, passed_over = _in_folder(path, with_tables=column is not None)
            for file in found:
                sources += _of_file(file, column, encoding, remarks, seen)
            if passed_over:
                remarks.append(f"{path}: passed over {passed_over}.")
            if not found:
                raise SettingError(
                    f"{path} holds no document; files that end in {', '.join(READERS)} are read, "
                    f"and {' and '.join(TABLES)} with --column."
                )
        else:
            sources += _of_file(path, column, encoding, remarks, seen)
    return Opened(tuple(sources), tuple(remarks))


def _no_document(told: str) -> FileFormatError:
    return FileFormatError(
        f"{told.removesuffix('.')}, or send it to standard input ('... | fairvec document -')."
    )


def _of_file(
    path: Path, column: str | None, encoding: str | None, remarks: list[str], seen: set[Path]
) -> list[TextSource]:
    """Return the texts of a file; none if it was named before, as itself or in its folder."""
    name = whole(str(path))
    itself = Path(os.path.realpath(path))  # which a link that leads back to itself does not stop
    if itself in seen:
        return []
    seen.add(itself)
    try:
        content = content_of(path, _no_document)
    except OSError as error:
        raise FileFormatError(
            f"{name}: the document cannot be read ({refusal_of(error)}); check its path and who "
            "may read it."
        ) from None
    ending = path.suffix.lower()
    text, coding = decoded(content, name, encoding)
    if ending in TABLES:
        rows, empty = rows_of_table(text, name, column, coding)
        if empty:
            remarks.append(f"{name}: {counted(empty, 'row has', 'rows have')} no text in {column}.")
        if not rows:
            raise FileFormatError(f"{name}: no row has a text in the column {column}.")
        return rows
    return [TextSource(name, text, READERS.get(ending, str)(text), coding, path)]


def _in_folder(folder: Path, *, with_tables: bool) -> tuple[list[Path], str]:
    """Return the documents of a folder and those below it, and what was passed over in words."""
    found: list[Path] = []
    passed: Counter[str] = Counter()
    endings = {*READERS, *(TABLES if with_tables else ())}
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for file in sorted(files):
            path = Path(place) / file
            if file.startswith("."):
                passed["hidden"] += 1
            elif path.suffix.lower() not in endings or not path.is_file():
                passed["of other kinds"] += 1
            elif _starts_binary(path):
                passed["not text"] += 1
            else:
                found.append(path)
    said = [f"{counted(count, 'file', 'files')} ({kind})" for kind, count in passed.items()]
    return found, ", ".join(said)


def _starts_binary(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return is_binary(file.read(8192))
    except OSError:
        return False  # said when it is read

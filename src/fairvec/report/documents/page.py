"""The page about documents: who is in them, the text with marks, and a fairer version of it."""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from fairvec.core.errors import SettingError
from fairvec.core.format import capitalize_first, pluralize
from fairvec.core.io.atomic_files import write_alone
from fairvec.core.text import escape_control
from fairvec.report.documents import figures as answers
from fairvec.report.documents.figures import DocumentPart
from fairvec.report.page import environment
from fairvec.results.documents import DocumentFigure, DocumentLine, ReadDocument, check_places

if TYPE_CHECKING:
    from jinja2 import Environment

MANY, MOST_TEXTS = 25, 300
"""Words near people that a table shows before it is folded, and documents whose text is shown."""


def render_documents(lines: Sequence[DocumentLine], title: str = "") -> str:
    """Return the page about these documents; the same records give the same page."""
    together, parts = _parts(lines)
    reads = [part.read for part in parts if part.read]
    groups = _shared_groups(reads)
    return (
        _environment()
        .get_template("documents.html")
        .render(
            title=title or _title(parts, groups),
            groups=groups,
            together=together,
            parts=parts,
            words=sum(part.identity.words for part in parts),
            languages=list(dict.fromkeys(part.language for part in parts)),
            measures=_measures(lines),
            sources=_distinct(line.source for line in _figures(lines)),
            models=_distinct(line.model for line in _figures(lines)),
            versions={name: text for read in reads for name, text in read.versions.items()},
            mains=[part.main for part in parts if part.main],
            answers=answers,
            many=MANY,
            most_texts=MOST_TEXTS,
        )
    )


def write_document_report(lines: Sequence[DocumentLine], path: Path | str, title: str = "") -> Path:
    """Write the page to `path`, whole or not at all."""
    write_alone(Path(path), render_documents(lines, title))
    return Path(path)


@cache
def _environment() -> "Environment":
    """Return what shows every name as other pages do; the text itself stays as it was read."""
    return environment().overlay(finalize=_visible)


def _visible(shown: Any) -> Any:
    return escape_control(shown) if type(shown) is str else shown


def _parts(lines: Sequence[DocumentLine]) -> tuple[list[DocumentPart], list[DocumentPart]]:
    """Return all together and each document, in the order of the records."""
    reads: dict[str, ReadDocument] = {}
    for line in lines:
        if isinstance(line, ReadDocument):
            check_places(line)
            reads.setdefault(_key(line), line)
    figures: dict[str, list[DocumentFigure]] = {key: [] for key in reads}
    for figure in _figures(lines):
        figures.setdefault(_key(figure), []).append(figure)
    if not figures:
        raise SettingError("There are no documents to report; run 'fairvec document FILE' first.")
    groups = _shared_groups(list(reads.values()))
    parts = []
    for number, (key, found) in enumerate(figures.items(), 1):
        read = reads.get(key)
        identity = read.document if read else found[0].document
        own = read.groups if read else groups
        parts.append(DocumentPart(f"d{number}", identity, own, tuple(found), read))
    return (
        [part for part in parts if not part.identity.name and not part.read],
        [part for part in parts if part.identity.name or part.read],
    )


def _key(line: DocumentLine) -> str:
    return line.document.model_dump_json()


def _figures(lines: Sequence[DocumentLine]) -> list[DocumentFigure]:
    return [line for line in lines if isinstance(line, DocumentFigure)]


def _shared_groups(reads: Sequence[ReadDocument]) -> tuple[str, str]:
    """Return the titles of the groups, if all documents agree on them."""
    titles = {read.groups for read in reads}
    return titles.pop() if len(titles) == 1 else ("group a", "group b")


def _title(parts: Sequence[DocumentPart], groups: tuple[str, str]) -> str:
    who = f"{groups[0]} and {groups[1]}"
    # Of a path the last part: the whole stands with the answers.
    one = len(parts) == 1
    where = PurePath(parts[0].title).name if one else pluralize(len(parts), "document")
    return f"{capitalize_first(who)} in {where}"


def _measures(lines: Sequence[DocumentLine]) -> dict[str, DocumentFigure]:
    """Return one figure of each measure, for what its values mean."""
    found: dict[str, DocumentFigure] = {}
    for figure in _figures(lines):
        found.setdefault(figure.meaning, figure)
    return found


def _distinct(texts: Iterable[str]) -> list[str]:
    return [text for text in dict.fromkeys(texts) if text]

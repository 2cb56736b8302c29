"""The page about documents: who is in them, the text with marks, and a fairer version of it."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from fairvec.core.errors import SettingError
from fairvec.core.format import capitalize_first, pluralize
from fairvec.core.io.atomic_files import write_text
from fairvec.core.text import escape_control
from fairvec.messages.figures import language_name
from fairvec.report.documents import figures as answers
from fairvec.report.documents.figures import DocumentSection
from fairvec.report.page import environment
from fairvec.results.documents import AnnotatedDocument, DocumentLine, DocumentMeasure, check_places

if TYPE_CHECKING:
    from jinja2 import Environment

MOST_NEAR_WORDS, MOST_TEXTS, MOST_LISTED = 25, 300, 1_000
"""Words near people in a table before it is folded; documents whose text is on the page, and those
that it lists: document.jsonl has the others."""


class DocumentsPage:
    """The page about documents; of what it does not list only counts are stored."""

    def __init__(self) -> None:
        self._reads: dict[str, AnnotatedDocument] = {}
        self._figures: dict[str, list[DocumentMeasure]] = {}
        self._listed: set[str] = set()
        self._unlisted: set[int] = set()
        self._words_unlisted = 0
        self._languages_unlisted: dict[str, None] = {}
        self._groups: set[tuple[str, str]] = set()
        self._measures: dict[str, DocumentMeasure] = {}
        self._sources: dict[str, None] = {}
        self._models: dict[str, None] = {}
        self._versions: dict[str, str] = {}

    @property
    def unlisted(self) -> int:
        """How many documents the page does not list."""
        return len(self._unlisted)

    def copy_lines(self, lines: Iterable[DocumentLine]) -> Iterator[DocumentLine]:
        """Give the records, and add each to the page."""
        for line in lines:
            self.add(line)
            yield line

    def add(self, line: DocumentLine) -> None:
        """Add a record."""
        listed = self._is_listed(line)
        if isinstance(line, AnnotatedDocument):
            check_places(line)
            self._groups.add(line.groups)
            self._versions |= line.versions
            if listed:
                self._reads.setdefault(_key(line), line)
            return
        self._measures.setdefault(line.meaning, line)
        self._sources[line.source] = self._models[line.model] = None
        if listed:
            self._figures.setdefault(_key(line), []).append(line)

    def _is_listed(self, line: DocumentLine) -> bool:
        """Whether the document of a record is on the page; one that is not is counted."""
        key, of = _key(line), line.document
        is_together = not of.name and not isinstance(line, AnnotatedDocument)
        if is_together or key in self._listed:
            return True
        if len(self._listed) < MOST_LISTED:
            self._listed.add(key)
            return True
        if hash(key) not in self._unlisted:
            self._unlisted.add(hash(key))
            self._words_unlisted += of.words
            self._languages_unlisted[language_name(of.language)] = None
        return False

    def render(self, title: str = "") -> str:
        """Return the page; the same records give the same page."""
        return "".join(self.parts(title))

    def parts(self, title: str = "") -> Iterator[str]:
        """Give the page in parts: as one text that of long documents would take much memory."""
        groups = self._groups.copy().pop() if len(self._groups) == 1 else ("group a", "group b")
        together, parts = self._sections(groups)
        total = len(parts) + self.unlisted
        languages = [*(part.language for part in parts), *self._languages_unlisted]
        yield from (
            _environment()
            .get_template("documents.html")
            .generate(
                title=title or _title(parts, total, groups),
                groups=groups,
                together=together,
                parts=parts,
                total=total,
                words=sum(part.identity.words for part in parts) + self._words_unlisted,
                languages=list(dict.fromkeys(languages)),
                measures=self._measures,
                sources=[*filter(None, self._sources)],
                models=[*filter(None, self._models)],
                versions=self._versions,
                mains=[part.main for part in parts if part.main],
                answers=answers,
                many=MOST_NEAR_WORDS,
                most_texts=MOST_TEXTS,
            )
        )

    def _sections(
        self, groups: tuple[str, str]
    ) -> tuple[list[DocumentSection], list[DocumentSection]]:
        """Return the parts of all documents together and of each, in the order of the records."""
        keys = dict.fromkeys([*self._reads, *self._figures])
        if not keys:
            raise SettingError(
                "There are no documents to report; run 'fairvec document FILE' first."
            )
        parts = []
        for number, key in enumerate(keys, 1):
            read, figures = self._reads.get(key), self._figures.get(key, [])
            identity = read.document if read else figures[0].document
            own = read.groups if read else groups
            parts.append(DocumentSection(f"d{number}", identity, own, tuple(figures), read))
        return (
            [part for part in parts if not part.identity.name and not part.read],
            [part for part in parts if part.identity.name or part.read],
        )


def render_documents(lines: Iterable[DocumentLine], title: str = "") -> str:
    """Return the page about these documents; the same records give the same page."""
    return _page_of(lines).render(title)


def _page_of(lines: Iterable[DocumentLine]) -> DocumentsPage:
    page = DocumentsPage()
    for line in lines:
        page.add(line)
    return page


def write_document_report(lines: Iterable[DocumentLine], path: Path | str, title: str = "") -> Path:
    """Write the page to `path`, completely or not at all."""
    write_text(Path(path), _page_of(lines).parts(title))
    return Path(path)


@cache
def _environment() -> "Environment":
    """Return an environment that escapes control characters in names, not in the text itself."""
    return environment().overlay(finalize=_visible)


def _visible(value: Any) -> Any:
    return escape_control(value) if type(value) is str else value


def _key(line: DocumentLine) -> str:
    return line.document.model_dump_json()


def _title(parts: Sequence[DocumentSection], total: int, groups: tuple[str, str]) -> str:
    who = f"{groups[0]} and {groups[1]}"
    # Of a path the last part: all of it is with the answers.
    where = PurePath(parts[0].title).name if total == 1 else pluralize(total, "document")
    return f"{capitalize_first(who)} in {where}"

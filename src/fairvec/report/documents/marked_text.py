"""The text of a document as HTML, with its marks and the notes in the margin."""

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil

from markupsafe import Markup, escape

from fairvec.core.format import format_count, format_signed
from fairvec.core.text import escape_control
from fairvec.results.documents import AnnotatedDocument, Annotation, MarkKind

# Text as HTML: a browser reads back the same characters.


BLOCK, LONG_LINE = 2_000, 8_000
"""Characters after which a block ends with its line, or, within a very long line, with a word: the
browser lays out only the blocks in view."""
FEW_LINES = 150
"""Characters of a block if a text has so many notes that they would drift from their lines."""


def escape_text(text: str) -> Markup:
    """Return the text escaped, with carriage returns, which browsers turn into line feeds.

    HTML cannot hold a NUL, which becomes its symbol.
    """
    return Markup(str(escape(text)).replace("\r", "&#13;").replace("\0", "␀"))  # noqa: S704  (escaped)


def block_ends(text: str, size: int = BLOCK) -> list[int]:
    """Return where blocks of at least `size` characters end, the last at the end of the text."""
    ends: list[int] = []
    done = 0
    while len(text) - done > size:
        line = text.find("\n", done + size)
        if not 0 <= line < done + LONG_LINE:
            word = text.find(" ", done + LONG_LINE)
            line = min((end for end in (line, word) if end >= 0), default=-1)
        if line < 0 or line + 1 >= len(text):
            break
        done = line + 1
        ends.append(done)
    return [*ends, len(text)] if text else []


_TWO_UNITS = re.compile("[\U00010000-\U0010ffff]")


def utf16_offset(text: str) -> Callable[[int], int]:
    """Return what gives a character's place in UTF-16 units, as browsers count."""
    doubled = array("I", (match.start() for match in _TWO_UNITS.finditer(text)))
    return lambda place: place + bisect_left(doubled, place)


def shorten(text: str, most: int = 40) -> str:
    """Return the text in one line, a long one cut after its first words."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    head = line[:most].rpartition(" ")[0]
    return f"{head or line[:most]} …"


# The margin: each mark is explained once, however often its word occurs.


KINDS: dict[MarkKind, tuple[str, str]] = {
    "person": ("P", "a word that names a person"),
    "describing": ("D", "a describing word"),
    "occupation": ("J", "an occupation"),
    "coded": ("C", "a gender-coded word"),
    "leaning": ("L", "mean leaning in the model"),
}
"""The letter of each kind of mark, and its meaning."""
MOST_QUOTED = 28
"""Characters of a marked sentence that its note repeats."""


@dataclass(frozen=True)
class MarginNote:
    """The note in the margin on one mark and all equal ones."""

    address: str
    mark: Annotation
    word: str
    count: int


def group_letters(groups: tuple[str, str]) -> tuple[str, str]:
    """Return one letter per group: its first, or a and b if both begin with the same."""
    first, second = (title.strip()[:1].casefold() for title in groups)
    return (first, second) if first and second and first != second else ("a", "b")


def margin_notes(read: AnnotatedDocument, address: str) -> list[MarginNote]:
    """Return the note of every mark, in their order; equal marks share a note.

    Marks are equal if they mark the same word, in any case, with the same explanation.
    """
    text = read.text
    keys = [
        (
            text[mark.start : mark.end].casefold(),
            mark.kind,
            mark.side,
            mark.role,
            mark.score,
            mark.reason,
        )
        for mark in read.marks
    ]
    members: dict[tuple[str | float | None, ...], list[Annotation]] = {}
    for key, mark in zip(keys, read.marks, strict=True):
        members.setdefault(key, []).append(mark)
    notes = {
        key: MarginNote(
            f"{address}n{number}",
            marks[0],
            shorten(read.text[marks[0].start : marks[0].end], MOST_QUOTED),
            len(marks),
        )
        for number, (key, marks) in enumerate(members.items(), 1)
    }
    return [notes[key] for key in keys]


def is_dense(read: AnnotatedDocument) -> bool:
    """Return whether the margin with all notes would be longer than the text.

    A line of the margin has about 34 letters and three fifths of the height of a line of the text,
    which has 75; half a line separates two notes.
    """
    notes = {note.address: note for note in margin_notes(read, "")}.values()
    lines = sum(0.5 + ceil((len(note.word) + len(note.mark.reason) + 20) / 34) for note in notes)
    own = sum(ceil((len(line) + 1) / 75) for line in read.text.splitlines())
    return 0.6 * lines > own


def note_html(note: MarginNote, language: str, groups: tuple[str, str]) -> Markup:
    """Return a note of the margin as HTML."""
    mark = note.mark
    titles: dict[str, str] = {"a": groups[0], "b": groups[1], "": ""}
    facts = [mark.role.replace("-", " ") or mark.kind, titles[mark.side]]
    if mark.role and mark.kind != "person":
        facts.insert(0, mark.kind)
    if mark.score is not None:
        facts.append(format_signed(mark.score))
    times = Markup(' <span class="times">× {}</span>').format(format_count(note.count))
    return Markup(
        '<span class="note {side}" id="{address}" lang="en"><b lang="{language}">{word}</b>'
        "{times} <i>{facts}.</i> {why}</span>"
    ).format(
        side=f"of-{mark.side or 'none'}",
        address=note.address,
        language=language,
        word=escape_text(note.word),
        times=times if note.count > 1 else "",
        facts=escape_control(" · ".join(filter(None, facts))),
        why=escape_control(mark.reason),
    )


def mark_label(mark: Annotation, letters: Sequence[str]) -> str:
    """Return the small letters after a mark: its kind's and its group's."""
    side = {"a": letters[0], "b": letters[1], "": ""}[mark.side]
    return str(escape(KINDS[mark.kind][0] + side))


@dataclass
class _Writer:
    """Writes nested spans: of two marks that overlap the inner one is split."""

    parts: list[str] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    """Numbers of the open marks, the outermost first."""
    opened_at: dict[int, int] = field(default_factory=dict)
    """Index among the parts of the opening tag of each mark's last piece."""

    def begin(self, mark: int, tag: str) -> None:
        self.opened_at[mark] = len(self.parts)
        self.parts.append(tag)
        self.open.append(mark)

    def end(self, mark: int, letters: str) -> None:
        """Add the letters after a mark to its last piece."""
        at = self.opened_at[mark]
        self.parts[at] = f'{self.parts[at][:-1]} data-tag="{letters}">'

    def close(self, depth: int) -> list[int]:
        """Close all but the outer `depth` marks and return them, the outermost first."""
        closed = self.open[depth:]
        self.parts.append("</span>" * len(closed))
        del self.open[depth:]
        return closed


def marked_text(read: AnnotatedDocument, address: str) -> Markup:
    """Return the text in blocks, each note before the first mark that it explains.

    If the notes need more room than the text, blocks are short, so that notes stay beside their
    lines. Without the notes, the characters of the blocks are those of the document.
    """
    text, marks = read.text, read.marks
    notes = margin_notes(read, address)
    letters = group_letters(read.groups)
    begins: dict[int, list[int]] = {}
    for number in sorted(range(len(marks)), key=lambda at: -marks[at].end):
        begins.setdefault(marks[number].start, []).append(number)
    ends = {mark.end for mark in marks}
    blocks = set(block_ends(text, FEW_LINES if is_dense(read) else BLOCK))
    explained_notes: set[str] = set()
    out = _Writer()

    def opening_tag(number: int, more: str = "") -> str:
        mark = marks[number]
        kind = f"m {mark.kind} of-{mark.side or 'none'}"
        return f'<span class="{kind}" data-n="{notes[number].address}"{more}>'

    def explain(note: MarginNote) -> str:
        """Write a note once, and return the attributes that make its first mark focusable."""
        if note.address in explained_notes:
            return ""
        explained_notes.add(note.address)
        out.parts.append(str(note_html(note, read.document.language, read.groups)))
        return f' tabindex="0" aria-describedby="{note.address}"'

    done = 0
    out.parts.append('<div class="block">' if text else "")
    for place in sorted({0} | set(begins) | ends | blocks):
        out.parts.append(str(escape_text(text[done:place])))
        done = place
        ended = [depth for depth, number in enumerate(out.open) if marks[number].end == place]
        cut = 0 if place in blocks else min(ended, default=len(out.open))
        interrupted = []
        for number in out.close(cut):
            if marks[number].end == place:
                out.end(number, mark_label(marks[number], letters))
            else:
                interrupted.append(number)
        if place in blocks:
            out.parts.append("</div>" if place == len(text) else '</div><div class="block">')
        for number in interrupted:
            out.begin(number, opening_tag(number))
        for number in begins.get(place, ()):
            more = explain(notes[number])
            out.begin(number, opening_tag(number, more))
    return Markup("".join(out.parts))  # noqa: S704  (every part is escaped where it is made)

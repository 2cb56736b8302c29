"""The text of a document with its marks, and the notes beside it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import ceil

from markupsafe import Markup, escape

from fairvec.core.format import format_count, format_signed
from fairvec.core.text import escape_control
from fairvec.results.documents import MarkKind, ReadDocument, TextMark

# A document's characters as HTML that gives back the same characters.


BLOCK, LONG_LINE = 2_000, 8_000
"""Characters after which a block ends with its line, or within a line that goes on and on, with a
word: the browser lays out only blocks in sight."""
FEW_LINES = 150
"""The same for a text with so many notes that they would drift away from their lines."""


def as_html(text: str) -> Markup:
    """Return the text escaped; a browser would read a bare carriage return as a line feed.

    A NUL cannot stand in HTML at all and is shown as the sign for one.
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


def utf16_places(text: str) -> Sequence[int]:
    """Return each character's place as a browser counts: those above U+FFFF count twice there."""
    return (
        range(len(text) + 1)
        if text.isascii()
        else list(accumulate((1 + (letter > "\uffff") for letter in text), initial=0))
    )


def shortened_quote(text: str, most: int = 40) -> str:
    """Return the text in one line; of a long one the first words."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    head = line[:most].rpartition(" ")[0]
    return f"{head or line[:most]} …"


# The margin: each mark explained once, however often its word stands in the text.


KINDS: dict[MarkKind, tuple[str, str]] = {
    "person": ("P", "a word that names a person"),
    "describing": ("D", "a describing word"),
    "occupation": ("J", "an occupation"),
    "coded": ("C", "a gender-coded word"),
    "leaning": ("L", "leans in the model"),
}
"""The letter of each kind of mark, and what it says."""
QUOTED = 28
"""Characters of a marked sentence that its note repeats."""


@dataclass(frozen=True)
class MarginNote:
    """What the margin says about one mark and all that are like it."""

    address: str
    mark: TextMark
    word: str
    count: int


def group_letters(groups: tuple[str, str]) -> tuple[str, str]:
    """Return one letter a group: its first, or a and b where both begin alike."""
    first, second = (title.strip()[:1].casefold() for title in groups)
    return (first, second) if first and second and first != second else ("a", "b")


def margin_notes(read: ReadDocument, address: str) -> list[MarginNote]:
    """Return the note of every mark, in their order; like marks have the same note.

    Marks are alike if they are of one word in upper or lower case, and the margin says the same.
    """
    text = read.text
    keys = [
        (
            text[mark.start : mark.end].casefold(),
            mark.kind,
            mark.side,
            mark.role,
            mark.score,
            mark.why,
        )
        for mark in read.marks
    ]
    members: dict[tuple[str | float | None, ...], list[TextMark]] = {}
    for key, mark in zip(keys, read.marks, strict=True):
        members.setdefault(key, []).append(mark)
    notes = {
        key: MarginNote(
            f"{address}n{number}",
            marks[0],
            shortened_quote(read.text[marks[0].start : marks[0].end], QUOTED),
            len(marks),
        )
        for number, (key, marks) in enumerate(members.items(), 1)
    }
    return [notes[key] for key in keys]


def is_dense(read: ReadDocument) -> bool:
    """Return whether all notes in full would need a longer margin than the text is.

    A line of the margin holds about 34 letters and is three fifths as high as one of the text,
    which holds 75; half a line parts two notes.
    """
    notes = {note.address: note for note in margin_notes(read, "")}.values()
    lines = sum(0.5 + ceil((len(note.word) + len(note.mark.why) + 20) / 34) for note in notes)
    own = sum(ceil((len(line) + 1) / 75) for line in read.text.splitlines())
    return 0.6 * lines > own


def note_html(note: MarginNote, language: str, groups: tuple[str, str]) -> Markup:
    """Return a note as it floats in the margin."""
    mark = note.mark
    titles: dict[str, str] = {"a": groups[0], "b": groups[1], "": ""}
    said = [mark.role.replace("-", " ") or mark.kind, titles[mark.side]]
    if mark.role and mark.kind != "person":
        said.insert(0, mark.kind)
    if mark.score is not None:
        said.append(format_signed(mark.score))
    times = Markup(' <span class="times">× {}</span>').format(format_count(note.count))
    return Markup(
        '<span class="note {side}" id="{address}" lang="en"><b lang="{language}">{word}</b>'
        "{times} <i>{said}.</i> {why}</span>"
    ).format(
        side=f"of-{mark.side or 'none'}",
        address=note.address,
        language=language,
        word=as_html(note.word),
        times=times if note.count > 1 else "",
        said=escape_control(" · ".join(filter(None, said))),
        why=escape_control(mark.why),
    )


def tag_of(mark: TextMark, letters: Sequence[str]) -> str:
    """Return the small letters behind a mark: its kind's, and its group's."""
    side = {"a": letters[0], "b": letters[1], "": ""}[mark.side]
    return str(escape(KINDS[mark.kind][0] + side))


@dataclass
class _Writer:
    """Writes spans that nest: where two marks only overlap, the inner one is cut in two."""

    parts: list[str] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    """Numbers of the marks that are open, the outermost first."""
    opened_at: dict[int, int] = field(default_factory=dict)
    """Where the opening tag of a mark's last piece stands in the parts."""

    def begin(self, mark: int, tag: str) -> None:
        self.opened_at[mark] = len(self.parts)
        self.parts.append(tag)
        self.open.append(mark)

    def end(self, mark: int, letters: str) -> None:
        """Give a mark's last piece the letters that stand behind it."""
        at = self.opened_at[mark]
        self.parts[at] = f'{self.parts[at][:-1]} data-tag="{letters}">'

    def close(self, depth: int) -> list[int]:
        """Close all but the outer `depth` marks and return them, the outermost first."""
        closed = self.open[depth:]
        self.parts.append("</span>" * len(closed))
        del self.open[depth:]
        return closed


def marked_text(read: ReadDocument, address: str) -> Markup:
    """Return the text in blocks; a note stands before the first mark that it explains.

    Where notes need more room than the text, a block is a few lines only, so that they
    stay beside it.
    Without the notes, the characters of the blocks are those of the document.
    """
    text, marks = read.text, read.marks
    notes = margin_notes(read, address)
    letters = group_letters(read.groups)
    begins: dict[int, list[int]] = {}
    for number in sorted(range(len(marks)), key=lambda at: -marks[at].end):
        begins.setdefault(marks[number].start, []).append(number)
    ends = {mark.end for mark in marks}
    blocks = set(block_ends(text, FEW_LINES if is_dense(read) else BLOCK))
    told: set[str] = set()
    out = _Writer()

    def opening(number: int, more: str = "") -> str:
        mark = marks[number]
        kind = f"m {mark.kind} of-{mark.side or 'none'}"
        return f'<span class="{kind}" data-n="{notes[number].address}"{more}>'

    def explained(note: MarginNote) -> str:
        """Write the note if it is not yet, and return what makes its first mark reachable."""
        if note.address in told:
            return ""
        told.add(note.address)
        out.parts.append(str(note_html(note, read.document.language, read.groups)))
        return f' tabindex="0" aria-describedby="{note.address}"'

    done = 0
    out.parts.append('<div class="block">' if text else "")
    for place in sorted({0} | set(begins) | ends | blocks):
        out.parts.append(str(as_html(text[done:place])))
        done = place
        ended = [depth for depth, number in enumerate(out.open) if marks[number].end == place]
        cut = 0 if place in blocks else min(ended, default=len(out.open))
        interrupted = []
        for number in out.close(cut):
            if marks[number].end == place:
                out.end(number, tag_of(marks[number], letters))
            else:
                interrupted.append(number)
        if place in blocks:
            out.parts.append("</div>" if place == len(text) else '</div><div class="block">')
        for number in interrupted:
            out.begin(number, opening(number))
        for number in begins.get(place, ()):
            more = explained(notes[number])
            out.begin(number, opening(number, more))
    return Markup("".join(out.parts))  # noqa: S704  (every part is escaped where it is made)

"""The text with its marks, character for character, and the notes that float beside it."""

from dataclasses import dataclass, field

from markupsafe import Markup

from fairvec.report.sections.documents.margin_notes import (
    MarginNote,
    group_letters,
    is_dense,
    margin_notes,
    note_html,
    tag_of,
)
from fairvec.report.sections.documents.plain_text import BLOCK, FEW_LINES, as_html, block_ends
from fairvec.results.documents import ReadDocument


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

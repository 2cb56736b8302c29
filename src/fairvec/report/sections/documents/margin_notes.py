"""The margin: each mark explained once, however often its word stands in the text."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from markupsafe import Markup, escape

from fairvec.ground.numbers import signed, whole
from fairvec.ground.text.visible_text import visible
from fairvec.report.sections.documents.plain_text import as_html, shortened_quote
from fairvec.results.documents import MarkKind, ReadDocument, TextMark

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
        said.append(signed(mark.score))
    times = Markup(' <span class="times">× {}</span>').format(whole(note.count))
    return Markup(
        '<span class="note {side}" id="{address}" lang="en"><b lang="{language}">{word}</b>'
        "{times} <i>{said}.</i> {why}</span>"
    ).format(
        side=f"of-{mark.side or 'none'}",
        address=note.address,
        language=language,
        word=as_html(note.word),
        times=times if note.count > 1 else "",
        said=visible(" · ".join(filter(None, said))),
        why=visible(mark.why),
    )


def tag_of(mark: TextMark, letters: Sequence[str]) -> str:
    """Return the small letters behind a mark: its kind's, and its group's."""
    side = {"a": letters[0], "b": letters[1], "": ""}[mark.side]
    return str(escape(KINDS[mark.kind][0] + side))

"""The changes of a document: as a diff, as a list, and as data for the browser."""

import json
import re
import shlex
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from markupsafe import Markup

from fairvec.core.format import join_words, pluralize
from fairvec.core.text import escape_control
from fairvec.report.documents.marked_text import block_ends, escape_text, shorten, utf16_offset
from fairvec.results.documents import (
    AnnotatedDocument,
    Edit,
    TextChange,
    conflicts,
    overlapping_edits,
    select_compatible,
)

# The diff: deleted text is struck out and new text underlined, in one text.


AROUND = 240
"""Characters on each side of a change if the text between two changes is omitted."""


@dataclass(frozen=True)
class Place:
    """A span of the text with one edit, or with several of which one can be made."""

    start: int
    end: int
    edits: tuple[Edit, ...] = ()
    """Empty for a flag."""


def merge_edits(changes: Sequence[TextChange]) -> list[Place]:
    """Return the places that the changes touch, in the order of the text; none overlap."""
    places = [
        Place(edits[0].start, max(edit.end for edit in edits), tuple(edits))
        for edits in overlapping_edits(changes)
    ]
    return sorted([*places, *_flags(changes, places)], key=lambda place: (place.start, place.end))


def _flags(changes: Sequence[TextChange], edited: Sequence[Place]) -> list[Place]:
    """Return the flagged places that overlap neither an edit nor another flag."""
    starts = [place.start for place in edited]
    flags: list[Place] = []
    for change in sorted(changes, key=lambda change: (change.start, change.end)):
        if change.edits or change.start == change.end:
            continue
        before = bisect_left(starts, change.end)  # the places that begin before its end
        free = not before or edited[before - 1].end <= change.start
        if free and (not flags or flags[-1].end <= change.start):
            flags.append(Place(change.start, change.end))
    return flags


def diff_text(
    text: str,
    changes: Sequence[TextChange],
    accepted: Sequence[bool],
    notes: Sequence[Markup],
    boxes: Sequence[str],
) -> Markup:
    """Return the diff in blocks, each change's note before the place where it begins.

    `boxes` are the ids of the check boxes, one per change. Long text without a change is omitted,
    with a note in its place.
    """
    places = merge_edits(changes)
    owners: dict[Edit, list[int]] = {}
    pending: list[tuple[int, int]] = []
    for number, change in enumerate(changes):
        for edit in change.edits:
            owners.setdefault(edit, []).append(number)
        pending.append((min((edit.start for edit in change.edits), default=change.start), number))
    pending.sort(reverse=True)
    cuts = block_ends(text)
    parts, position = ['<div class="block">'], 0
    for number, place in enumerate([*places, Place(len(text), len(text))]):
        head, tail = _gap_between(
            text, position, place.start, after=number > 0, before=number < len(places)
        )
        parts += _block_html(text, position, head, cuts)
        if head < tail:
            omitted = pluralize(tail - head, "character")
            parts.append(f'<span class="left-out" lang="en">{omitted} without a change</span>')
        parts += _block_html(text, tail, place.start, cuts)
        while pending and pending[-1][0] < max(place.end, place.start + 1):
            parts.append(str(notes[pending.pop()[1]]))
        parts.append(str(_place_html(text, place, owners, accepted, boxes)))
        position = place.end
    return Markup("".join([*parts, "</div>"]))  # noqa: S704  (every part is escaped where it is made)


def _gap_between(text: str, start: int, end: int, *, after: bool, before: bool) -> tuple[int, int]:
    """Return the start and end of the text to omit between two places; equal if none is."""
    head, tail = (AROUND if after else 0), (AROUND if before else 0)
    if end - start <= head + tail + 2 * AROUND:
        return end, end
    return (
        _end_of_word(text, start + head) if after else start,
        _start_of_word(text, end - tail) if before else end,
    )


def _block_html(text: str, start: int, end: int, cuts: Sequence[int]) -> Iterator[str]:
    """Yield the text from start to end, with a new block wherever one ends inside."""
    for cut in cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]:
        yield f'{escape_text(text[start:cut])}</div><div class="block">'
        start = cut
    yield str(escape_text(text[start:end]))


def _end_of_word(text: str, place: int) -> int:
    """Return the first end of a line or a word from here on, if one is near."""
    ends = [at for sign in ("\n", " ") if 0 <= (at := text.find(sign, place)) < place + AROUND]
    return ends[0] + 1 if ends else place


def _start_of_word(text: str, place: int) -> int:
    starts = [at for sign in ("\n", " ") if (at := text.rfind(sign, place - AROUND, place)) >= 0]
    return starts[0] + 1 if starts else place


def _place_html(
    text: str,
    place: Place,
    owners: dict[Edit, list[int]],
    accepted: Sequence[bool],
    boxes: Sequence[str],
) -> Markup:
    """Return one place as HTML: the old text, then each new wording."""
    old = escape_text(text[place.start : place.end])
    if not place.edits:
        return Markup('<span class="flagged">{}</span>').format(old) if old else Markup()
    struck = Markup("<del>{}</del>").format(old) if old else Markup()
    wordings = []
    for edit in place.edits:
        wording = text[place.start : edit.start] + edit.new + text[edit.end : place.end]
        new = Markup("<ins>{}</ins>").format(escape_text(wording or "∅"))
        alone = len(place.edits) == 1
        on = " on" if any(accepted[owner] for owner in owners[edit]) else ""
        wordings.append(
            Markup(
                '<label class="edit{on}" for="{box}" data-c="{numbers}">{inside}</label>'
            ).format(
                on=on,
                box=boxes[owners[edit][0]],
                numbers=" ".join(map(str, owners[edit])),
                inside=struck + new if alone else new,
            )
        )
    if len(wordings) == 1:
        return wordings[0]
    chosen = any(accepted[owner] for edit in place.edits for owner in owners[edit])
    return Markup('<span class="choice{on}">{struck}{wordings}</span>').format(
        on=" on" if chosen else "", struck=struck, wordings=Markup("").join(wordings)
    )


AIMS = {"neutral": "Towards neutral words", "swap": "Towards the other group"}
ROW, STANDARD_INPUT = re.compile(r"(.*), row (\d+)", re.DOTALL), "standard input"
"""Names of documents that are not files of their own."""


@dataclass(frozen=True)
class ChangeRow:
    """One change in the list: its id on the page, and whether it can be accepted."""

    change: TextChange
    address: str
    wording: Markup
    acceptable: bool
    accepted: bool
    instead_of: tuple[str, ...]
    """Ids of the changes that cannot be accepted with it."""


@dataclass(frozen=True)
class ChangesView:
    """The changes of one aim, as a diff, as a list and as data for the browser."""

    aim: str
    title: str
    address: str
    changes: tuple[ChangeRow, ...]
    diff: Markup
    data: Markup
    new_name: str
    command: str
    """Empty if the document is not a file of its own, or nothing is accepted."""
    has_command: bool

    @property
    def acceptable(self) -> int:
        """How many changes a person can accept."""
        return sum(change.acceptable for change in self.changes)

    @property
    def rules(self) -> dict[str, int]:
        """The rules whose changes a person can accept, and how many each has; most first."""
        return dict(
            Counter(one.change.rule for one in self.changes if one.acceptable).most_common()
        )

    @property
    def flags(self) -> int:
        """How many places are only flagged."""
        return len(self.changes) - self.acceptable

    @property
    def accepted(self) -> int:
        """How many are accepted at first."""
        return sum(change.accepted for change in self.changes)


def changes_views(read: AnnotatedDocument, address: str) -> list[ChangesView]:
    """Return one view for each aim that has changes."""
    aims = [aim for aim in AIMS if any(change.aim == aim for change in read.changes)]
    return [_view(read, aim, f"{address}{aim}") for aim in aims]


def output_name(name: str) -> str:
    """Return letter-fairer.txt for letter.txt, and x-row-3-fairer.txt for a row of x.csv."""
    path = PurePosixPath(name.replace("\\", "/"))
    if row := ROW.fullmatch(path.name):
        return f"{PurePosixPath(row[1]).stem}-row-{row[2]}-fairer.txt"
    if name in ("", STANDARD_INPUT):
        return "text-fairer.txt"
    return f"{path.stem}-fairer{path.suffix}"


def command(name: str, ids: Sequence[str]) -> str:
    """Return the command that writes the same text; empty for a row of a table."""
    start = _start_of_command(name)
    return f"{start} --accept {shlex.quote(','.join(ids))}" if start and ids else ""


def _start_of_command(name: str) -> str:
    if ROW.fullmatch(name):
        return ""
    file = "-" if name == STANDARD_INPUT else name
    return shlex.join(["fairvec", "document", file, "--apply", output_name(name)])


def _view(read: AnnotatedDocument, aim: str, address: str) -> ChangesView:
    changes = sorted(
        (change for change in read.changes if change.aim == aim),
        key=lambda change: (change.start, change.end),
    )
    against = conflicts(changes)
    accepted = select_compatible(against, changes)
    listed = tuple(
        ChangeRow(
            change,
            f"{address}{number}",
            _wording(read, change),
            bool(change.edits) and number not in rivals,
            accepted[number],
            tuple(changes[rival].id for rival in rivals if rival != number),
        )
        for number, (change, rivals) in enumerate(zip(changes, against, strict=True))
    )
    boxes = [f"{one.address}box" for one in listed]
    name = read.document.name
    chosen = [one.change.id for one in listed if one.accepted]
    return ChangesView(
        aim,
        AIMS[aim],
        address,
        listed,
        diff_text(read.text, changes, accepted, [_note(one) for one in listed], boxes),
        _data(read, listed, against),
        output_name(name),
        command(name, chosen),
        bool(_start_of_command(name)),
    )


def _wording(read: AnnotatedDocument, change: TextChange) -> Markup:
    """Return old → new of each edit, or the flagged words."""
    language = read.document.language
    if not change.edits:
        quote = shorten(read.text[change.start : change.end])
        return Markup('<b lang="{}">{}</b>').format(language, escape_text(quote))
    pair = Markup('<span class="pair-of" lang="{}"><del>{}</del> → <ins>{}</ins></span>')
    return Markup(", ").join(
        pair.format(
            language,
            escape_text(shorten(edit.old)) or "∅",
            escape_text(shorten(edit.new)) or "∅",
        )
        for edit in change.edits
    )


def _note(one: ChangeRow) -> Markup:
    """Return the note of a change in the margin, with a check box if it can be accepted."""
    change = one.change
    if one.acceptable:
        head = Markup(
            '<label><input type="checkbox" id="{0}box" autocomplete="off"{1}> {2}</label>'
        ).format(one.address, Markup(" checked") if one.accepted else "", one.wording)
    elif change.edits:
        head = Markup("{} <i>its edits overlap, so that it cannot be made.</i>").format(one.wording)
    else:
        head = Markup("{} <i>flagged, left alone.</i>").format(one.wording)
    rivals = f" Not together with {join_words(one.instead_of)}." if one.instead_of else ""
    return Markup(
        '<span class="note {kind} of-{side}" id="{address}" lang="en">{head} {why}{rivals} '
        "<small>{rule} · {id}</small></span>"
    ).format(
        kind="change" if one.acceptable else "flag",
        side=change.side or "none",
        address=one.address,
        head=head,
        why=escape_control(change.reason),
        rivals=escape_control(rivals),
        rule=escape_control(change.rule),
        id=escape_control(change.id),
    )


def _data(
    read: AnnotatedDocument, listed: Sequence[ChangeRow], against: Sequence[Sequence[int]]
) -> Markup:
    """Return the data from which the browser makes the new text; places in UTF-16 units."""
    in_units = utf16_offset(read.text)
    data = {
        "before": _start_of_command(read.document.name),
        "file": output_name(read.document.name),
        "changes": [
            {
                "id": one.change.id,
                "rule": one.change.rule,
                "box": f"{one.address}box" if one.acceptable else "",
                "edits": [
                    [in_units(edit.start), in_units(edit.end), edit.new]
                    for edit in one.change.edits
                ],
                "against": rivals,
            }
            for one, rivals in zip(listed, against, strict=True)
        ],
    }
    return as_json(data)


def as_json(data: object) -> Markup:
    """Return JSON for a script element: nothing in it can end the element."""
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(written.replace("<", "\\u003c").replace("\0", "\\u0000"))  # noqa: S704  (see above)

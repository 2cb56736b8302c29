"""A fairer version of a document, and the text as a diff."""

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
from fairvec.report.documents.marked_text import as_html, block_ends, shortened_quote, utf16_places
from fairvec.results.documents import (
    ProposedChange,
    ProposedEdit,
    ReadDocument,
    conflicts,
    select_compatible,
)

# The text as a diff: what would go is struck, what would come is underlined, in one text.


AROUND = 240
"""Characters kept on each side of a change where the text between two changes is left out."""


@dataclass(frozen=True)
class Place:
    """Where edits meet: one edit, or several of which one can be made."""

    start: int
    end: int
    edits: tuple[ProposedEdit, ...] = ()
    """Without edits a flag stands here."""


def places_of(changes: Sequence[ProposedChange]) -> list[Place]:
    """Return the places that the changes touch, in the order of the text; none overlap."""
    edits = sorted(
        {edit for change in changes for edit in change.edits},
        key=lambda edit: (edit.start, edit.end, edit.new),
    )
    found: list[Place] = []
    for edit in edits:
        last = found[-1] if found else None
        if last and (edit.start < last.end or edit.start == last.start):
            found[-1] = Place(last.start, max(last.end, edit.end), (*last.edits, edit))
        else:
            found.append(Place(edit.start, edit.end, (edit,)))
    return sorted([*found, *_flags(changes, found)], key=lambda place: (place.start, place.end))


def _flags(changes: Sequence[ProposedChange], edited: Sequence[Place]) -> list[Place]:
    """Return the flagged places that neither an edit nor another flag touches."""
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
    changes: Sequence[ProposedChange],
    accepted: Sequence[bool],
    notes: Sequence[Markup],
    boxes: Sequence[str],
) -> Markup:
    """Return the diff in blocks, each change's note before the place where it begins.

    `boxes` are the addresses of the check boxes, one a change. Where nothing changes for long, the
    text is left out and the diff says so.
    """
    places = places_of(changes)
    owners: dict[ProposedEdit, list[int]] = {}
    waiting: list[tuple[int, int]] = []
    for number, change in enumerate(changes):
        for edit in change.edits:
            owners.setdefault(edit, []).append(number)
        waiting.append((min((edit.start for edit in change.edits), default=change.start), number))
    waiting.sort(reverse=True)
    cuts = block_ends(text)
    parts, done = ['<div class="block">'], 0
    for number, place in enumerate([*places, Place(len(text), len(text))]):
        head, tail = _kept(text, done, place.start, after=number > 0, before=number < len(places))
        parts += _in_blocks(text, done, head, cuts)
        if head < tail:
            left = pluralize(tail - head, "character")
            parts.append(f'<span class="left-out" lang="en">{left} without a change</span>')
        parts += _in_blocks(text, tail, place.start, cuts)
        while waiting and waiting[-1][0] < max(place.end, place.start + 1):
            parts.append(str(notes[waiting.pop()[1]]))
        parts.append(str(_shown(text, place, owners, accepted, boxes)))
        done = place.end
    return Markup("".join([*parts, "</div>"]))  # noqa: S704  (every part is escaped where it is made)


def _kept(text: str, start: int, end: int, *, after: bool, before: bool) -> tuple[int, int]:
    """Return what is left out between two places: from where and to where, or nothing."""
    head, tail = (AROUND if after else 0), (AROUND if before else 0)
    if end - start <= head + tail + 2 * AROUND:
        return end, end
    return (
        _end_of_word(text, start + head) if after else start,
        _start_of_word(text, end - tail) if before else end,
    )


def _in_blocks(text: str, start: int, end: int, cuts: Sequence[int]) -> Iterator[str]:
    """Yield the text from start to end, with a new block wherever one ends inside."""
    for cut in cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]:
        yield f'{as_html(text[start:cut])}</div><div class="block">'
        start = cut
    yield str(as_html(text[start:end]))


def _end_of_word(text: str, place: int) -> int:
    """Return the first end of a line or a word from here on, if one is near."""
    ends = [at for sign in ("\n", " ") if 0 <= (at := text.find(sign, place)) < place + AROUND]
    return ends[0] + 1 if ends else place


def _start_of_word(text: str, place: int) -> int:
    starts = [at for sign in ("\n", " ") if (at := text.rfind(sign, place - AROUND, place)) >= 0]
    return starts[0] + 1 if starts else place


def _shown(
    text: str,
    place: Place,
    owners: dict[ProposedEdit, list[int]],
    accepted: Sequence[bool],
    boxes: Sequence[str],
) -> Markup:
    """Return one place: what stands there, then each wording that could."""
    old = as_html(text[place.start : place.end])
    if not place.edits:
        return Markup('<span class="flagged">{}</span>').format(old) if old else Markup()
    struck = Markup("<del>{}</del>").format(old) if old else Markup()
    wordings = []
    for edit in place.edits:
        whole = text[place.start : edit.start] + edit.new + text[edit.end : place.end]
        new = Markup("<ins>{}</ins>").format(as_html(whole or "∅"))
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
"""How documents are named that are no file of their own."""


@dataclass(frozen=True)
class ListedChange:
    """One change in the list: whether it can be accepted, and where it stands."""

    change: ProposedChange
    address: str
    wording: Markup
    acceptable: bool
    accepted: bool
    instead_of: tuple[str, ...]
    """Ids of the changes that cannot be accepted with it."""


@dataclass(frozen=True)
class RewritingView:
    """The changes of one aim, as a diff, as a list and as data for the browser."""

    aim: str
    title: str
    address: str
    changes: tuple[ListedChange, ...]
    diff: Markup
    data: Markup
    new_name: str
    command: str
    """Empty where the document is no file of its own, or nothing is accepted."""
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


def rewriting_views(read: ReadDocument, address: str) -> list[RewritingView]:
    """Return one view for each aim that has changes."""
    aims = [aim for aim in AIMS if any(change.aim == aim for change in read.changes)]
    return [_view(read, aim, f"{address}{aim}") for aim in aims]


def fairer_name(name: str) -> str:
    """Return letter-fairer.txt for letter.txt, and x-row-3-fairer.txt for a row of x.csv."""
    path = PurePosixPath(name.replace("\\", "/"))
    if row := ROW.fullmatch(path.name):
        return f"{PurePosixPath(row[1]).stem}-row-{row[2]}-fairer.txt"
    if name in ("", STANDARD_INPUT):
        return "text-fairer.txt"
    return f"{path.stem}-fairer{path.suffix}"


def command(name: str, ids: Sequence[str]) -> str:
    """Return what to type to write the same text without a browser; a row of a table has none."""
    start = _start_of_command(name)
    return f"{start} --accept {shlex.quote(','.join(ids))}" if start and ids else ""


def _start_of_command(name: str) -> str:
    if ROW.fullmatch(name):
        return ""
    file = "-" if name == STANDARD_INPUT else name
    return shlex.join(["fairvec", "document", file, "--apply", fairer_name(name)])


def _view(read: ReadDocument, aim: str, address: str) -> RewritingView:
    changes = sorted(
        (change for change in read.changes if change.aim == aim),
        key=lambda change: (change.start, change.end),
    )
    against = conflicts(changes)
    accepted = select_compatible(against, changes)
    shown = tuple(
        ListedChange(
            change,
            f"{address}{number}",
            _wording(read, change),
            bool(change.edits) and number not in rivals,
            accepted[number],
            tuple(changes[rival].id for rival in rivals if rival != number),
        )
        for number, (change, rivals) in enumerate(zip(changes, against, strict=True))
    )
    boxes = [f"{one.address}box" for one in shown]
    name = read.document.name
    chosen = [one.change.id for one in shown if one.accepted]
    return RewritingView(
        aim,
        AIMS[aim],
        address,
        shown,
        diff_text(read.text, changes, accepted, [_note(one) for one in shown], boxes),
        _data(read, shown, against),
        fairer_name(name),
        command(name, chosen),
        bool(_start_of_command(name)),
    )


def _wording(read: ReadDocument, change: ProposedChange) -> Markup:
    """Return old → new of each edit, or the flagged words."""
    language = read.document.language
    if not change.edits:
        quote = shortened_quote(read.text[change.start : change.end])
        return Markup('<b lang="{}">{}</b>').format(language, as_html(quote))
    pair = Markup('<span class="pair-of" lang="{}"><del>{}</del> → <ins>{}</ins></span>')
    return Markup(", ").join(
        pair.format(
            language,
            as_html(shortened_quote(edit.old)) or "∅",
            as_html(shortened_quote(edit.new)) or "∅",
        )
        for edit in change.edits
    )


def _note(one: ListedChange) -> Markup:
    """Return a change as it floats in the margin, with its check box if it can be accepted."""
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
        why=escape_control(change.why),
        rivals=escape_control(rivals),
        rule=escape_control(change.rule),
        id=escape_control(change.id),
    )


def _data(
    read: ReadDocument, shown: Sequence[ListedChange], against: Sequence[Sequence[int]]
) -> Markup:
    """Return what the browser needs to make the new text; places count as it counts them."""
    places = utf16_places(read.text)
    data = {
        "before": _start_of_command(read.document.name),
        "file": fairer_name(read.document.name),
        "changes": [
            {
                "id": one.change.id,
                "rule": one.change.rule,
                "box": f"{one.address}box" if one.acceptable else "",
                "edits": [
                    [places[edit.start], places[edit.end], edit.new] for edit in one.change.edits
                ],
                "against": rivals,
            }
            for one, rivals in zip(shown, against, strict=True)
        ],
    }
    return as_json(data)


def as_json(data: object) -> Markup:
    """Return JSON that may stand in a script element: nothing in it can end the element."""
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(written.replace("<", "\\u003c").replace("\0", "\\u0000"))  # noqa: S704  (see above)

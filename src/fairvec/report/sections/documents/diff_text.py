"""The text as a diff: what would go is struck, what would come is underlined, in one text."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from fairvec.ground.numbers import counted
from fairvec.report.sections.documents.plain_text import as_html, block_ends
from fairvec.results.documents import ProposedChange, ProposedEdit

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
            left = counted(tail - head, "character")
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

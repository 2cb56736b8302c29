"""Which proposed changes cannot stand together, and whether they fit their text at all."""

from collections.abc import Iterable, Sequence

from fairvec.ground.errors import SettingError
from fairvec.results.documents import ProposedChange, ProposedEdit, ReadDocument


def clash(one: ProposedEdit, other: ProposedEdit) -> bool:
    """Return whether two edits cannot both be made; the same edit twice is made once."""
    if one == other:
        return False
    return one.start == other.start or (one.start < other.end and other.start < one.end)


def conflicts(changes: Sequence[ProposedChange]) -> list[list[int]]:
    """Return for each change the numbers of those that cannot be accepted with it."""
    against: list[set[int]] = [set() for _ in changes]
    places = sorted(
        ((edit, number) for number, change in enumerate(changes) for edit in change.edits),
        key=lambda place: (place[0].start, place[0].end),
    )
    near: list[tuple[ProposedEdit, int]] = []
    for edit, number in places:
        near = [
            (other, owner)
            for other, owner in near
            if other.end > edit.start or other.start == edit.start
        ]
        for other, owner in near:
            if clash(edit, other):
                against[number].add(owner)
                against[owner].add(number)
        near.append((edit, number))
    return [sorted(numbers) for numbers in against]


def accepted_at_first(
    against: Sequence[Iterable[int]], changes: Sequence[ProposedChange]
) -> list[bool]:
    """Return whether each change is accepted before a person decides: the first of rivals is."""
    chosen: list[bool] = []
    for number, (change, rivals) in enumerate(zip(changes, against, strict=True)):
        free = not any(rival == number or (rival < number and chosen[rival]) for rival in rivals)
        chosen.append(bool(change.edits) and free)
    return chosen


def check_places(read: ReadDocument) -> None:
    """Raise an error that names the first mark or change that does not fit the text."""
    text, name = read.text, read.document.name
    for mark in read.marks:
        if not 0 <= mark.start < mark.end <= len(text):
            raise SettingError(
                f"{name}: a mark from character {mark.start} to {mark.end} does not lie in a text "
                f"of {len(text)}; read the document again."
            )
    for change in read.changes:
        for edit in change.edits:
            inside = 0 <= edit.start <= edit.end <= len(text)
            if not inside or text[edit.start : edit.end] != edit.old:
                raise SettingError(
                    f"{name}: the change {change.id!r} does not fit the text at character "
                    f"{edit.start}; read the document again."
                )
        if not 0 <= change.start <= change.end <= len(text):
            raise SettingError(
                f"{name}: the change {change.id!r} does not lie in the text; read the document "
                "again."
            )

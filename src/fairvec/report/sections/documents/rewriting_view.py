"""A fairer version of one document towards one aim: all that its part of the page needs."""

import json
import re
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from markupsafe import Markup

from fairvec.ground.text.enumerations import listed
from fairvec.ground.text.visible_text import visible
from fairvec.report.sections.documents.conflicts import accepted_at_first, conflicts
from fairvec.report.sections.documents.diff_text import diff_text
from fairvec.report.sections.documents.plain_text import (
    as_html,
    shortened_quote,
    utf16_places,
)
from fairvec.results.documents import ProposedChange, ReadDocument

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
    accepted = accepted_at_first(against, changes)
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
    rivals = f" Not together with {listed(one.instead_of)}." if one.instead_of else ""
    return Markup(
        '<span class="note {kind} of-{side}" id="{address}" lang="en">{head} {why}{rivals} '
        "<small>{rule} · {id}</small></span>"
    ).format(
        kind="change" if one.acceptable else "flag",
        side=change.side or "none",
        address=one.address,
        head=head,
        why=visible(change.why),
        rivals=visible(rivals),
        rule=visible(change.rule),
        id=visible(change.id),
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

"""A fairer version of documents, written to a new place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.io.atomic_files import atomic_path
from fairvec.core.io.read_files import path_taken
from fairvec.documents.check import DocumentReport, DocumentsReport
from fairvec.languages.rewriting import Aim, Edit, Proposal, apply_edits


@dataclass(frozen=True)
class AppliedChanges:
    """What was written where: changes made, and those left out because they meet another one."""

    path: Path
    documents: int
    changes: int
    left_out: int


def apply_changes(
    judged: DocumentsReport,
    path: Path,
    *,
    aim: Aim = "neutral",
    accept: Sequence[str] | None = None,
    folder: Path | None = None,
) -> AppliedChanges:
    """Write the documents with all certain changes of an aim, or with those named by `accept`.

    One document becomes one file; a `folder` becomes a folder of files with the same names. Nothing
    is ever written over. Of two changes that meet at one place, the first is made.
    """
    refuse_taken(path)
    documents = judged.documents
    if any(one.text.source.of_table for one in documents):
        raise SettingError("Rows of a table are not rewritten; save the text as a file of its own.")
    if folder is None and len(documents) > 1:
        raise SettingError(
            f"{len(documents)} documents were named, and --apply writes one; name one, or a folder."
        )
    if accept is not None and len(documents) > 1:
        raise SettingError("Changes are accepted by their ids in one document; name one.")
    if absent := next((one for one in documents if aim not in one.changes), None):
        raise SettingError(f"{absent.text.document.name} is not rewritten: {absent.lacking}")
    chosen = [_chosen(one, aim, accept) for one in documents]
    with atomic_path(path) as draft:
        for one, (made, _) in zip(documents, chosen, strict=True):
            source = one.text.source
            place = draft
            if folder is not None and source.path is not None:
                place = draft / source.path.relative_to(folder)
                place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(source.content(apply_edits(source.text, made)))
    return AppliedChanges(
        path, len(documents), sum(len(made) for made, _ in chosen), sum(out for _, out in chosen)
    )


def refuse_taken(path: Path) -> None:
    """Raise where something is there already, be it a link."""
    if path_taken(path):
        raise SettingError(f"{path} exists already, and nothing is written over; name a new place.")


def _chosen(
    judged: DocumentReport, aim: Aim, accept: Sequence[str] | None
) -> tuple[list[Proposal], int]:
    """Return the changes to make, and how many are left out because they meet another one."""
    every = {id: one for named in judged.changes.values() for id, one in named.items()}
    if accept is None:
        return _apart(one for one in judged.changes[aim].values() if one.certain)
    for id in accept:
        if id not in every:
            raise UnknownNameError("change", id, every)
        if not every[id].certain:
            raise SettingError(f"{id} is only flagged, and no rule is certain what to write there.")
    return [every[id] for id in dict.fromkeys(accept)], 0


def _apart(proposals: Iterable[Proposal]) -> tuple[list[Proposal], int]:
    """Keep the proposals whose edits meet none of an earlier one, unless both make the same."""
    kept: list[Proposal] = []
    taken: dict[int, Edit] = {}
    left_out = 0
    for one in proposals:
        places = {
            at: edit
            for edit in one.edits
            for at in range(edit.start, max(edit.end, edit.start + 1))
        }
        if any(at in taken and taken[at] != edit for at, edit in places.items()):
            left_out += 1
            continue
        taken |= places
        kept.append(one)
    return kept, left_out

"""Write documents with accepted changes to a new place; nothing is ever overwritten."""

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
    if any(report.text.source.is_row for report in documents):
        raise SettingError("Rows of a table are not rewritten; save the text as a file of its own.")
    if folder is None and len(documents) > 1:
        raise SettingError(
            f"{len(documents)} documents were named, and --apply writes one; name one, or a folder."
        )
    if accept is not None and len(documents) > 1:
        raise SettingError("Changes are accepted by their ids in one document; name one.")
    if not_rewritten := next((report for report in documents if aim not in report.changes), None):
        raise SettingError(
            f"{not_rewritten.text.document.name} is not rewritten: {not_rewritten.no_rules_reason}"
        )
    chosen = [_select_changes(report, aim, accept) for report in documents]
    with atomic_path(path) as draft:
        for report, (made, _) in zip(documents, chosen, strict=True):
            source = report.text.source
            target = draft
            if folder is not None and source.path is not None:
                target = draft / source.path.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.encode(apply_edits(source.text, made)))
    return AppliedChanges(
        path, len(documents), sum(len(made) for made, _ in chosen), sum(out for _, out in chosen)
    )


def refuse_taken(path: Path) -> None:
    """Raise SettingError if the path exists, even as a broken link."""
    if path_taken(path):
        raise SettingError(f"{path} exists already, and nothing is written over; name a new place.")


def _select_changes(
    report: DocumentReport, aim: Aim, accept: Sequence[str] | None
) -> tuple[list[Proposal], int]:
    """Return the changes to make, and how many are left out because they meet another one."""
    by_id = {id: change for changes in report.changes.values() for id, change in changes.items()}
    if accept is None:
        return _without_overlaps(
            change for change in report.changes[aim].values() if change.certain
        )
    for id in accept:
        if id not in by_id:
            raise UnknownNameError("change", id, by_id)
        if not by_id[id].certain:
            raise SettingError(f"{id} is only flagged, and no rule is certain what to write there.")
    return [by_id[id] for id in dict.fromkeys(accept)], 0


def _without_overlaps(proposals: Iterable[Proposal]) -> tuple[list[Proposal], int]:
    """Keep proposals whose edits overlap no earlier one; an identical edit is no overlap."""
    compatible: list[Proposal] = []
    taken: dict[int, Edit] = {}
    left_out = 0
    for proposal in proposals:
        places = {
            position: edit
            for edit in proposal.edits
            for position in range(edit.start, max(edit.end, edit.start + 1))
        }
        if any(position in taken and taken[position] != edit for position, edit in places.items()):
            left_out += 1
            continue
        taken |= places
        compatible.append(proposal)
    return compatible, left_out

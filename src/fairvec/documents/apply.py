"""Write documents with accepted changes to a new place, or fix findings in the files themselves."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from itertools import compress
from pathlib import Path

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.io.atomic_files import atomic_path
from fairvec.core.io.read_files import path_exists
from fairvec.documents.check import AIMS, DocumentReport, DocumentsReport
from fairvec.documents.read import Source
from fairvec.results.documents import (
    Aim,
    DocumentFinding,
    TextChange,
    apply_edits,
    conflicts,
    select_compatible,
)


@dataclass(frozen=True)
class AppliedChanges:
    """What was written where: changes made, and those left out because they meet another one."""

    path: Path
    documents: int
    changes: int
    left_out: int


def apply_changes(
    report: DocumentsReport,
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
    require_new_path(path)
    documents = report.documents
    if any(each.text.source.is_row for each in documents):
        raise SettingError("Rows of a table are not rewritten; save the text as a file of its own.")
    if folder is None and len(documents) > 1:
        raise SettingError(
            f"{len(documents)} documents were named, and --apply writes one; name one, or a folder."
        )
    if accept is not None and len(documents) > 1:
        raise SettingError("Changes are accepted by their ids in one document; name one.")
    for each in documents:
        if reason := each.checked.no_rules_reason:
            raise SettingError(f"{each.text.source.name} is not rewritten: {reason}")
    chosen = [_select_changes(each, aim, accept) for each in documents]
    with atomic_path(path) as draft:
        for each, (made, _) in zip(documents, chosen, strict=True):
            source = each.text.source
            target = draft
            if folder is not None and source.path is not None:
                target = draft / source.path.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.encode(apply_edits(source.text, made)))
    return AppliedChanges(
        path, len(documents), sum(len(made) for made, _ in chosen), sum(out for _, out in chosen)
    )


def require_new_path(path: Path) -> None:
    """Raise SettingError if the path exists, even as a broken link."""
    if path_exists(path):
        raise SettingError(f"{path} exists already, and nothing is written over; name a new place.")


def _select_changes(
    report: DocumentReport, aim: Aim, accept: Sequence[str] | None
) -> tuple[list[TextChange], int]:
    """Return the changes to make, and how many are left out because they meet another one."""
    if accept is None:
        certain = [change for change in report.changes(aim) if change.certain]
        made = [*compress(certain, select_compatible(conflicts(certain), certain))]
        return made, len(certain) - len(made)
    by_id = {change.id: change for aim in AIMS for change in report.changes(aim)}
    for id in accept:
        if id not in by_id:
            raise UnknownNameError("change", id, by_id)
        if not by_id[id].certain:
            raise SettingError(f"{id} is only flagged, and no rule is certain what to write there.")
    return [by_id[id] for id in dict.fromkeys(accept)], 0


# Fixes of findings, in the files themselves.


def fixed_text(
    source: Source, found: Sequence[DocumentFinding]
) -> tuple[str, list[DocumentFinding]]:
    """Return a text with all certain changes of its findings, and those that were made.

    Of two changes that meet at one place, the first is made.
    """
    certain = [finding for finding in found if finding.certain]
    made = [*compress(certain, select_compatible(conflicts(certain), certain))]
    return apply_edits(source.text, made), made


def fix_files(found: Iterable[tuple[Source, Sequence[DocumentFinding]]]) -> list[DocumentFinding]:
    """Make the certain changes of findings in the files of their texts; return those made.

    Each file is replaced as a whole, in the encoding that it had. Rows of a table and standard
    input are left alone.
    """
    fixed: list[DocumentFinding] = []
    for source, of_source in found:
        text, made = fixed_text(source, of_source)
        if made and source.path is not None:
            content = source.encode(text)
            with atomic_path(source.path) as draft:
                draft.write_bytes(content)
            fixed += made
    return fixed


def diff_of_fixes(source: Source, found: Sequence[DocumentFinding]) -> Iterator[str]:
    """Give the lines of a unified diff of what fixes would change in a text."""
    text, _ = fixed_text(source, found)
    before, after = (each.replace("\r", "").split("\n") for each in (source.text, text))
    yield from unified_diff(before, after, source.name, source.name, lineterm="")

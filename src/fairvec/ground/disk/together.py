"""Files that take their places together: a reader sees all of one run, or hears that it does not.

A run leaves several files, and no system replaces several files in one step. So all are drafted in
a hidden folder first; a mark then names them and their drafts; each draft takes its place by a
rename; and the mark goes. Who is killed in between leaves the mark and those drafts that were not
moved: by them a reader knows which part is of which run, and the next run clears both away. A lock
of the folder, which the system frees however its process ends, lets one run at a time do this, so
that of two the last is whole.

Two other ways were weighed. An id in every part has no room in vectors as text or in CSV, would
call records that were joined by hand and pages that were copied a mixture, and lets the mixture
arise. Exchanging the whole folder would take what else lies there with it, and a debiased model
lies beside its folder. Here the parts are the same bytes as ever, and a part that is named, copied
or moved alone is read as it is. A crash of the whole machine is not covered: the content of each
file is on the disk before its rename, but the order of the renames is the system's.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fairvec.ground.disk.drafts import made, scratch
from fairvec.ground.disk.files import no_more_open, put, write_text
from fairvec.ground.disk.folder_lock import alone_in
from fairvec.ground.disk.places import file_behind
from fairvec.ground.disk.unfinished import MARK, Unfinished, mark_of, waiting_room, whole_path
from fairvec.ground.errors import FileFormatError


@contextmanager
def replacing_together(
    folder: Path, *, gone: Iterable[str] = (), around: bool = False
) -> Iterator[Path]:
    """Yield a folder for drafts, all of which take their places once the block ends.

    A draft's place is where it lies in the yielded folder as seen from `folder`, or from the one
    `around` it, which is drafted with the name of the folder in it. `gone` are names of files in
    the folder that the new set does not have, and that go with the old one. Records (.jsonl) come
    last, so that those who know no marks see them last.
    """
    folder = whole_path(folder)
    place = folder.parent if around else folder
    with made(place), scratch(place) as drafts:
        yield drafts
        found = (path.relative_to(drafts) for path in drafts.rglob("*") if path.is_file())
        names = sorted(found, key=lambda name: (name.suffix == ".jsonl", name))
        parts = tuple(place / name for name in names)
        for part in parts:
            file_behind(part)  # what cannot be written is refused before anything moves
        new = not folder.exists()
        with made(folder), alone_in(folder):
            for part in parts:
                if new and part.parent != folder and part.exists():
                    no_more_open(folder, (drafts / name for name in names), than=part)
            left = (folder / name for name in gone)
            _put_all(folder, drafts, parts, tuple(path for path in left if os.path.lexists(path)))


def _put_all(folder: Path, drafts: Path, parts: tuple[Path, ...], gone: tuple[Path, ...]) -> None:
    """Put drafts in place; whoever calls this is alone in the folder."""
    before = _without_drafts(folder)
    # Out of reach of those who sweep drafts of the dead: these say what became of the others.
    ready = drafts.replace(waiting_room(folder, drafts.parent))
    mark = Unfinished(folder, ready, parts, gone, before.doubtful if before else ())
    try:
        _write(mark)
        for part in parts:
            draft = mark.draft_of(part)
            put(draft, part)
            draft.unlink(missing_ok=True)  # it was copied where a link leads to another disk
        for part in gone:
            part.unlink(missing_ok=True)
    finally:
        _without_drafts(folder)


def _without_drafts(folder: Path) -> Unfinished | None:
    """Remove the drafts of a run that has ended; what they tell is written into the mark before."""
    mark = _readable(folder)
    drafts = mark.drafts if mark else None
    if mark and drafts:
        mark = mark.settled()
        _write(mark)
    rooms = {waiting_room(folder, place) for place in (folder, folder.parent)}
    if drafts and drafts.parent == folder:
        rooms.add(drafts)  # of a folder that was called otherwise then
    for room in rooms:
        shutil.rmtree(room, ignore_errors=True)
    return mark


def write_alone(path: Path, text: str) -> None:
    """Write one part of a run as text, whole or not at all; what it was before is forgotten."""
    write_text(path, text)
    renewed(path.parent, path.name)


def renewed(folder: Path, *names: str) -> None:
    """Note that files of a folder were written anew and go together: no mark names them now."""
    if _readable(folder) is None:
        return
    with alone_in(folder):
        if mark := _without_drafts(whole_path(folder)):
            anew = [mark.folder / name for name in names]
            left = tuple(path for path in mark.doubtful if path not in anew)
            _write(Unfinished(mark.folder, None, (), (), left))


def refuse_mixed(folder: Path) -> None:
    """Raise if the files of a folder are of two runs: one sentence says which are of which."""
    if mark_of(folder) is None:
        return
    # Whoever is at it now is waited for.
    with alone_in(folder):
        mark = mark_of(folder)
    if mark and (told := mark.told(folder)):
        raise FileFormatError(told)


def _readable(folder: Path) -> Unfinished | None:
    """Return the mark that a writer builds on; a damaged one is for readers to hear of."""
    with suppress(FileFormatError):
        return mark_of(folder)
    return None


def _write(mark: Unfinished) -> None:
    if mark.drafts or mark.old:
        write_text(mark.folder / MARK, mark.as_json())
    else:
        (mark.folder / MARK).unlink(missing_ok=True)

"""Writing files whole or not at all: drafts, one file, and several files together."""

import errno
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EDQUOT, EFBIG, ENOSPC
from hashlib import sha256
from pathlib import Path, PurePosixPath
from platform import node
from tempfile import gettempdir, mkdtemp
from typing import Any

from fairvec.core.errors import FileFormatError, SettingError, os_reason
from fairvec.core.format import join_words
from fairvec.core.io.locks import lock_folder
from fairvec.core.io.read_files import file_kind, path_taken, resolve_target
from fairvec.core.text import escape_control

# Folders for work under way: gone when the work ends, or when a later run finds them orphaned.


HOST = sha256(node().encode("utf-8", "surrogateescape")).hexdigest()[:8]
"""Stands in the name of a draft: on a shared disk nobody can tell who lives on another machine."""

OURS = re.compile(rf"\.fairvec-{HOST}-\w{{8}}\.draft")
_swept: set[Path] = set()

DISK_FULL = (ENOSPC, EDQUOT, EFBIG)
"""What a system says when no more can be written, and of which file it does not say."""

# The system frees such a lock when its process ends, however it ends: a draft whose lock can be
# had is an orphan. Windows locks no folders, so that orphans stay there.
if sys.platform == "win32":

    def _locked(folder: Path) -> int | None:
        return None
else:
    import fcntl

    def _locked(folder: Path) -> int | None:
        """Return a handle that holds the lock of a folder; None where folders cannot be locked.

        BlockingIOError if somebody else has it, FileNotFoundError if the folder is gone.
        """
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            folder.stat()  # who swept it in between has taken it away
        except OSError as error:
            os.close(handle)
            if isinstance(error, BlockingIOError | FileNotFoundError):
                raise
            return None
        return handle


@contextmanager
def scratch_folder(parent: Path | None = None) -> Iterator[Path]:
    """Yield a new hidden folder in `parent`, or where temporary files lie; it goes with the block.

    A process that is killed cannot clean up, so the first draft that a process makes in a folder
    takes away those of processes of this machine and user that live no more. Its name has the same
    length whatever will lie in it, and nobody else may look into it. A disk that is full is named.
    """
    place = Path(gettempdir()) if parent is None else parent
    if place.absolute() not in _swept:
        _swept.add(place.absolute())
        remove_stale_drafts(place)
    folder, lock = _made(place)
    try:
        yield folder
    except OSError as error:
        if error.errno in DISK_FULL and not error.filename:
            error.filename = str(visible_parent(place))
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


@contextmanager
def make_folder(folder: Path) -> Iterator[None]:
    """Make a folder and those around it; those that are new and empty go if the block fails."""
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:  # raised again, when what was made is gone
        with suppress(OSError):
            for each in new:
                each.rmdir()
        raise


def is_draft(path: Path) -> bool:
    """Say whether a path is called as drafts of this machine are."""
    return OURS.fullmatch(path.name) is not None


def visible_parent(place: Path) -> Path:
    """Return the folder that a user knows: the place, or the one around the drafts it lies in."""
    hidden = [each for each in (place, *place.parents) if is_draft(each)]
    return hidden[-1].parent if hidden else place


def remove_stale_drafts(place: Path) -> None:
    """Remove the drafts in a folder whose makers live no more; those of others stay."""
    if sys.platform == "win32":
        return
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if not OURS.fullmatch(entry.name):
                continue
            with suppress(OSError):  # who is quicker, or may not look, changes nothing for us
                if entry.stat(follow_symlinks=False).st_uid != os.geteuid():
                    continue
                if (lock := _locked(Path(entry.path))) is not None:
                    shutil.rmtree(entry.path, ignore_errors=True)
                    os.close(lock)


def _made(place: Path) -> tuple[Path, int | None]:
    """Make a folder and lock it; one that a sweep took between the two is made again.

    Where folders cannot be locked, as on some disks of a network, none is ever swept.
    """
    while True:
        folder = Path(mkdtemp(prefix=f".fairvec-{HOST}-", suffix=".draft", dir=place))
        with suppress(FileNotFoundError, BlockingIOError):
            return folder, _locked(folder)


Progress = Callable[[int, int], None]
"""Called with (bytes done, bytes in all; 0 if not known)."""

NOT_OFFERED = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
"""What a disk that cannot be waited for says, as some of a network are."""


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a draft path that takes the place of `path` once the block ends without an error.

    The draft lies in a hidden folder beside it, so the last step is one atomic rename, and an
    interrupted write leaves what was there before. How it takes its place is said by
    `move_into_place`. A file for which there is no room is named.
    """
    file = resolve_target(path)
    with make_folder(file.parent), scratch_folder(file.parent) as folder, _named_if_full(path):
        draft = folder / path.name  # whose ending says how it is written
        yield draft
        move_into_place(draft, path)


@contextmanager
def _named_if_full(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        known = visible_parent(path.parent) == path.parent  # a user knows no draft of a draft
        if error.errno in DISK_FULL and not error.filename and known:
            error.filename = str(path)
        raise


def move_into_place(draft: Path, path: Path) -> None:
    """Let a finished file, or a new folder, take the place of `path`.

    A link stays, and what it leads to is replaced. The new file has the mode of the old one, and
    its owner and group as far as that is allowed; without an old one the umask decides. Another
    hard link to the old file keeps the old content. What is no plain file is refused.
    """
    file = resolve_target(path)
    if visible_parent(file.parent) == file.parent:  # what is a draft still has its turn to come
        _reach_the_disk(draft)
    with suppress(FileNotFoundError):
        _own_as(draft, file.stat())
    try:
        draft.replace(file)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # A link leads to another disk, where the rename would be no single step.
        with scratch_folder(file.parent) as folder:
            shutil.copy2(draft, folder / "copy")
            _reach_the_disk(folder / "copy")
            with suppress(FileNotFoundError):
                _own_as(folder / "copy", file.stat())
            (folder / "copy").replace(file)


def _reach_the_disk(draft: Path) -> None:
    """Wait until the content of a draft is on the disk.

    A system may write a name before the content it leads to: without this a file that was renamed
    just before the power failed would be empty, and what it replaced gone.
    """
    for each in (part for part in (draft, *draft.rglob("*")) if part.is_file()):
        handle = os.open(each, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            os.fsync(handle)
        except OSError as error:
            if error.errno not in NOT_OFFERED:
                raise
        finally:
            os.close(handle)


def _own_as(draft: Path, old: os.stat_result) -> None:
    """Give a draft the owner, group and mode of the file that it replaces."""
    mode = old.st_mode & 0o777
    if hasattr(os, "chown"):
        for owner in (old.st_uid, -1):  # who may not give a file away may still share it
            with suppress(OSError):  # not allowed, or in a container without such a user
                os.chown(draft, owner, old.st_gid)
                break
        if draft.stat().st_gid != old.st_gid:
            mode &= 0o707 | mode << 3  # another group may do no more than everybody
    draft.chmod(mode)


def restrict_permissions(folder: Path, parts: Iterable[Path], than: Path) -> None:
    """Let a new folder be seen by none but those who may see a file.

    It and the `parts` that it will hold belong to the owner of the file, as far as that is allowed.
    """
    file = than.stat()
    seen = file.st_mode & 0o066
    mode = folder.stat().st_mode & (0o700 | seen | (seen & 0o044) >> 2)
    if hasattr(os, "chown"):
        with suppress(OSError):  # as above
            for each in (*parts, folder):
                os.chown(each, file.st_uid, file.st_gid)
    folder.chmod(mode)


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8 to `path`, whole or not at all; half characters as their numbers."""
    with atomic_path(path) as draft:
        draft.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


# The mark of files that are put in place together: while it lies there, they may be of two.


MARK = ".fairvec-unfinished.json"
ROOM = re.compile(r"\.fairvec-[0-9a-f]{16}\.parts")
LARGEST = 1 << 16
"""Bytes of a mark: some names."""


@dataclass(frozen=True)
class Unfinished:
    """What is being put in place in a folder, and what was in doubt there before.

    `parts` come from the folder `drafts`, in which each lies as seen from the folder around it;
    without `drafts` all of them are in place. `gone` are to be removed. `old` are files that are
    not of the run that wrote the others.
    """

    folder: Path
    drafts: Path | None
    parts: tuple[Path, ...]
    gone: tuple[Path, ...]
    old: tuple[Path, ...]

    def draft_of(self, part: Path) -> Path:
        """Return where a part was drafted."""
        return part if self.drafts is None else self.drafts / part.relative_to(self.drafts.parent)

    @property
    def waiting(self) -> tuple[Path, ...] | None:
        """The parts whose turn has not come; None if that cannot be told any more."""
        if self.drafts is None:
            return ()
        try:
            self.drafts.lstat()
            drafted = [part for part in self.parts if _lies(self.draft_of(part))]
        except OSError:  # others may not look into it, or it was swept away
            return None
        return (*drafted, *(part for part in self.gone if os.path.lexists(part)))

    def settled(self) -> "Unfinished":
        """Return the same without drafts: what is in place now, and what is still the old."""
        every, waiting = (*self.parts, *self.gone), self.waiting
        if waiting is None:
            return Unfinished(self.folder, None, (), (), _once(every, self.old))
        if len(waiting) == len(every):
            return Unfinished(self.folder, None, (), (), self.old)
        done = tuple(part for part in every if part not in waiting)
        old = tuple(part for part in _once(waiting, self.old) if part not in done)
        put = tuple(part for part in done if part in self.parts)
        return Unfinished(self.folder, None, put, (), old)

    @property
    def doubtful(self) -> tuple[Path, ...]:
        """All files that are not known to be of one run; what is written after must have them."""
        now = self.settled()
        return _once(now.parts, now.old) if now.old else ()

    def told(self, called: Path) -> str:
        """Say which files are of which run; nothing if all are of one."""
        now = self.settled()
        if not now.old:
            return ""
        there = [part for part in now.old if os.path.lexists(part)]
        lacking = [part for part in now.old if part not in there]
        holds, while_ = "parts of two runs", "one was interrupted while it put them in place"
        if self.waiting is None:
            which = [f"any of {_names(now.old)} may be of the other"]
        elif there:
            which = [f"{_are(now.parts)} of the later"] if now.parts else []
            which += [f"{_are(there)} of {'the earlier' if which else 'another than the rest'}"]
            which += [f"{_are(lacking)} not there yet"] if lacking else []
        else:
            holds, while_ = "a part of a run", "it was interrupted while it put them in place"
            which = [f"{_are(lacking)} not there yet"]
        return (
            f"{called} holds {holds}, because {while_}: {', '.join(which)}; run it again, or name "
            "one file to read that alone."
        )

    def as_json(self) -> str:
        """Return the mark as it is written, with places as they are seen from the folder."""
        drafts = None if self.drafts is None else self._seen(self.drafts)
        said: dict[str, Any] = {"drafts": drafts}
        for name in ("parts", "gone", "old"):
            said[name] = [self._seen(part) for part in getattr(self, name)]
        return json.dumps(said) + "\n"

    def _seen(self, path: Path) -> str:
        return path.name if path.parent == self.folder else f"../{path.name}"


def mark_of(called: Path) -> Unfinished | None:
    """Read the mark of a folder; None where there is none, as nearly always."""
    folder = whole_path(called)
    file = folder / MARK
    try:
        if file_kind(file):
            raise ValueError(file)
        with file.open("rb") as opened:
            said = json.loads(opened.read(LARGEST))  # names of files may hold half characters
        drafts = None if said["drafts"] is None else _place(folder, said["drafts"])
        if drafts and not ROOM.fullmatch(drafts.name):
            raise ValueError(drafts)
        parts, gone, old = (_places(folder, said[name]) for name in ("parts", "gone", "old"))
        return Unfinished(folder, drafts, parts, gone, old)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise FileFormatError(
            f"{called / MARK} is damaged, so that nobody can say whether the files beside it are "
            "of one run; remove it, and run what wrote them again."
        ) from None


def waiting_room(folder: Path, place: Path) -> Path:
    """Return where in a place the drafts for a folder wait for their turns."""
    name = sha256(os.fsencode(folder.name)).hexdigest()[:16]  # as long whatever it is called
    return place / f".fairvec-{name}.parts"


def whole_path(path: Path) -> Path:
    """Return a path from the root: dots would hide what lies around a folder.

    A folder that is a link stays one, because a model lies beside the link.
    """
    return path.resolve() if path.name in ("", "..") else path.parent.resolve() / path.name


def _places(folder: Path, names: Any) -> tuple[Path, ...]:
    if not isinstance(names, list):
        raise TypeError(names)
    return tuple(_place(folder, name) for name in names)


def _place(folder: Path, name: Any) -> Path:
    """Return a place that a mark names; whoever wrote it, none but in the folder or beside it."""
    if not isinstance(name, str):
        raise TypeError(name)
    inside = name.removeprefix("../")
    if PurePosixPath(inside).parts != (inside,) or inside in ("..", "") or "\0" in inside:
        raise ValueError(name)
    os.fsencode(inside)  # raises where no file can be called so
    return (folder if inside == name else folder.parent) / inside


def _lies(path: Path) -> bool:
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    return True


def _once(*lists: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(path for each in lists for path in each))


def _names(paths: Sequence[Path]) -> str:
    return join_words([escape_control(path.name, but="") for path in paths])


def _are(paths: Sequence[Path]) -> str:
    return f"{_names(paths)} {'is' if len(paths) == 1 else 'are'}"


# Files that take their places together: a reader sees all of one run, or hears that it does not.


@contextmanager
def atomic_file_set(
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
    with make_folder(place), scratch_folder(place) as drafts:
        yield drafts
        found = (path.relative_to(drafts) for path in drafts.rglob("*") if path.is_file())
        names = sorted(found, key=lambda name: (name.suffix == ".jsonl", name))
        parts = tuple(place / name for name in names)
        for part in parts:
            resolve_target(part)  # what cannot be written is refused before anything moves
        new = not folder.exists()
        with make_folder(folder), lock_folder(folder):
            for part in parts:
                if new and part.parent != folder and part.exists():
                    restrict_permissions(folder, (drafts / name for name in names), than=part)
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
            move_into_place(draft, part)
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
    with lock_folder(folder):
        if mark := _without_drafts(whole_path(folder)):
            anew = [mark.folder / name for name in names]
            left = tuple(path for path in mark.doubtful if path not in anew)
            _write(Unfinished(mark.folder, None, (), (), left))


def refuse_mixed(folder: Path) -> None:
    """Raise if the files of a folder are of two runs: one sentence says which are of which."""
    if mark_of(folder) is None:
        return
    # Whoever is at it now is waited for.
    with lock_folder(folder):
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


MOST_NEW_FOLDERS = 100
"""Folders in one another are made and removed by functions that call themselves."""


def check_writable_file(path: Path, *, force: bool = False, forcible: bool = True) -> None:
    """Raise now, and not after hours, if a file cannot be written there or should not be.

    A plain file is written over only by `force`, and nothing else ever is; `forcible` says whether
    there is such an option to name.
    """
    try:
        file = resolve_target(path)
        if file.exists() and not force:
            way = ", or say --force (force=True)" if forcible else ""
            raise SettingError(f"{path} exists already; choose another name{way}.")
        _try_writing(file)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def _try_writing(file: Path) -> None:
    """Write and remove a file of this name, with the folders that it needs, in a draft.

    The folders themselves are not made: a second process might just be about to write there.
    """
    there = next(filter(path_taken, file.parents), file.parents[-1])
    if len(file.relative_to(there).parts) > MOST_NEW_FOLDERS:
        raise OSError(errno.ENAMETOOLONG, "too many new folders in one another")
    with scratch_folder(there) as folder:
        tried = folder / file.relative_to(there)  # a name may be too long, or what no disk can hold
        tried.parent.mkdir(parents=True, exist_ok=True)
        tried.touch()


def _unwritable(path: Path, error: Exception) -> SettingError:
    return SettingError(
        f"{path}: nothing can be written there ({os_reason(error)}); name another place."
    )


def check_writable_folder(path: Path, *names: str, force: bool = True) -> None:
    """Raise now, and not after hours, if files of these names cannot be written into a folder.

    Without `force` none of the files may be there; what else lies there stays. The folder is not
    made: work that fails leaves nothing behind.
    """
    try:
        _refuse_no_folder(path)
        for name in names:
            file = resolve_target(path / name)
            if file.exists() and not force:
                raise SettingError(
                    f"{path / name} exists already; choose another folder, or say --force "
                    "(force=True)."
                )
        _try_writing(path / "results.jsonl")
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def _refuse_no_folder(path: Path) -> None:
    if not path.is_dir() and path_taken(path):
        kind = file_kind(path) or ("a file" if path.exists() else "a link that leads nowhere")
        raise SettingError(f"{path} is {kind}, and a folder is needed; choose another name.")


def check_overwrites_markup(path: Path, what: str) -> None:
    """Raise if a file of markup, which no option forces, would replace a file that is none.

    An earlier one is written over, as it is made of what lies elsewhere; `what` says what it is.
    """
    file = resolve_target(path)
    if not file.is_file():
        return
    with file.open("rb") as opened:
        begins = opened.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    if begins and not begins.startswith(b"<"):
        raise SettingError(
            f"{path} exists already and is no {what}; choose another name, or remove it."
        )


def is_empty_folder(folder: Path) -> bool:
    """Say whether nothing lies in a folder but drafts of fairvec, of the living or the dead."""
    return folder.is_dir() and all(map(is_draft, folder.iterdir()))

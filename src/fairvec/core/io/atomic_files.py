"""Atomic writes: one file, or several files of a run, appear complete or not at all.

Work under way lies in hidden draft folders next to its target, locked by their process; the drafts
of processes that were killed are removed by a later run. Files that belong together are moved into
place under a lock, with a mark in the folder (`Unfinished`) from which a reader can tell, after an
interruption, which file is of which run.
"""

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

HOST = sha256(node().encode("utf-8", "surrogateescape")).hexdigest()[:8]
"""Part of a draft's name: on a shared disk, processes of other machines cannot be checked."""

DRAFT_NAME = re.compile(rf"\.fairvec-{HOST}-\w{{8}}\.draft")
_swept: set[Path] = set()

DISK_FULL = (ENOSPC, EDQUOT, EFBIG)
"""Error numbers of a full disk, which come without the name of a file."""

# The system frees such a lock when its process ends, however it ends: a draft whose lock is free
# is an orphan. Windows cannot lock folders, so orphans stay there.
if sys.platform == "win32":

    def _lock(folder: Path) -> int | None:
        return None
else:
    import fcntl

    def _lock(folder: Path) -> int | None:
        """Return a handle that holds the lock of a folder; None where folders cannot be locked.

        BlockingIOError if another process has it, FileNotFoundError if the folder is gone.
        """
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            folder.stat()  # another process may have removed it in between
        except OSError as error:
            os.close(handle)
            if isinstance(error, BlockingIOError | FileNotFoundError):
                raise
            return None
        return handle


@contextmanager
def scratch_folder(parent: Path | None = None) -> Iterator[Path]:
    """Yield a new hidden folder in `parent` or the temporary folder; it is removed after the block.

    A process that is killed cannot clean up, so the first draft that a process makes in a folder
    removes those of dead processes of this machine and user. The name has a fixed length, and only
    the user may read the folder. The error of a full disk gets the name of the folder.
    """
    place = Path(gettempdir()) if parent is None else parent
    if place.absolute() not in _swept:
        _swept.add(place.absolute())
        remove_stale_drafts(place)
    folder, lock = _create_locked(place)
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
    """Make a folder and its parents; new ones that are empty are removed if the block fails."""
    new = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:  # raised again, after the clean-up
        with suppress(OSError):
            for parent in new:
                parent.rmdir()
        raise


def is_draft(path: Path) -> bool:
    """Return whether a path has the name of a draft of this machine."""
    return DRAFT_NAME.fullmatch(path.name) is not None


def visible_parent(place: Path) -> Path:
    """Return the folder that a user knows: `place`, or the parent of the drafts it lies in."""
    drafts = [parent for parent in (place, *place.parents) if is_draft(parent)]
    return drafts[-1].parent if drafts else place


def remove_stale_drafts(place: Path) -> None:
    """Remove the drafts of dead processes of this user in a folder."""
    if sys.platform == "win32":
        return
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if not DRAFT_NAME.fullmatch(entry.name):
                continue
            with suppress(OSError):  # removed by another process, or not permitted
                if entry.stat(follow_symlinks=False).st_uid != os.geteuid():
                    continue
                if (lock := _lock(Path(entry.path))) is not None:
                    shutil.rmtree(entry.path, ignore_errors=True)
                    os.close(lock)


def _create_locked(place: Path) -> tuple[Path, int | None]:
    """Make a draft folder and lock it; retry if it was removed as stale between the two.

    Where folders cannot be locked, as on some network disks, none is ever removed as stale.
    """
    while True:
        folder = Path(mkdtemp(prefix=f".fairvec-{HOST}-", suffix=".draft", dir=place))
        with suppress(FileNotFoundError, BlockingIOError):
            return folder, _lock(folder)


Progress = Callable[[int, int], None]
"""Called with (bytes done, bytes in all; 0 if not known)."""

_SYNC_UNSUPPORTED = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
"""Error numbers of disks that do not support fsync, as some network disks."""


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a draft path that takes the place of `path` once the block ends without an error.

    The draft lies in a hidden folder next to it, so the last step is one atomic rename (see
    `move_into_place`), and an interrupted write leaves the old file. The error of a full disk gets
    the name of the file.
    """
    file = resolve_target(path)
    with make_folder(file.parent), scratch_folder(file.parent) as folder, _name_full_disk(path):
        draft = folder / path.name  # its suffix decides how it is written
        yield draft
        move_into_place(draft, path)


@contextmanager
def _name_full_disk(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        is_visible = (
            visible_parent(path.parent) == path.parent
        )  # drafts within drafts are not named
        if error.errno in DISK_FULL and not error.filename and is_visible:
            error.filename = str(path)
        raise


def move_into_place(draft: Path, path: Path) -> None:
    """Move a finished file, or a new folder, to `path` atomically.

    A symbolic link stays, and its target is replaced. The new file has the mode of the old one, and
    its owner and group as far as permitted; without an old one the umask decides. Another hard link
    to the old file keeps the old content. Anything but a regular file is refused.
    """
    file = resolve_target(path)
    if (
        visible_parent(file.parent) == file.parent
    ):  # drafts are synchronised when they leave their folder
        _sync_to_disk(draft)
    with suppress(FileNotFoundError):
        _copy_ownership(draft, file.stat())
    try:
        draft.replace(file)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # A link leads to another disk, to which a rename is not atomic.
        with scratch_folder(file.parent) as folder:
            shutil.copy2(draft, folder / "copy")
            _sync_to_disk(folder / "copy")
            with suppress(FileNotFoundError):
                _copy_ownership(folder / "copy", file.stat())
            (folder / "copy").replace(file)


def _sync_to_disk(draft: Path) -> None:
    """Wait until the content of a draft is on the disk (fsync).

    A system may store the rename before the content: without this a power failure could leave an
    empty file in place of the old one.
    """
    for file in (part for part in (draft, *draft.rglob("*")) if part.is_file()):
        handle = os.open(file, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            os.fsync(handle)
        except OSError as error:
            if error.errno not in _SYNC_UNSUPPORTED:
                raise
        finally:
            os.close(handle)


def _copy_ownership(draft: Path, old: os.stat_result) -> None:
    """Give a draft the owner, group and mode of the file that it replaces."""
    mode = old.st_mode & 0o777
    if hasattr(os, "chown"):
        for owner in (old.st_uid, -1):  # the owner may be fixed where the group is not
            with suppress(OSError):  # not allowed, or in a container without such a user
                os.chown(draft, owner, old.st_gid)
                break
        if draft.stat().st_gid != old.st_gid:
            mode &= 0o707 | mode << 3  # another group gets no more than everybody
    draft.chmod(mode)


def restrict_permissions(folder: Path, parts: Iterable[Path], than: Path) -> None:
    """Make a new folder accessible only to those who may access the file `than`.

    The folder and its `parts` get the owner of the file, as far as permitted.
    """
    file = than.stat()
    visible_bits = file.st_mode & 0o066
    mode = folder.stat().st_mode & (0o700 | visible_bits | (visible_bits & 0o044) >> 2)
    if hasattr(os, "chown"):
        with suppress(OSError):  # not permitted
            for path in (*parts, folder):
                os.chown(path, file.st_uid, file.st_gid)
    folder.chmod(mode)


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8 to `path` atomically, lone surrogates escaped."""
    with atomic_path(path) as draft:
        draft.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


MARK = ".fairvec-unfinished.json"
_PARTS_FOLDER = re.compile(r"\.fairvec-[0-9a-f]{16}\.parts")
_MAX_MARK_BYTES = 1 << 16
"""A mark holds a few file names."""


@dataclass(frozen=True)
class Unfinished:
    """The mark of an unfinished move of several files into a folder.

    `parts` are the targets of drafts in the folder `drafts`, at the same relative paths; without
    `drafts` all of them are in place. `gone` are files to be removed. `old` are files of an earlier
    run than the others.
    """

    folder: Path
    drafts: Path | None
    parts: tuple[Path, ...]
    gone: tuple[Path, ...]
    old: tuple[Path, ...]

    def draft_of(self, part: Path) -> Path:
        """Return the draft of a part."""
        return part if self.drafts is None else self.drafts / part.relative_to(self.drafts.parent)

    @property
    def waiting(self) -> tuple[Path, ...] | None:
        """The parts not yet moved or removed; None if that is no longer known."""
        if self.drafts is None:
            return ()
        try:
            self.drafts.lstat()
            drafted = [part for part in self.parts if _exists(self.draft_of(part))]
        except OSError:  # not permitted, or removed
            return None
        return (*drafted, *(part for part in self.gone if os.path.lexists(part)))

    def settle(self) -> "Unfinished":
        """Return the same mark without drafts: what is in place now, and what is still old."""
        every, waiting = (*self.parts, *self.gone), self.waiting
        if waiting is None:
            return Unfinished(self.folder, None, (), (), _unique(every, self.old))
        if len(waiting) == len(every):
            return Unfinished(self.folder, None, (), (), self.old)
        done = tuple(part for part in every if part not in waiting)
        old = tuple(part for part in _unique(waiting, self.old) if part not in done)
        placed = tuple(part for part in done if part in self.parts)
        return Unfinished(self.folder, None, placed, (), old)

    @property
    def doubtful(self) -> tuple[Path, ...]:
        """All files that may be of different runs, which the next mark has to carry on."""
        now = self.settle()
        return _unique(now.parts, now.old) if now.old else ()

    def describe(self, called: Path) -> str:
        """Return a sentence about which files are of which run; empty if all are of one."""
        now = self.settle()
        if not now.old:
            return ""
        present = [part for part in now.old if os.path.lexists(part)]
        missing = [part for part in now.old if part not in present]
        contents, reason = "parts of two runs", "one was interrupted while it put them in place"
        if self.waiting is None:
            details = [f"any of {_join_file_names(now.old)} may be of the other"]
        elif present:
            details = [f"{_with_verb(now.parts)} of the later"] if now.parts else []
            details += [
                f"{_with_verb(present)} of {'the earlier' if details else 'another than the rest'}"
            ]
            details += [f"{_with_verb(missing)} not there yet"] if missing else []
        else:
            contents, reason = "a part of a run", "it was interrupted while it put them in place"
            details = [f"{_with_verb(missing)} not there yet"]
        return (
            f"{called} holds {contents}, because {reason}: {', '.join(details)}; run it again, "
            "or name one file to read that alone."
        )

    def as_json(self) -> str:
        """Return the text of the mark, with paths relative to the folder."""
        drafts = None if self.drafts is None else self._relative(self.drafts)
        content: dict[str, Any] = {"drafts": drafts}
        for name in ("parts", "gone", "old"):
            content[name] = [self._relative(part) for part in getattr(self, name)]
        return json.dumps(content) + "\n"

    def _relative(self, path: Path) -> str:
        return path.name if path.parent == self.folder else f"../{path.name}"


def mark_of(called: Path) -> Unfinished | None:
    """Read the mark of a folder; None if there is none, as nearly always."""
    folder = resolve_parent(called)
    file = folder / MARK
    try:
        if file_kind(file):
            raise ValueError(file)
        with file.open("rb") as opened:
            content = json.loads(
                opened.read(_MAX_MARK_BYTES)
            )  # file names may hold lone surrogates
        drafts = None if content["drafts"] is None else _parse_place(folder, content["drafts"])
        if drafts and not _PARTS_FOLDER.fullmatch(drafts.name):
            raise ValueError(drafts)
        parts, gone, old = (
            _parse_places(folder, content[name]) for name in ("parts", "gone", "old")
        )
        return Unfinished(folder, drafts, parts, gone, old)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise FileFormatError(
            f"{called / MARK} is damaged, so that nobody can say whether the files beside it are "
            "of one run; remove it, and run what wrote them again."
        ) from None


def parts_folder(folder: Path, place: Path) -> Path:
    """Return the folder in `place` from which the drafts for `folder` are moved."""
    name = sha256(os.fsencode(folder.name)).hexdigest()[:16]  # of a fixed length
    return place / f".fairvec-{name}.parts"


def resolve_parent(path: Path) -> Path:
    """Return an absolute path with its parent resolved.

    A folder that is a link stays one, because a model lies next to the link.
    """
    return path.resolve() if path.name in ("", "..") else path.parent.resolve() / path.name


def _parse_places(folder: Path, names: Any) -> tuple[Path, ...]:
    if not isinstance(names, list):
        raise TypeError(names)
    return tuple(_parse_place(folder, name) for name in names)


def _parse_place(folder: Path, name: Any) -> Path:
    """Return a path that a mark names; raise unless it lies in the folder or next to it."""
    if not isinstance(name, str):
        raise TypeError(name)
    inside = name.removeprefix("../")
    if PurePosixPath(inside).parts != (inside,) or inside in ("..", "") or "\0" in inside:
        raise ValueError(name)
    os.fsencode(inside)  # raises for names that no file can have
    return (folder if inside == name else folder.parent) / inside


def _exists(path: Path) -> bool:
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    return True


def _unique(*lists: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(path for each in lists for path in each))


def _join_file_names(paths: Sequence[Path]) -> str:
    return join_words([escape_control(path.name, but="") for path in paths])


def _with_verb(paths: Sequence[Path]) -> str:
    return f"{_join_file_names(paths)} {'is' if len(paths) == 1 else 'are'}"


@contextmanager
def atomic_file_set(
    folder: Path, *, gone: Iterable[str] = (), around: bool = False
) -> Iterator[Path]:
    """Yield a folder for drafts, all of which are moved into `folder` once the block ends.

    A draft goes to the same relative path in `folder`, or with `around` in the parent of it. `gone`
    are names of files in the folder that the new set lacks and that are removed with the old one.
    Records (.jsonl) are moved last, for readers that do not know marks.
    """
    folder = resolve_parent(folder)
    place = folder.parent if around else folder
    with make_folder(place), scratch_folder(place) as drafts:
        yield drafts
        found = (path.relative_to(drafts) for path in drafts.rglob("*") if path.is_file())
        names = sorted(found, key=lambda name: (name.suffix == ".jsonl", name))
        parts = tuple(place / name for name in names)
        for part in parts:
            resolve_target(part)  # raise before anything is moved
        new = not folder.exists()
        with make_folder(folder), lock_folder(folder):
            for part in parts:
                if new and part.parent != folder and part.exists():
                    restrict_permissions(folder, (drafts / name for name in names), than=part)
            removable = (folder / name for name in gone)
            _move_all(
                folder, drafts, parts, tuple(path for path in removable if os.path.lexists(path))
            )


def _move_all(folder: Path, drafts: Path, parts: tuple[Path, ...], gone: tuple[Path, ...]) -> None:
    """Move drafts into place; the caller holds the lock of the folder."""
    before = _settle_mark(folder)
    # Under a name that is not removed as stale: what is left there tells which files were moved.
    ready = drafts.replace(parts_folder(folder, drafts.parent))
    mark = Unfinished(folder, ready, parts, gone, before.doubtful if before else ())
    try:
        _write_mark(mark)
        for part in parts:
            draft = mark.draft_of(part)
            move_into_place(draft, part)
            draft.unlink(missing_ok=True)  # left behind if it was copied to another disk
        for part in gone:
            part.unlink(missing_ok=True)
    finally:
        _settle_mark(folder)


def _settle_mark(folder: Path) -> Unfinished | None:
    """Remove the drafts of a finished run, after writing what they tell into the mark."""
    mark = _read_mark(folder)
    drafts = mark.drafts if mark else None
    if mark and drafts:
        mark = mark.settle()
        _write_mark(mark)
    folders = {parts_folder(folder, place) for place in (folder, folder.parent)}
    if drafts and drafts.parent == folder:
        folders.add(drafts)  # of a folder that has been renamed since
    for old_parts in folders:
        shutil.rmtree(old_parts, ignore_errors=True)
    return mark


def write_alone(path: Path, text: str) -> None:
    """Write one file of a run atomically, and take it out of the folder's mark."""
    write_text(path, text)
    renewed(path.parent, path.name)


def renewed(folder: Path, *names: str) -> None:
    """Take files that were written again together out of the folder's mark."""
    if _read_mark(folder) is None:
        return
    with lock_folder(folder):
        if mark := _settle_mark(resolve_parent(folder)):
            written = [mark.folder / name for name in names]
            doubtful = tuple(path for path in mark.doubtful if path not in written)
            _write_mark(Unfinished(mark.folder, None, (), (), doubtful))


def refuse_mixed(folder: Path) -> None:
    """Raise if the files of a folder are of two runs; the error says which are of which."""
    if mark_of(folder) is None:
        return
    # Wait for a process that is moving files right now.
    with lock_folder(folder):
        mark = mark_of(folder)
    if mark and (sentence := mark.describe(folder)):
        raise FileFormatError(sentence)


def _read_mark(folder: Path) -> Unfinished | None:
    """Return the mark of a folder for a writer, which ignores a damaged one; readers raise."""
    with suppress(FileFormatError):
        return mark_of(folder)
    return None


def _write_mark(mark: Unfinished) -> None:
    if mark.drafts or mark.old:
        write_text(mark.folder / MARK, mark.as_json())
    else:
        (mark.folder / MARK).unlink(missing_ok=True)


_MAX_NEW_FOLDERS = 100
"""Nested folders are made and removed by recursive functions."""


def check_writable_file(path: Path, *, force: bool = False, forcible: bool = True) -> None:
    """Raise now, and not after hours, if a file cannot be written there or should not be.

    A regular file is overwritten only with `force`, anything else never; `forcible` says whether
    the error may suggest that option.
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
    """Write and remove a file of this name, with the folders that it needs, in a draft folder.

    The real folders are not made, because a second process might be about to write there.
    """
    existing = next(filter(path_taken, file.parents), file.parents[-1])
    if len(file.relative_to(existing).parts) > _MAX_NEW_FOLDERS:
        raise OSError(errno.ENAMETOOLONG, "too many new folders in one another")
    with scratch_folder(existing) as folder:
        trial = folder / file.relative_to(existing)  # the name may be too long or invalid
        trial.parent.mkdir(parents=True, exist_ok=True)
        trial.touch()


def _unwritable(path: Path, error: Exception) -> SettingError:
    return SettingError(
        f"{path}: nothing can be written there ({os_reason(error)}); name another place."
    )


def check_writable_folder(path: Path, *names: str, force: bool = True) -> None:
    """Raise now, and not after hours, if files of these names cannot be written into a folder.

    Without `force` none of the files may exist; other files stay. The folder is not made, so that
    work that fails leaves nothing behind.
    """
    try:
        _check_is_folder(path)
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


def _check_is_folder(path: Path) -> None:
    if not path.is_dir() and path_taken(path):
        kind = file_kind(path) or ("a file" if path.exists() else "a link that leads nowhere")
        raise SettingError(f"{path} is {kind}, and a folder is needed; choose another name.")


def check_overwrites_markup(path: Path, what: str) -> None:
    """Raise if a page (HTML or SVG) would overwrite a file that is not markup.

    An earlier page is overwritten, because it can be made again; `what` names the page in errors.
    """
    file = resolve_target(path)
    if not file.is_file():
        return
    with file.open("rb") as opened:
        beginning = opened.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    if beginning and not beginning.startswith(b"<"):
        raise SettingError(
            f"{path} exists already and is no {what}; choose another name, or remove it."
        )


def is_empty_folder(folder: Path) -> bool:
    """Return whether a folder is empty but for drafts of fairvec."""
    return folder.is_dir() and all(map(is_draft, folder.iterdir()))

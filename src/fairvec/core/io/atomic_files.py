"""Atomic writes: a file appears complete or not at all, and files of one run are never mixed.

Work under way lies in hidden draft folders next to its target, locked by their process; the drafts
of processes that were killed are removed by a later run. Files that belong together are moved into
place under a lock, in an order that never leaves those of two runs beside one another.
"""

import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, EFBIG, ENOSPC
from hashlib import sha256
from pathlib import Path
from platform import node
from tempfile import gettempdir, mkdtemp

from fairvec.core.errors import SettingError, os_reason
from fairvec.core.io.locks import lock_folder, try_lock
from fairvec.core.io.read_files import file_kind, path_exists, resolve_target

HOST = sha256(node().encode("utf-8", "surrogateescape")).hexdigest()[:8]
"""Part of a draft's name: on a shared disk, processes of other machines cannot be checked."""

DRAFT_NAME = re.compile(rf"\.fairvec-{HOST}-\w{{8}}\.draft")
_swept: set[Path] = set()

DISK_FULL = (ENOSPC, EDQUOT, EFBIG)
"""Error numbers of a full disk, which come without the name of a file."""


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
        # Of drafts within drafts the outer one knows what the user named.
        if error.errno in DISK_FULL and visible_parent(place) == place:
            _name_place(error, folder, place)
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
            with suppress(OSError):  # in use, removed by another process, or not permitted
                status = entry.stat(follow_symlinks=False)
                if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
                    continue
                lock = try_lock(Path(entry.path))
                shutil.rmtree(entry.path, ignore_errors=True)
                os.close(lock)


def _create_locked(place: Path) -> tuple[Path, int | None]:
    """Make a draft folder and lock it; retry if it was removed as stale between the two.

    Where folders cannot be locked (Windows, some network disks) none is ever removed as stale.
    """
    while True:
        folder = Path(mkdtemp(prefix=f".fairvec-{HOST}-", suffix=".draft", dir=place))
        try:
            return folder, try_lock(folder)
        except (FileNotFoundError, BlockingIOError):
            continue
        except OSError:
            return folder, None


Progress = Callable[[int, int], None]
"""Called with (bytes done, bytes in all; 0 if not known)."""

_SYNC_UNSUPPORTED = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
"""Error numbers of disks that do not support fsync, as some network disks."""


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a draft path that takes the place of `path` once the block ends without an error.

    The draft lies in a hidden folder next to it, so the last step is one atomic rename (see
    `move_into_place`), and an interrupted write leaves the old file. Errors name the file, not its
    draft.
    """
    file = resolve_target(path)
    with make_folder(file.parent), scratch_folder(file.parent) as folder:
        draft = folder / path.name  # its suffix decides how it is written
        try:
            yield draft
            move_into_place(draft, path)
        except OSError as error:
            if visible_parent(path.parent) == path.parent:
                _name_place(error, folder, path)
            raise


def _name_place(error: OSError, drafts: Path, place: Path) -> None:
    """Have an error name what the user knows, where it names a draft, or nothing on a full disk."""
    named = error.filename
    in_draft = isinstance(named, str | Path) and Path(named).is_relative_to(drafts)
    if in_draft or (not named and error.errno in DISK_FULL):
        error.filename, error.filename2 = str(place), None


def move_into_place(draft: Path, path: Path) -> None:
    """Move a finished file, or a new folder, to `path` atomically.

    A symbolic link stays, and its target is replaced. The new file has the mode of the old one, and
    its owner and group as far as permitted; without an old one the umask decides. Another hard link
    to the old file keeps the old content. Anything but a regular file is refused.
    """
    file = resolve_target(path)
    if visible_parent(file.parent) == file.parent:  # others are synchronised as they leave drafts
        _sync_to_disk(draft)
    _replace(file, draft)


def _replace(file: Path, draft: Path) -> None:
    """Move a draft whose content is on the disk to `file`, or copy it there from another disk."""
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
            _copy_ownership(folder / "copy", draft.stat())
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


def write_text(path: Path, text: str | Iterable[str]) -> None:
    """Write a text, or its parts, as UTF-8 to `path` atomically, lone surrogates escaped."""
    with (
        atomic_path(path) as draft,
        draft.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file,
    ):
        file.writelines([text] if isinstance(text, str) else text)


@contextmanager
def atomic_file_set(
    folder: Path, *, gone: Iterable[str] = (), around: bool = False
) -> Iterator[Path]:
    """Yield a folder for drafts, all of which are moved into `folder` once the block ends.

    A draft goes to the same relative path in `folder`, or with `around` in the parent of it. `gone`
    are names of files in the folder that the new set lacks and that are removed with the old one.

    First comes what the others are made from: what lies around the folder, then records (.jsonl).
    Before it is moved the rest of the old set is removed, so that a process that is killed may
    leave a set incomplete, and never one of files of two runs.
    """
    folder = _resolve_parent(folder)
    place = folder.parent if around else folder
    with make_folder(place), scratch_folder(place) as drafts:
        yield drafts
        names = sorted(
            (path.relative_to(drafts) for path in drafts.rglob("*") if path.is_file()),
            key=lambda name: ((place / name).parent == folder, name.suffix != ".jsonl", name),
        )
        for name in names:
            _sync_to_disk(drafts / name)
        new = not folder.exists()
        with make_folder(folder), lock_folder(folder):
            targets = [resolve_target(place / name) for name in names]  # raises before any move
            for name, target in zip(names, targets, strict=True):
                with suppress(FileNotFoundError):
                    _copy_ownership(drafts / name, target.stat())
                    if new and (place / name).parent != folder:
                        restrict_permissions(folder, (drafts / one for one in names), than=target)
            for old in (*targets[1:], *(folder / name for name in gone)):
                old.unlink(missing_ok=True)
            for name, target in zip(names, targets, strict=True):
                _replace(target, drafts / name)


def _resolve_parent(path: Path) -> Path:
    """Return an absolute path with its parent resolved.

    A folder that is a link stays one, because a model lies next to the link.
    """
    return path.resolve() if path.name in ("", "..") else path.parent.resolve() / path.name


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
    existing = next(filter(path_exists, file.parents), file.parents[-1])
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
    if not path.is_dir() and path_exists(path):
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

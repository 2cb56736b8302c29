"""Places that a user names: what may be read, what may be written over, and what never is."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

from fairvec.ground.disk.drafts import is_draft, scratch
from fairvec.ground.errors import SettingError, refusal_of

MOST_LINKS = 40
"""As many does a system follow, too."""

MOST_NEW_FOLDERS = 100
"""Folders in one another are made and removed by functions that call themselves."""

KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def taken(path: Path) -> bool:
    """Say whether a name is taken, be it by a link that leads nowhere."""
    return os.path.lexists(path)


def named_path(given: object, say: str) -> Path:
    """Return the path that somebody names in Python, or `say` how a call is written that has one.

    An object in its place is, more often than not, another argument of the same call.
    """
    if isinstance(given, str | os.PathLike) and isinstance(text := os.fspath(given), str):
        return Path(text)
    raise SettingError(f"A path is text, not an object of the kind {type(given).__name__}; {say}.")


def kind_of(path: Path) -> str:
    """Say in words what lies at a path that is no plain file; nothing of one that is, or absent.

    Nothing is opened: to open a pipe is to wait for whoever writes into it.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return ""
    return next((words for is_it, words in KINDS if is_it(mode)), "")


def refuse_to_read(path: Path, fault: Callable[[str], Exception]) -> None:
    """Raise `fault` for what can be read once, or has no end: pipes, devices, sockets.

    What is read once, from its start to its end, is read by `piped.content_of`.
    """
    if (kind := kind_of(path)) and kind != "a folder":
        raise fault(
            f"{path} is {kind}, and only a plain file can be read twice, as this has to be; save "
            "what it gives as a file."
        )


def file_behind(path: Path) -> Path:
    """Return the file that is written when `path` is: the path, or where its links lead.

    A link that leads nowhere yet is followed if the folder that it leads into is there: a disk that
    is not mounted is no place to write. What is no plain file is refused.
    """
    file = path
    for _ in range(MOST_LINKS):
        folder = Path(os.path.realpath(file.parent))
        # /dev/stdout may lead to a plain file, whose writer would lose it.
        if folder == Path("/dev") or folder.is_relative_to("/proc"):
            raise SettingError(
                f"{path} is no plain file, and what is written whole or not at all needs one; name "
                "a file."
            )
        if not file.is_symlink():
            break
        file = folder / file.readlink()
        if not file.parent.is_dir():
            raise SettingError(
                f"{path} is a link into {file.parent}, which is not there; make that folder or "
                "remove the link."
            )
    else:
        raise SettingError(f"{path} is a link that leads back to itself; remove it.")
    if kind := kind_of(file):
        raise SettingError(f"{path} is {kind}; name a file, for nothing else is written over.")
    if file.is_file() and not os.access(file, os.W_OK):
        raise SettingError(
            f"{path} may not be written over (it is read-only); allow it or choose another name."
        )
    return file


def refuse_file(path: Path, *, force: bool = False, forcible: bool = True) -> None:
    """Raise now, and not after hours, if a file cannot be written there or should not be.

    A plain file is written over only by `force`, and nothing else ever is; `forcible` says whether
    there is such an option to name.
    """
    try:
        file = file_behind(path)
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
    there = next(filter(taken, file.parents), file.parents[-1])
    if len(file.relative_to(there).parts) > MOST_NEW_FOLDERS:
        raise OSError(errno.ENAMETOOLONG, "too many new folders in one another")
    with scratch(there) as folder:
        tried = folder / file.relative_to(there)  # a name may be too long, or what no disk can hold
        tried.parent.mkdir(parents=True, exist_ok=True)
        tried.touch()


def _unwritable(path: Path, error: Exception) -> SettingError:
    return SettingError(
        f"{path}: nothing can be written there ({refusal_of(error)}); name another place."
    )


def refuse_folder(path: Path, *names: str, force: bool = True) -> None:
    """Raise now, and not after hours, if files of these names cannot be written into a folder.

    Without `force` none of the files may be there; what else lies there stays. The folder is not
    made: work that fails leaves nothing behind.
    """
    try:
        _refuse_no_folder(path)
        for name in names:
            file = file_behind(path / name)
            if file.exists() and not force:
                raise SettingError(
                    f"{path / name} exists already; choose another folder, or say --force "
                    "(force=True)."
                )
        _try_writing(path / "results.jsonl")
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def _refuse_no_folder(path: Path) -> None:
    if not path.is_dir() and taken(path):
        kind = kind_of(path) or ("a file" if path.exists() else "a link that leads nowhere")
        raise SettingError(f"{path} is {kind}, and a folder is needed; choose another name.")


def refuse_markup(path: Path, what: str) -> None:
    """Raise if a file of markup, which no option forces, would replace a file that is none.

    An earlier one is written over, as it is made of what lies elsewhere; `what` says what it is.
    """
    file = file_behind(path)
    if not file.is_file():
        return
    with file.open("rb") as opened:
        begins = opened.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    if begins and not begins.startswith(b"<"):
        raise SettingError(
            f"{path} exists already and is no {what}; choose another name, or remove it."
        )


def empty(folder: Path) -> bool:
    """Say whether nothing lies in a folder but drafts of fairvec, of the living or the dead."""
    return folder.is_dir() and all(map(is_draft, folder.iterdir()))

"""Writing files whole or not at all, reading text, and saying how far a long work on one is."""

import errno
import os
import shutil
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import file_digest
from importlib.resources.abc import Traversable
from pathlib import Path

from fairvec.ground.disk.drafts import FULL, made, outside_drafts, scratch
from fairvec.ground.disk.piped import content_of
from fairvec.ground.disk.places import file_behind
from fairvec.ground.errors import refusal_of

Progress = Callable[[int, int], None]
"""Called with (bytes done, bytes in all; 0 if not known)."""

NOT_OFFERED = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
"""What a disk that cannot be waited for says, as some of a network are."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a draft path that takes the place of `path` once the block ends without an error.

    The draft lies in a hidden folder beside it, so the last step is one atomic rename, and an
    interrupted write leaves what was there before. How it takes its place is said by `put`. A file
    for which there is no room is named.
    """
    file = file_behind(path)
    with made(file.parent), scratch(file.parent) as folder, _named_if_full(path):
        draft = folder / path.name  # whose ending says how it is written
        yield draft
        put(draft, path)


@contextmanager
def _named_if_full(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        known = outside_drafts(path.parent) == path.parent  # a user knows no draft of a draft
        if error.errno in FULL and not error.filename and known:
            error.filename = str(path)
        raise


def put(draft: Path, path: Path) -> None:
    """Let a finished file, or a new folder, take the place of `path`.

    A link stays, and what it leads to is replaced. The new file has the mode of the old one, and
    its owner and group as far as that is allowed; without an old one the umask decides. Another
    hard link to the old file keeps the old content. What is no plain file is refused.
    """
    file = file_behind(path)
    if outside_drafts(file.parent) == file.parent:  # what is a draft still has its turn to come
        _reach_the_disk(draft)
    with suppress(FileNotFoundError):
        _own_as(draft, file.stat())
    try:
        draft.replace(file)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # A link leads to another disk, where the rename would be no single step.
        with scratch(file.parent) as folder:
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


def no_more_open(folder: Path, parts: Iterable[Path], than: Path) -> None:
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


def utf8(content: bytes, where: str, fault: Callable[[str], Exception]) -> str:
    """Return the text of a file, without the mark that may stand at its start.

    What is not UTF-8 is refused by raising `fault`, which names the line of the file `where`.
    """
    content = content.removeprefix(BOM_UTF8)
    try:
        text = content.decode()
        wrong = content.find(b"\0")  # of UTF-16 without a mark at its start
    except UnicodeDecodeError as error:
        wrong = error.start
    if wrong >= 0:
        line = content.count(b"\n", 0, wrong) + 1
        raise fault(f"{where}, line {line}: this is not UTF-8; save it as UTF-8.")
    return text


def text_of(path: str | Path | Traversable, what: str, fault: Callable[[str], Exception]) -> str:
    """Return the text of a file of UTF-8; `what` says in errors what it should hold."""
    return utf8(read_whole(path, f"the {what} file", fault), str(path), fault)


def read_whole(
    path: str | Path | Traversable, what: str, fault: Callable[[str], Exception]
) -> bytes:
    """Return the bytes of a file; `what` it is, as in "the suite file", is said in errors."""
    file = Path(path) if isinstance(path, str) else path
    try:
        return content_of(file, fault) if isinstance(file, Path) else file.read_bytes()
    except OSError as error:
        reason = refusal_of(error)
        raise fault(f"{path}: {what} cannot be read ({reason}); check its path.") from None


def checksum_of(path: Path) -> str:
    """Return the SHA-256 of a file, which is not held in memory."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8 to `path`, whole or not at all; half characters as their numbers."""
    with replacing(path) as draft:
        draft.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")

"""Which files a corpus is made of."""

from collections.abc import Sequence
from glob import glob, has_magic
from pathlib import Path

from fairvec.ground.disk.at_hand import is_folder, is_there
from fairvec.ground.errors import FileFormatError

ENDINGS = (".txt", ".gz", ".xz", ".bz2", ".zst")
"""What is taken of a folder; a file that is named may end otherwise."""


def files_of(named: Sequence[str | Path]) -> tuple[Path, ...]:
    """Return the files that are named, those in the folders that are, and those of patterns.

    Each once, by whatever names, in the order of names within a folder or a pattern, so that a
    corpus is the same on every machine.
    """
    found: dict[Path, Path] = {}
    for one in named:
        path = Path(one)
        if is_folder(path):
            some = sorted(file for file in path.rglob("*") if _is_text(file, path))
            lacking = f"the folder holds no text ({', '.join(ENDINGS)})"
        elif is_there(path) or not has_magic(str(one)):
            some = [path] if is_there(path) else []
            lacking = "there is no such file"
        else:
            some = sorted(Path(file) for file in glob(str(one), recursive=True))  # noqa: PTH207 - a pattern may begin at the root
            some = [file for file in some if file.is_file()]
            lacking = "no file matches"
        if not some:
            raise FileFormatError(f"{one}: {lacking}; name a file, a folder or a pattern.")
        for file in some:
            found.setdefault(file.resolve(), file)
    if not found:
        raise FileFormatError("No corpus is named; name a file, a folder or a pattern.")
    return tuple(found.values())


def _is_text(file: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    return file.is_file() and not hidden and file.suffix.lower() in ENDINGS

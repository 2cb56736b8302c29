"""Where a case lies: its own folder, and around it places that nothing may be written to."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

Files = Mapping[str, bytes]
"""What lies in the folder of a case, by path."""
CASE = "in/case"
"""Two folders deep, so that ../x and ../../x are places which are looked at."""
PERMANENT = ("in", "tmp", "beside", "home")
TRACE = "trace.txt"
"""Where a worker that dies says how."""
PIPE = b"\0a pipe that nobody writes to"
FOLDER = b"\0a folder"
LINK = b"\0a link to "
"""As the content of a file these stand for what is no plain file; a path follows the last one."""


def emptied(folder: Path) -> None:
    """Make the folders of a worker anew; most are empty already."""
    for name in PERMANENT:
        _emptied(folder / name)
    (folder / CASE).mkdir()


def placed(files: Files, folder: Path) -> None:
    """Write the files of a case."""
    made = {""}
    for name, data in files.items():
        path = f"{folder}/{name}"
        parent = name.rpartition("/")[0]
        if parent not in made:
            Path(folder, parent).mkdir(parents=True, exist_ok=True)
            made.add(parent)
        if data == PIPE:
            os.mkfifo(path)
        elif data == FOLDER:
            Path(path).mkdir()
        elif data.startswith(LINK):
            Path(path).symlink_to(data.removeprefix(LINK).decode())
        else:
            with open(path, "wb") as file:  # noqa: PTH123 - a third of the time of Path's
                file.write(data)


def is_special(data: bytes) -> bool:
    """Say whether a file of a case stands for what is no plain file."""
    return data.startswith((PIPE, FOLDER, LINK))


def entries_of(folder: str, above: str = "") -> list[str]:
    """Return the paths of all that lies in a folder; a link is not followed."""
    found = []
    with os.scandir(folder) as inside:
        for each in inside:
            found.append(above + each.name)
            if each.is_dir(follow_symlinks=False):
                found += entries_of(each.path, f"{above}{each.name}/")
    return found


def _emptied(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for inner in os.scandir(folder):
        if inner.is_dir(follow_symlinks=False):
            shutil.rmtree(inner.path)
        else:
            os.unlink(inner.path)  # noqa: PTH108 - a name may be no text
